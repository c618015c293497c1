// swift-tools-version: 6.2

import Foundation
import PackageDescription

/// The toolchain's `libclang_rt.fuzzer_no_main` archive, where coverage-guided fuzzing is asked for:
/// `SEXTANT_LIBFUZZER=… swift build -c release --product sextant-libfuzzer`.
let libFuzzer = Context.environment["SEXTANT_LIBFUZZER"]

let instrumentation: [SwiftSetting] = libFuzzer == nil ? [] : [.unsafeFlags(["-sanitize=fuzzer"])]

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

/// The READMEs in a folder, which are for people; SwiftPM warns of a file that it does not know.
func readmes(in path: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: "\(Context.packageDirectory)/\(path)")
    return (all?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix("README.md") }.sorted()
}

/// A room of the house: its folder is `Sources/<layer>/<name>` unless named, and its arrows are its dependencies.
func room(
    _ layer: String, _ name: String, _ dependencies: [Target.Dependency] = [], linking libraries: [String] = [],
    in folder: String? = nil, leavingOut others: [String] = []
) -> Target {
    let path = "Sources/\(layer)/\(folder ?? name)"
    return .target(
        name: name, dependencies: dependencies, path: path, exclude: readmes(in: path) + others,
        swiftSettings: settings,
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// A command: options, exit codes and printing.
func command(
    _ layer: String, _ name: String, _ dependencies: [Target.Dependency], in folder: String? = nil
) -> Target {
    let path = "Sources/\(layer)/\(folder ?? name)"
    return .executableTarget(
        name: name, dependencies: dependencies, path: path, exclude: readmes(in: path), swiftSettings: settings)
}

/// The tests of one room, in `Tests/<name>Tests`.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    let path = "Tests/\(name)Tests"
    return .testTarget(
        name: "\(name)Tests", dependencies: dependencies, path: path, exclude: readmes(in: path),
        swiftSettings: settings)
}

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

let core: [Target] = [
    // Rounding a Double is a call into libm where the processor has no instruction for it.
    room("Core", "Units", linking: ["m"]),
    room("Core", "GNSS", ["Units"]),
    room("Core", "NMEA0183", ["Units", "GNSS"]),
    room("Core", "UBX", ["Units", "GNSS"]),
    room("Core", "Epochs", ["Units", "GNSS", "NMEA0183", "UBX"]),
    room("Core", "Receivers", ["Units", "NMEA0183", "UBX", "Epochs"]),
    room("Core", "Power", ["Units", "GNSS", "Receivers"]),
    room("Core", "JSON", ["Units"]),
    room("Core", "ClientVocabulary"),
    room("Core", "Places", ["Units", "JSON"]),
    room("Core", "Fusion", ["Units", "GNSS"]),
    room("Core", "Beacons", ["Units"]),
    room("Core", "Monitors", ["Units", "GNSS", "Fusion", "Beacons"]),
    room("Core", "Magnetism", ["Units"]),
    room(
        "Core", "ClientProtocol",
        ["Units", "GNSS", "Power", "JSON", "ClientVocabulary", "Beacons", "Monitors", "Magnetism"]),
    room("Core", "GPSDProtocol", ["Units", "GNSS", "JSON", "Magnetism"]),
    room("Core", "MetricsText", ["Units", "JSON"]),
    room(
        "Core", "Sessions",
        [
            "Units", "GNSS", "Power", "Fusion", "Beacons", "Monitors", "Magnetism", "ClientProtocol", "GPSDProtocol",
        ]),
    room(
        "Core", "Engine",
        [
            "Units", "GNSS", "NMEA0183", "UBX", "Epochs", "Receivers", "Power", "JSON", "ClientVocabulary", "Fusion",
            "Beacons", "Monitors", "Magnetism", "ClientProtocol", "GPSDProtocol", "Sessions",
        ]),
]

let drivers: [Target] = [
    room("Drivers", "Hardware", ["Units"]),
    room("Drivers", "Magnetometers", ["Hardware"]),
    room("Drivers", "Accelerometers", ["Hardware"]),
    room(
        "Drivers", "Boards",
        ["Units", "Receivers", "Beacons", "Magnetism", "Hardware", "Magnetometers", "Accelerometers"]),
]

let linux: [Target] = [
    room("Linux", "CLinux"),
    room("Linux", "CGPIOD", linking: ["gpiod"]),
    room("Linux", "CCurl", linking: ["curl"]),
    room("Linux", "CI2C", linking: ["i2c"]),
    room("Linux", "CMicroHTTPD", linking: ["microhttpd"]),
    room("Linux", "CSQLite", linking: ["sqlite3"]),
    room("Linux", "Reactor", ["Units", "CLinux"]),
    room("Linux", "LinuxHardware", ["Units", "Beacons", "Hardware", "CLinux", "CGPIOD", "CI2C", "Reactor"]),
    room("Linux", "Sockets", ["Units", "JSON", "CLinux", "Reactor"]),
    room(
        "Linux", "Configuration",
        [
            "Units", "Receivers", "JSON", "ClientVocabulary", "Beacons", "Monitors", "Magnetism", "ClientProtocol",
            "Sessions", "Hardware", "Magnetometers", "Accelerometers", "Boards", "Reactor", "Sockets",
        ]),
    room("Linux", "Store", ["Units", "CLinux", "CSQLite", "Reactor"]),
    room("Linux", "PlaceTable", ["Units", "Places", "CSQLite"]),
    room(
        "Linux", "Doctor",
        [
            "Receivers", "Beacons", "Hardware", "Magnetometers", "Accelerometers", "Boards", "CLinux", "Reactor",
            "LinuxHardware", "Configuration", "Store",
        ]),
]

let service: [Target] = [
    room(
        "Service", "Tracker",
        [
            "Units", "Receivers", "JSON", "Beacons", "Monitors", "Magnetism", "ClientProtocol", "GPSDProtocol",
            "Sessions", "Engine", "Hardware", "Magnetometers", "Accelerometers", "Boards", "Reactor", "LinuxHardware",
            "Sockets", "Configuration", "Store", "Doctor", logging,
        ]),
    room(
        "Service", "Geocoder",
        [
            "Units", "JSON", "ClientVocabulary", "Places", "Sessions", "CLinux", "CCurl", "CSQLite", "Reactor",
            "Sockets", "Configuration",
        ]),
    room(
        "Service", "Page",
        [
            "Units", "JSON", "ClientVocabulary", "MetricsText", "CLinux", "CMicroHTTPD", "CSQLite", "Reactor",
            "Sockets", "DaemonClient",
        ], leavingOut: ["web", "picture.png"]),
]

let client: [Target] = [
    room("Client", "GeocoderClient", ["Units", "Places", "PlaceTable", "Reactor", "Sockets"]),
    room("Client", "DaemonClient", ["Units", "JSON", "ClientVocabulary", "CLinux", "Reactor", "Sockets"]),
    room("Client", "CoreLocationHeaders"),
    room(
        "Client", "CoreLocation",
        [
            "Units", "ClientVocabulary", "Places", "PlaceTable", "GeocoderClient", "DaemonClient",
            "CoreLocationHeaders",
        ]),
]

let bench: [Target] = [
    room("Bench", "Pictures", ["Units", "Fusion", "Monitors", "Magnetism"]),
    room(
        "Bench", "Emulation",
        [
            "Units", "GNSS", "NMEA0183", "UBX", "Epochs", "Receivers", "Hardware", "Reactor", "LinuxHardware",
            "Sockets",
        ]),
    room(
        "Bench", "BenchControl",
        [
            "Units", "Receivers", "ClientProtocol", "Hardware", "Boards", "Reactor", "Sockets", "Tracker", "Emulation",
        ]),
    room(
        "Bench", "HardwareInLoop",
        [
            "Units", "Receivers", "JSON", "Hardware", "Reactor", "LinuxHardware", "Sockets", "Pictures", "Emulation",
        ]),
    room(
        "Bench", "Simulation",
        [
            "Units", "Receivers", "JSON", "Beacons", "Monitors", "Magnetism", "ClientProtocol", "Sessions", "Engine",
            "Boards", "Sockets", "Pictures", "Emulation",
        ]),
    room(
        "Bench", "Fuzzing",
        [
            "Units", "GNSS", "NMEA0183", "UBX", "Epochs", "JSON", "ClientVocabulary", "Beacons", "ClientProtocol",
            "GPSDProtocol", "Places", "PlaceTable",
        ], in: "Fuzzing/Surfaces"),
    .target(name: "AllocationCounter", path: "Sources/Bench/AllocationCounter"),
    .executableTarget(
        name: "sextant-benchmark",
        dependencies: [
            "Units", "GNSS", "Epochs", "Receivers", "Power", "JSON", "Fusion", "Monitors", "Magnetism",
            "ClientProtocol", "GPSDProtocol", "Sessions", "Engine", "Places", "Hardware", "Magnetometers",
            "Accelerometers", "CSQLite",
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
            "Units", "Receivers", "Reactor", "Emulation", "BenchControl", "HardwareInLoop", argumentParser,
        ], in: "TestPrograms/page-board"),
    command("Bench", "sextant-fuzz", ["Fuzzing", argumentParser], in: "Fuzzing/sextant-fuzz"),
    command("Bench", "sextant-hil", ["HardwareInLoop", argumentParser]),
    command(
        "Bench", "sextantd-bench",
        [
            "Units", "ClientVocabulary", "ClientProtocol", "Boards", "Reactor", "Sockets", "Configuration", "Tracker",
            "BenchControl", argumentParser, logging,
        ]),
    command("Bench", "store-writer", ["Store"], in: "TestPrograms/store-writer"),
    command(
        "Bench", "virtual-year",
        [
            "Units", "Receivers", "JSON", "Reactor", "Sockets", "Emulation", "BenchControl", "HardwareInLoop",
            argumentParser,
        ], in: "TestPrograms/virtual-year"),
]

let tools: [Target] = [
    command(
        "Tools", "sextant",
        [
            "Units", "GNSS", "Epochs", "Receivers", "Power", "JSON", "ClientVocabulary", "Beacons", "Fusion",
            "Monitors", "Magnetism", "ClientProtocol", "GPSDProtocol", "MetricsText", "Sessions", "Engine",
            "Magnetometers", "Boards",
            "CLinux", "Reactor", "Sockets", "Configuration", "Doctor", "DaemonClient", "Pictures", "Emulation",
            "Simulation", "Places", "PlaceTable", "GeocoderClient", argumentParser,
        ]),
    command(
        "Tools", "sextant-geocoder", ["ClientVocabulary", "CLinux", "Reactor", "Sockets", "Configuration", "Geocoder"]),
    command("Tools", "sextant-page", ["ClientVocabulary", "CLinux", "Reactor", "DaemonClient", "Page"]),
    command(
        "Tools", "sextantd",
        [
            "ClientVocabulary", "ClientProtocol", "Boards", "Reactor", "LinuxHardware", "Sockets", "Configuration",
            "Tracker", logging,
        ]),
]

let testTargets: [Target] = [
    // What tests of several rooms share: waiting for a state, and running a program.
    .target(
        name: "TestSupport", dependencies: ["Units", "Reactor"], path: "Tests/TestSupport", swiftSettings: settings),
    tests("Accelerometers", ["Hardware", "Accelerometers", "Emulation"]),
    tests("Beacons", ["Units", "Beacons", "Emulation"]),
    tests(
        "BenchControl",
        [
            "Units", "Receivers", "Magnetism", "Hardware", "Magnetometers", "Accelerometers", "Boards", "Reactor",
            "Tracker", "Emulation", "BenchControl",
        ]),
    tests(
        "Boards",
        [
            "Units", "Receivers", "Magnetism", "Hardware", "Magnetometers", "Accelerometers", "Boards", "Emulation",
            "AllocationCounter",
        ]),
    tests(
        "ClientProtocol",
        [
            "Units", "GNSS", "Receivers", "Power", "JSON", "ClientVocabulary", "Monitors", "Magnetism",
            "ClientProtocol",
        ]),
    tests(
        "Configuration",
        [
            "Units", "Receivers", "JSON", "Beacons", "Monitors", "Magnetism", "Sessions", "Hardware", "Magnetometers",
            "Accelerometers", "Boards", "Reactor", "Sockets", "Configuration", "TestSupport",
        ]),
    tests(
        "CoreLocation",
        [
            "CLinux", "Reactor", "Sockets", "Places", "PlaceTable", "GeocoderClient", "CoreLocation", "TestSupport",
        ]),
    // A client as others write it: with the compiler's own settings, and outside the package.
    .testTarget(
        name: "CoreLocationExampleTests", dependencies: ["CoreLocation"], path: "Tests/CoreLocationExampleTests",
        packageAccess: false),
    tests("DaemonClient", ["Units", "JSON", "ClientVocabulary", "Reactor", "Sockets", "DaemonClient"]),
    tests(
        "Doctor",
        ["Receivers", "Beacons", "Magnetism", "Hardware", "Magnetometers", "Accelerometers", "Boards", "Doctor"]),
    tests("Emulation", ["Units", "GNSS", "NMEA0183", "UBX", "Epochs", "Receivers", "Hardware", "Emulation"]),
    // The programs that these run stand beside the bundle, where `swift build --build-tests` makes them, or in
    // SEXTANT_PROGRAMS.
    tests(
        "EndToEnd",
        [
            "Units", "GNSS", "Receivers", "Magnetism", "Hardware", "Store", "Emulation", "BenchControl", "Simulation",
            "TestSupport",
        ]),
    tests(
        "Engine",
        [
            "Units", "GNSS", "NMEA0183", "Receivers", "Power", "JSON", "Fusion", "Beacons", "Monitors", "Magnetism",
            "ClientProtocol", "GPSDProtocol", "MetricsText", "Sessions", "Engine", "Emulation",
        ]),
    tests("Epochs", ["Units", "GNSS", "NMEA0183", "UBX", "Epochs", "JSON", "ClientVocabulary", "ClientProtocol"]),
    tests("Fusion", ["Units", "GNSS", "Fusion"]),
    tests(
        "Geocoder",
        [
            "Units", "Sessions", "Places", "PlaceTable", "CSQLite", "Reactor", "Sockets", "Configuration",
            "GeocoderClient", "Geocoder",
        ]),
    tests("GPSDProtocol", ["Units", "GNSS", "JSON", "GPSDProtocol"]),
    tests("Hardware", ["Hardware"]),
    tests("HardwareInLoop", ["Units", "Receivers", "Reactor", "Emulation", "HardwareInLoop"]),
    tests("JSON", ["Units", "JSON"]),
    tests("LinuxHardware", ["Units", "Hardware", "CGPIOD", "Reactor", "LinuxHardware", "TestSupport"]),
    tests("Magnetism", ["Units", "Magnetism", "AllocationCounter"]),
    tests("Magnetometers", ["Hardware", "Magnetometers", "Emulation"]),
    tests(
        "Monitors",
        ["Units", "GNSS", "Fusion", "Beacons", "Monitors", "Emulation", "Simulation", "AllocationCounter"]),
    tests("NMEA0183", ["Units", "GNSS", "NMEA0183"]),
    tests("Page", ["CSQLite", "Page"]),
    tests("Pictures", ["Units", "Fusion", "Monitors", "Magnetism", "Pictures"]),
    tests("PlaceTable", ["Places", "PlaceTable", "CSQLite"]),
    tests("Places", ["Units", "Places"]),
    tests("Power", ["Units", "GNSS", "Receivers", "Power"]),
    tests("Reactor", ["Units", "Reactor", "TestSupport"]),
    tests("Receivers", ["Units", "NMEA0183", "UBX", "Epochs", "Receivers"]),
    tests("Sessions", ["Units", "GNSS", "Power", "Fusion", "Monitors", "Magnetism", "ClientProtocol", "Sessions"]),
    tests(
        "Simulation",
        ["Units", "Receivers", "JSON", "Magnetism", "Engine", "Boards", "Emulation", "Simulation", "TestSupport"]),
    tests("Sockets", ["Units", "Reactor", "Sockets", "TestSupport"]),
    tests("Store", ["Units", "Reactor", "Store", "TestSupport"]),
    tests(
        "Tracker",
        [
            "Units", "GNSS", "NMEA0183", "Receivers", "Power", "JSON", "Beacons", "Magnetism", "ClientProtocol",
            "Sessions", "Engine", "Hardware", "Magnetometers", "Accelerometers", "Boards", "Reactor", "LinuxHardware",
            "Sockets", "Configuration", "Store", "Tracker", "Emulation", "AllocationCounter", logging, "TestSupport",
        ]),
    tests("UBX", ["Units", "GNSS", "UBX"]),
    tests("Units", ["Units", "TestSupport"]),
]

let package = Package(
    name: "sextant",
    products: [
        .executable(name: "sextantd", targets: ["sextantd"]),
        .executable(name: "sextant", targets: ["sextant"]),
        .executable(name: "sextant-page", targets: ["sextant-page"]),
        .executable(name: "sextant-geocoder", targets: ["sextant-geocoder"]),
        .library(name: "CoreLocation", targets: ["CoreLocation"]),
        .library(name: "DaemonClient", targets: ["DaemonClient"]),
        .library(name: "InProcessTracker", targets: ["Tracker", "Configuration"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    ],
    targets: core + drivers + linux + service + client + bench + tools + testTargets,
    swiftLanguageModes: [.v6]
)

// The archive links libFuzzer without its own main function; `settings` instruments every room for it.
if let archive = libFuzzer {
    package.targets.append(
        .executableTarget(
            name: "sextant-libfuzzer", dependencies: ["Fuzzing"], path: "Sources/Bench/Fuzzing/libfuzzer",
            swiftSettings: settings,
            linkerSettings: [.unsafeFlags([archive]), .linkedLibrary("stdc++")]))
}
