// swift-tools-version: 6.2

import Foundation
import PackageDescription

/// The toolchain's `libclang_rt.fuzzer_no_main` archive, where coverage-guided fuzzing is asked for:
/// `SEXTANT_LIBFUZZER=… swift build -c release --product sextant-libfuzzer`.
let libFuzzer = Context.environment["SEXTANT_LIBFUZZER"]

let instrumentation: [SwiftSetting] = libFuzzer == nil ? [] : [.unsafeFlags(["-sanitize=fuzzer"])]

/// The thread sanitizer, for scripts/sanitize, in all rooms but Core and Drivers.
///
/// These have no threads, and Swift 6.3.1 makes broken code of the Engine for it ("Invalid bitcast").
let findsRaces = Context.environment["SEXTANT_SANITIZE"] == "thread"
let threading: [SwiftSetting] = findsRaces ? [.unsafeFlags(["-sanitize=thread"])] : []
let threadingInC: [CSetting] = findsRaces ? [.unsafeFlags(["-fsanitize=thread"])] : []

// Swift 6.2 builds this too, as Debian has it, but does not agree with 6.3 on what is unsafe and what is needless.
#if compiler(>=6.3)
    let warningsAsErrors: [SwiftSetting] = [.treatAllWarnings(as: .error)]
#else
    let warningsAsErrors: [SwiftSetting] = []
#endif

let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .strictMemorySafety(),
        // What Swift 6.2 wants to be told of a function that takes two spans, and 6.3 infers.
        .enableExperimentalFeature("Lifetimes"),
    ] + warningsAsErrors + instrumentation

/// What only the tests and the bench run, of which nothing promises how fast it is: making it fast takes 15 s of a
/// processor longer than not to.
let unhurried: Set = ["HardwareInLoop", "location-probe"]

func settings(of name: String) -> [SwiftSetting] {
    unhurried.contains(name) ? settings + [.unsafeFlags(["-Onone"])] : settings
}

/// The READMEs in a folder, which are for people; SwiftPM warns of a file that it does not know.
func readmes(in path: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: "\(Context.packageDirectory)/\(path)")
    return (all?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix("README.md") }.sorted()
}

/// A room of the house: its folder is `Sources/<layer>/<name>`, without a prefix, unless named, and its arrows are its
/// dependencies.
///
/// Modules that the client brings into other people's packages have the prefix `Sextant` where others may have the name:
/// names of modules are unique in a whole program.
func room(
    _ layer: String, _ name: String, _ dependencies: [Target.Dependency] = [], linking libraries: [String] = [],
    in folder: String? = nil, leavingOut others: [String] = []
) -> Target {
    let path = "Sources/\(layer)/\(folder ?? name.replacingOccurrences(of: "Sextant", with: ""))"
    return .target(
        name: name, dependencies: dependencies, path: path, exclude: readmes(in: path) + others,
        cSettings: layer == "Linux" ? threadingInC : [],
        swiftSettings: settings(of: name) + (["Core", "Drivers"].contains(layer) ? [] : threading),
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// A command: options, exit codes and printing.
func command(
    _ layer: String, _ name: String, _ dependencies: [Target.Dependency], in folder: String? = nil
) -> Target {
    let path = "Sources/\(layer)/\(folder ?? name)"
    return .executableTarget(
        name: name, dependencies: dependencies, path: path, exclude: readmes(in: path),
        swiftSettings: settings(of: name))
}

/// The tests of one room, in `Tests/<name>Tests`.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    let path = "Tests/\(name)Tests"
    return .testTarget(
        name: "\(name)Tests", dependencies: dependencies, path: path, exclude: readmes(in: path),
        // Making a test's own code fast takes longer than running it, and the rooms are as they ship.
        swiftSettings: settings + threading + [.unsafeFlags(["-Onone"])])
}

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let core: [Target] = [
    // Rounding a Double is a call into libm where the processor has no instruction for it.
    room("Core", "SextantUnits", linking: ["m"]),
    room("Core", "GNSS", ["SextantUnits"]),
    room("Core", "NMEA0183", ["SextantUnits", "GNSS"]),
    room("Core", "UBX", ["SextantUnits", "GNSS"]),
    room("Core", "Epochs", ["SextantUnits", "GNSS", "NMEA0183", "UBX"]),
    room("Core", "Receivers", ["SextantUnits", "NMEA0183", "UBX", "Epochs"]),
    room("Core", "Power", ["SextantUnits", "GNSS", "Receivers"]),
    room("Core", "TimeService", ["SextantUnits", "GNSS"]),
    room("Core", "SextantJSON", ["SextantUnits"]),
    room("Core", "HostSleep", ["SextantUnits", "SextantJSON"]),
    room("Core", "SextantUplink", ["SextantUnits", "SextantJSON"]),
    room("Core", "ClientVocabulary"),
    room("Core", "SextantPlaces", ["SextantUnits", "SextantJSON"]),
    room("Core", "Fusion", ["SextantUnits", "GNSS"]),
    room("Core", "Beacons", ["SextantUnits"]),
    room("Core", "Monitors", ["SextantUnits", "GNSS", "Fusion", "Beacons"]),
    room("Core", "Magnetism", ["SextantUnits"]),
    room(
        "Core", "ClientProtocol",
        ["SextantUnits", "GNSS", "Power", "SextantJSON", "ClientVocabulary", "Beacons", "Monitors", "Magnetism"]),
    room("Core", "GPSDProtocol", ["SextantUnits", "GNSS", "SextantJSON", "Magnetism"]),
    room("Core", "MetricsText", ["SextantUnits", "SextantJSON"]),
    room(
        "Core", "Parts",
        [
            "SextantUnits", "GNSS", "Receivers", "Power", "HostSleep", "SextantJSON", "Fusion", "Beacons", "Monitors",
            "TimeService", "ClientVocabulary", "ClientProtocol",
        ]),
    room(
        "Core", "Access",
        ["SextantUnits", "SextantJSON", "ClientVocabulary", "Monitors", "ClientProtocol", "Parts"]),
    room(
        "Core", "Monitoring",
        [
            "SextantUnits", "GNSS", "Power", "SextantJSON", "ClientVocabulary", "Fusion", "Beacons", "Monitors",
            "ClientProtocol", "Parts", "Access",
        ]),
    room(
        "Core", "Delivery",
        [
            "SextantUnits", "GNSS", "Epochs", "Receivers", "Power", "SextantJSON", "ClientVocabulary", "Beacons",
            "Monitors", "ClientProtocol", "GPSDProtocol", "Parts",
        ]),
    room(
        "Core", "Outbox",
        [
            "SextantUnits", "GNSS", "SextantJSON", "ClientVocabulary", "Monitors", "ClientProtocol", "Parts", "Access",
        ]),
    room(
        "Core", "Engine",
        [
            "SextantUnits", "GNSS", "NMEA0183", "UBX", "Epochs", "Receivers", "Power", "HostSleep", "SextantJSON",
            "ClientVocabulary", "Fusion",
            "Beacons", "Monitors", "Magnetism", "ClientProtocol", "GPSDProtocol", "Parts", "Access", "Outbox",
            "TimeService", "Monitoring", "Delivery",
        ]),
]

let drivers: [Target] = [
    room("Drivers", "Hardware", ["SextantUnits"]),
    room("Drivers", "Magnetometers", ["Hardware"]),
    room("Drivers", "Accelerometers", ["Hardware"]),
    room("Drivers", "HostSwitches", ["SextantUnits", "HostSleep", "Hardware"]),
    room(
        "Drivers", "Boards",
        [
            "HostSleep",
            "SextantUnits", "Receivers", "Beacons", "Magnetism", "Hardware", "Magnetometers", "Accelerometers",
            "HostSwitches",
        ]),
]

let linux: [Target] = [
    room("Linux", "CSextantLinux"),
    room("Linux", "CGPIOD", linking: ["gpiod"]),
    room("Linux", "CCurl", linking: ["curl"]),
    room("Linux", "CI2C", linking: ["i2c"]),
    room("Linux", "CMicroHTTPD", linking: ["microhttpd"]),
    room("Linux", "CSystemd", linking: ["systemd"]),
    room("Linux", "CSextantSQLite", linking: ["sqlite3"]),
    room("Linux", "CMosquitto", linking: ["mosquitto", "ssl", "crypto"]),
    room("Linux", "CZlib", linking: ["z"]),
    room("Linux", "SextantReactor", ["SextantUnits", "CSextantLinux"]),
    room("Linux", "Programs", ["CSextantLinux", "SextantReactor"]),
    room(
        "Linux", "LinuxHardware",
        ["SextantUnits", "Beacons", "Hardware", "CSextantLinux", "CGPIOD", "CI2C", "SextantReactor", "Programs"]),
    room("Linux", "SextantSockets", ["SextantUnits", "SextantJSON", "CSextantLinux", "SextantReactor"]),
    room(
        "Linux", "Configuration",
        [
            "SextantUnits", "Receivers", "HostSleep", "SextantJSON", "ClientVocabulary", "Beacons", "Monitors",
            "Magnetism", "ClientProtocol",
            "Parts", "Access", "Hardware", "Magnetometers", "Accelerometers", "HostSwitches", "Boards",
            "SextantReactor",
            "SextantSockets",
            "TimeService",
        ]),
    room("Linux", "SextantSQLite", ["CSextantSQLite"]),
    room("Linux", "Store", ["SextantUnits", "CSextantLinux", "SextantSQLite", "SextantReactor"]),
    room("Linux", "PlaceTable", ["SextantUnits", "SextantPlaces", "SextantSQLite", "SextantReactor"]),
    room(
        "Linux", "Doctor",
        [
            "HostSwitches",
            "HostSleep", "Receivers", "Hardware", "Magnetometers", "Accelerometers", "Boards",
            "CSextantLinux",
            "SextantReactor",
            "LinuxHardware", "Configuration", "Store",
        ]),
]

let service: [Target] = [
    room(
        "Service", "Tracker",
        [
            "HostSwitches",
            "SextantUnits", "Receivers", "HostSleep", "SextantJSON", "Beacons", "Monitors", "Magnetism",
            "TimeService", "ClientVocabulary", "ClientProtocol", "GPSDProtocol",
            "Parts", "Access", "Engine", "Hardware", "Magnetometers", "Accelerometers", "Boards", "SextantReactor",
            "Programs",
            "LinuxHardware",
            "SextantSockets", "Configuration", "Store", "Doctor", logging,
        ]),
    room(
        "Service", "Geocoder",
        [
            "SextantUnits", "SextantJSON", "ClientVocabulary", "SextantPlaces", "Access", "CSextantLinux", "CCurl",
            "SextantSQLite", "SextantReactor",
            "SextantSockets", "Configuration",
        ]),
    room(
        "Service", "UplinkService",
        [
            "SextantUnits", "SextantJSON", "ClientVocabulary", "CSextantLinux", "CMosquitto", "CZlib",
            "SextantReactor", "Programs", "SextantSQLite", "Configuration", "Store", "DaemonClient", "SextantUplink",
        ]),
    room(
        "Service", "HostHelper",
        ["SextantUnits", "HostSleep", "HostSwitches", "CSystemd", "SextantReactor", "Programs"]),
    room(
        "Service", "Page",
        [
            "SextantUnits", "SextantJSON", "ClientVocabulary", "MetricsText", "CSextantLinux", "CMicroHTTPD",
            "SextantSQLite", "SextantReactor", "Programs",
            "SextantSockets", "DaemonClient", "SextantPlaces", "PlaceTable",
        ], leavingOut: ["web", "picture.png"]),
]

let client: [Target] = [
    room(
        "Client", "GeocoderClient", ["SextantUnits", "SextantPlaces", "SextantReactor", "SextantSockets"]),
    room(
        "Client", "DaemonClient",
        ["SextantUnits", "SextantJSON", "ClientVocabulary", "CSextantLinux", "SextantReactor", "SextantSockets"]),
    room("Client", "CoreLocationHeaders"),
    room(
        "Client", "CoreLocation",
        [
            "SextantUnits", "ClientVocabulary", "SextantPlaces", "GeocoderClient", "DaemonClient",
            "CoreLocationHeaders",
            .byName(name: "PlaceTable", condition: .when(traits: ["Geocoding"])),
        ]),
]

let bench: [Target] = [
    room("Bench", "Pictures", ["SextantUnits", "Fusion", "Monitors", "Magnetism"]),
    room(
        "Bench", "Emulation",
        [
            "SextantUnits", "GNSS", "NMEA0183", "UBX", "Epochs", "Receivers", "HostSleep", "Hardware",
            "CSextantLinux", "SextantReactor",
            "LinuxHardware",
            "SextantSockets",
        ]),
    room(
        "Bench", "BenchControl",
        [
            "SextantUnits", "Receivers", "ClientProtocol", "Hardware", "Boards", "SextantReactor", "SextantSockets",
            "Tracker", "Emulation",
        ]),
    room(
        "Bench", "HardwareInLoop",
        [
            "SextantUnits", "Receivers", "HostSleep", "SextantJSON", "Hardware", "SextantReactor", "LinuxHardware",
            "SextantSockets",
            "Pictures", "Emulation",
        ]),
    room(
        "Bench", "Simulation",
        [
            "SextantUnits", "Receivers", "HostSleep", "SextantJSON", "Beacons", "Monitors", "Magnetism",
            "ClientProtocol",
            "Parts", "Access", "Engine",
            "Boards", "SextantSockets", "Pictures", "Emulation",
        ]),
    room(
        "Bench", "Fuzzing",
        [
            "SextantUnits", "GNSS", "NMEA0183", "UBX", "Epochs", "SextantJSON", "ClientVocabulary", "Beacons",
            "ClientProtocol",
            "GPSDProtocol", "Fusion", "Monitors", "Parts", "Access", "Monitoring", "Engine", "SextantPlaces",
            "PlaceTable",
        ], in: "Fuzzing/Surfaces"),
    room(
        "Bench", "Fleet",
        [
            "SextantUnits", "SextantUplink", "CSextantLinux", "CMosquitto", "UplinkService", "Pictures", "Emulation",
        ]),
    command("Bench", "sextant-fleet", ["Fleet", argumentParser]),
    .target(name: "AllocationCounter", path: "Sources/Bench/AllocationCounter", cSettings: threadingInC),
    .executableTarget(
        name: "sextant-benchmark",
        dependencies: [
            "SextantUnits", "GNSS", "Epochs", "Receivers", "Power", "SextantJSON", "Fusion", "Beacons", "Monitors",
            "Magnetism", "ClientProtocol", "GPSDProtocol", "Parts", "Access", "Engine", "SextantPlaces", "Hardware",
            "Magnetometers", "Accelerometers", "SextantSQLite", "SextantReactor", "Programs",
            "PlaceTable", "Emulation", "Simulation", "AllocationCounter", argumentParser,
        ],
        path: "Sources/Bench/Benchmarks", exclude: readmes(in: "Sources/Bench/Benchmarks"), swiftSettings: settings),
    command(
        "Bench", "in-process-example",
        [
            "Configuration", "Tracker", "CoreLocation",
        ], in: "TestPrograms/in-process-example"),
    command("Bench", "location-probe", ["CoreLocation"], in: "TestPrograms/location-probe"),
    command(
        "Bench", "page-board",
        [
            "SextantUnits", "Receivers", "SextantReactor", "Emulation", "BenchControl", "HardwareInLoop",
            argumentParser,
        ], in: "TestPrograms/page-board"),
    command(
        "Bench", "sextant-fuzz", ["SextantReactor", "Programs", "Fuzzing", argumentParser], in: "Fuzzing/sextant-fuzz"),
    command("Bench", "sextant-hil", ["HardwareInLoop", argumentParser]),
    command(
        "Bench", "sextantd-bench",
        [
            "SextantUnits", "ClientVocabulary", "ClientProtocol", "Boards", "SextantReactor", "SextantSockets",
            "Configuration", "Tracker",
            "BenchControl", argumentParser, logging,
        ]),
    command("Bench", "store-writer", ["Store"], in: "TestPrograms/store-writer"),
    command(
        "Bench", "virtual-year",
        [
            "SextantUnits", "Receivers", "SextantJSON", "SextantReactor", "SextantSockets", "Emulation", "BenchControl",
            "HardwareInLoop",
            argumentParser,
        ], in: "TestPrograms/virtual-year"),
]

let tools: [Target] = [
    command(
        "Tools", "sextant",
        [
            "HostSwitches",
            "SextantUnits", "GNSS", "Epochs", "Receivers", "Power", "HostSleep", "SextantJSON", "ClientVocabulary",
            "Beacons", "Fusion",
            "Monitors", "Magnetism", "ClientProtocol", "GPSDProtocol", "MetricsText", "Parts", "Engine",
            "Magnetometers", "Boards",
            "CSextantLinux", "SextantReactor", "Programs", "SextantSockets", "Configuration", "Doctor", "DaemonClient",
            "Pictures",
            "TimeService", "Emulation",
            "Simulation", "SextantPlaces", "PlaceTable", "GeocoderClient", argumentParser,
        ]),
    command(
        "Tools", "sextant-geocoder",
        [
            "ClientVocabulary", "CSextantLinux", "SextantReactor", "Programs", "SextantSockets", "Configuration",
            "Geocoder",
        ]),
    command(
        "Tools", "sextant-host",
        [
            "LinuxHardware", "HostSwitches", "Hardware", "ClientVocabulary", "HostSleep", "HostHelper",
            "SextantReactor", "Programs",
        ]),
    command(
        "Tools", "sextant-uplink",
        ["ClientVocabulary", "SextantReactor", "Programs", "DaemonClient", "UplinkService"]),
    command(
        "Tools", "sextant-page",
        ["ClientVocabulary", "CSextantLinux", "SextantReactor", "Programs", "DaemonClient", "Page"]),
    command(
        "Tools", "sextantd",
        [
            "SextantUnits", "ClientVocabulary", "ClientProtocol", "Boards", "SextantReactor", "Programs",
            "LinuxHardware",
            "SextantSockets", "Configuration", "Tracker", logging,
        ]),
]

let testTargets: [Target] = [
    // What tests of several rooms share: waiting for a state, and running a program.
    .target(
        name: "TestSupport", dependencies: ["SextantUnits", "SextantReactor", "SanitizedMutex"],
        path: "Tests/TestSupport", swiftSettings: settings),
    // What tests of the Engine's parts share: a turn, what clients may see, and events.
    .target(
        name: "PartsTestSupport",
        dependencies: ["SextantUnits", "GNSS", "SextantJSON", "ClientVocabulary", "ClientProtocol", "Parts", "Access"],
        path: "Tests/PartsTestSupport", swiftSettings: settings),
    // What the thread sanitizer must know of Swift's Mutex; nothing in other builds.
    .target(
        name: "SanitizedMutex", path: "Tests/SanitizedMutex", publicHeadersPath: ".",
        cSettings: threadingInC),
    tests(
        "Access",
        ["SextantUnits", "ClientVocabulary", "ClientProtocol", "Parts", "Access", "PartsTestSupport"]),
    tests("Accelerometers", ["Hardware", "Accelerometers", "Emulation"]),
    tests("Beacons", ["SextantUnits", "Beacons", "Emulation"]),
    tests(
        "BenchControl",
        [
            "SextantUnits", "Receivers", "Magnetism", "Hardware", "Magnetometers", "Accelerometers", "Boards",
            "SextantReactor",
            "Engine", "Tracker", "Emulation", "BenchControl",
        ]),
    tests(
        "Boards",
        [
            "SextantUnits", "Receivers", "Magnetism", "Hardware", "Magnetometers", "Accelerometers", "Boards",
            "Emulation",
            "AllocationCounter",
        ]),
    tests(
        "ClientProtocol",
        [
            "SextantUnits", "GNSS", "Receivers", "Power", "SextantJSON", "ClientVocabulary", "Monitors", "Magnetism",
            "ClientProtocol",
        ]),
    tests(
        "Configuration",
        [
            "SextantUnits", "Receivers", "HostSleep", "SextantJSON", "ClientVocabulary", "Beacons", "Monitors",
            "Magnetism", "Parts", "Access",
            "Hardware",
            "Magnetometers",
            "Accelerometers",
            "HostSwitches", "Boards", "SextantReactor", "SextantSockets", "Configuration", "TestSupport", "TimeService",
        ]),
    tests(
        "CoreLocation",
        [
            "CSextantLinux", "SextantReactor", "SextantSockets", "SextantPlaces", "PlaceTable", "GeocoderClient",
            "ClientVocabulary", "DaemonClient", "CoreLocation", "TestSupport",
        ]),
    // A client as others write it: with the compiler's own settings, and outside the package.
    .testTarget(
        name: "CoreLocationExampleTests", dependencies: ["CoreLocation"], path: "Tests/CoreLocationExampleTests",
        packageAccess: false),
    tests(
        "DaemonClient",
        [
            "SextantUnits", "SextantJSON", "ClientVocabulary", "SextantReactor", "SextantSockets", "DaemonClient",
            "TestSupport",
        ]),
    tests(
        "Delivery",
        [
            "SextantUnits", "GNSS", "Power", "ClientVocabulary", "Parts", "Access", "Delivery", "PartsTestSupport",
        ]),
    tests(
        "Doctor",
        [
            "HostSleep", "HostSwitches", "Receivers", "Beacons", "Magnetism", "Hardware", "Magnetometers",
            "Accelerometers", "Boards",
            "Doctor",
        ]),
    tests("Emulation", ["SextantUnits", "GNSS", "NMEA0183", "UBX", "Epochs", "Receivers", "Hardware", "Emulation"]),
    // The programs that these run stand beside the bundle, where `swift build --build-tests` makes them, or in
    // SEXTANT_PROGRAMS.
    tests(
        "EndToEnd",
        [
            "SextantUnits", "GNSS", "Receivers", "Magnetism", "Hardware", "Store", "Emulation", "BenchControl",
            "Simulation",
            "TestSupport",
        ]),
    tests(
        "Engine",
        [
            "SextantUnits", "GNSS", "NMEA0183", "Receivers", "Power", "HostSleep", "SextantJSON", "Fusion", "Beacons",
            "Monitors", "Magnetism",
            "ClientVocabulary", "ClientProtocol", "GPSDProtocol", "MetricsText", "Parts", "Access", "Outbox",
            "Monitoring", "Delivery", "Engine", "Emulation",
            "TimeService", "AllocationCounter", "PartsTestSupport",
        ]),
    tests(
        "Epochs",
        ["SextantUnits", "GNSS", "NMEA0183", "UBX", "Epochs", "SextantJSON", "ClientVocabulary", "ClientProtocol"]),
    tests("Fleet", ["SextantUnits", "SextantUplink", "Fleet"]),
    tests("Fusion", ["SextantUnits", "GNSS", "Fusion"]),
    tests(
        "Geocoder",
        [
            "SextantUnits", "Access", "SextantPlaces", "PlaceTable", "SextantSQLite", "SextantReactor",
            "SextantSockets", "Configuration",
            "GeocoderClient", "Geocoder",
        ]),
    tests(
        "GPSDProtocol", ["SextantUnits", "GNSS", "NMEA0183", "UBX", "Epochs", "SextantJSON", "GPSDProtocol"]),
    tests("Hardware", ["Hardware"]),
    tests(
        "HostHelper",
        ["SextantUnits", "HostSleep", "Hardware", "HostSwitches", "HostHelper", "Emulation", "TestSupport"]),
    tests(
        "HardwareInLoop", ["SextantUnits", "Receivers", "HostSleep", "SextantReactor", "Emulation", "HardwareInLoop"]),
    tests("HostSleep", ["SextantUnits", "HostSleep", "Emulation"]),
    tests("HostSwitches", ["SextantUnits", "HostSleep", "Hardware", "HostSwitches", "Emulation"]),
    tests("TimeService", ["SextantUnits", "GNSS", "TimeService", "AllocationCounter"]),
    tests("Uplink", ["SextantUnits", "SextantJSON", "SextantUplink"]),
    tests("JSON", ["SextantUnits", "SextantJSON"]),
    tests(
        "LinuxHardware",
        [
            "SextantUnits", "Hardware", "CGPIOD", "SextantReactor", "Programs", "LinuxHardware", "Emulation",
            "TestSupport",
        ]),
    tests("Magnetism", ["SextantUnits", "Magnetism", "AllocationCounter"]),
    tests("Magnetometers", ["Hardware", "Magnetometers", "Emulation"]),
    tests(
        "Monitoring",
        [
            "SextantUnits", "GNSS", "Power", "SextantJSON", "ClientVocabulary", "Fusion", "Monitors", "ClientProtocol",
            "Parts", "Access", "Monitoring", "PartsTestSupport",
        ]),
    tests(
        "Monitors",
        ["SextantUnits", "GNSS", "Fusion", "Beacons", "Monitors", "Emulation", "Simulation", "AllocationCounter"]),
    tests("NMEA0183", ["SextantUnits", "GNSS", "NMEA0183"]),
    tests(
        "Outbox",
        [
            "SextantUnits", "GNSS", "ClientVocabulary", "ClientProtocol", "Parts", "Access", "Outbox",
            "PartsTestSupport",
        ]),
    tests("Page", ["CSextantSQLite", "PlaceTable", "DaemonClient", "Page"]),
    tests("Pictures", ["SextantUnits", "Fusion", "Monitors", "Magnetism", "Pictures"]),
    tests("PlaceTable", ["SextantPlaces", "PlaceTable", "CSextantSQLite"]),
    tests(
        "Parts",
        [
            "SextantUnits", "GNSS", "Power", "Monitors", "ClientVocabulary", "ClientProtocol", "Parts", "Access",
            "Monitoring", "PartsTestSupport",
        ]),
    tests("Places", ["SextantUnits", "SextantPlaces"]),
    tests("Power", ["SextantUnits", "GNSS", "Receivers", "Power", "AllocationCounter"]),
    tests("Programs", ["SextantReactor", "Programs", "TestSupport"]),
    tests("Reactor", ["SextantUnits", "SextantReactor", "TestSupport"]),
    tests("Receivers", ["SextantUnits", "NMEA0183", "UBX", "Epochs", "Receivers"]),
    tests(
        "Simulation",
        [
            "HostSleep", "HostSwitches", "SextantUnits", "Receivers", "SextantJSON", "Magnetism", "Engine", "Boards",
            "Emulation", "Simulation",
            "TestSupport",
        ]),
    tests("Sockets", ["SextantUnits", "CSextantLinux", "SextantReactor", "SextantSockets", "TestSupport"]),
    tests("Store", ["SextantUnits", "SextantReactor", "Store", "TestSupport"]),
    tests(
        "Tracker",
        [
            "HostSleep", "HostSwitches", "SextantUnits", "GNSS", "NMEA0183", "Receivers", "Power", "SextantJSON",
            "Beacons", "Magnetism",
            "ClientProtocol",
            "Parts", "Access", "Engine", "Hardware", "Magnetometers", "Accelerometers", "Boards", "SextantReactor",
            "Programs",
            "LinuxHardware",
            "SextantSockets", "Configuration", "Store", "Tracker", "Emulation", "AllocationCounter", logging,
            "TestSupport", "TimeService",
        ]),
    tests("UBX", ["SextantUnits", "GNSS", "UBX"]),
    tests("Units", ["SextantUnits", "TestSupport"]),
    tests(
        "UplinkService",
        [
            "SextantUnits", "SextantJSON", "SextantUplink", "CZlib", "SextantReactor", "SextantSQLite",
            "SextantSockets", "Configuration", "DaemonClient", "UplinkService", "TestSupport",
        ]),
]

let rooms = core + drivers + linux + service + client

/// The names of a room and of all that it stands on.
func house(under name: String, in rooms: [Target]) -> Set<String> {
    let below = rooms.first { $0.name == name }?.dependencies ?? []
    return below.reduce(into: [name]) { names, dependency in
        if case .byNameItem(let name, _) = dependency { names.formUnion(house(under: name, in: rooms)) }
    }
}

/// Whether SwiftPM has checked this out for another package, beside its folder of repositories, or only reads this file in
/// one, at "/".
let isDependency =
    Context.packageDirectory == "/"
    || FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/../../repositories")

let ofClient = house(under: "CoreLocation", in: rooms)

// What other packages get, by its URL: neither the daemon's modules nor the commands' packages come along.
let package = Package(
    name: "sextant",
    products: [
        .library(name: "CoreLocation", targets: ["CoreLocation"]),
        .library(name: "DaemonClient", targets: ["DaemonClient"]),
    ],
    traits: [
        .trait(name: "Geocoding", description: "CLGeocoder reads tables of places, which needs libsqlite3-dev.")
    ],
    targets: rooms.filter { ofClient.contains($0.name) },
    swiftLanguageModes: [.v6]
)

// All of it, in a checkout of its own.
if !isDependency {
    package.traits.insert(.default(enabledTraits: ["Geocoding"]))
    package.products += [
        .executable(name: "sextantd", targets: ["sextantd"]),
        .executable(name: "sextant", targets: ["sextant"]),
        .executable(name: "sextant-page", targets: ["sextant-page"]),
        .executable(name: "sextant-geocoder", targets: ["sextant-geocoder"]),
        .executable(name: "sextant-host", targets: ["sextant-host"]),
        .executable(name: "sextant-uplink", targets: ["sextant-uplink"]),
        .library(name: "InProcessTracker", targets: ["Tracker", "Configuration"]),
    ]
    package.dependencies = [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    ]
    package.targets = rooms + bench + tools + testTargets
}

// The archive links libFuzzer without its own main function; `settings` instruments every room for it.
if let archive = libFuzzer {
    package.targets.append(
        .executableTarget(
            name: "sextant-libfuzzer", dependencies: ["Fuzzing"], path: "Sources/Bench/Fuzzing/libfuzzer",
            swiftSettings: settings,
            linkerSettings: [.unsafeFlags([archive]), .linkedLibrary("stdc++")]))
}

/// The targets that a target stands on, directly or through others, as its dependencies.
///
/// One that is reached only through a dependency with a condition gets this condition.
func everything(under target: Target, in targets: [String: Target]) -> [Target.Dependency] {
    var found: [String: TargetDependencyCondition?] = [:]
    func add(_ dependencies: [Target.Dependency], _ condition: TargetDependencyCondition?) {
        for case .byNameItem(let name, let own) in dependencies {
            let condition = own ?? condition
            if let known = found[name], known == nil || condition != nil { continue }
            found[name] = .some(condition)
            add(targets[name]?.dependencies ?? [], condition)
        }
    }
    add(target.dependencies, nil)
    return found.sorted { $0.key < $1.key }.map { .byNameItem(name: $0, condition: $1) }
}

// SwiftPM compiles a target anew only where a module changed that it names. But the size of a struct comes from modules
// farther down too: with the nearest ones alone, a program built after a new stored property kept the struct's old size,
// and wrote over its own memory (Swift 6.3.1).
let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
let dependencies = targets.mapValues { everything(under: $0, in: targets) }
for target in package.targets {
    target.dependencies.removeAll { if case .byNameItem = $0 { true } else { false } }
    target.dependencies += dependencies[target.name] ?? []
}
