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

/// A room's README.md is for its readers; SwiftPM warns of a file that it does not know, and of an exclusion in vain.
func readme(in path: String) -> [String] {
    let file = "\(Context.packageDirectory)/\(path)/README.md"
    return FileManager.default.fileExists(atPath: file) ? ["README.md"] : []
}

/// A room of the house: its folder is `Sources/<layer>/<name>`, and its arrows are its dependencies.
func room(
    _ layer: String, _ name: String, _ dependencies: [Target.Dependency] = [], linking libraries: [String] = []
) -> Target {
    let path = "Sources/\(layer)/\(name)"
    return .target(
        name: name, dependencies: dependencies, path: path, exclude: readme(in: path), swiftSettings: settings,
        linkerSettings: libraries.map { .linkedLibrary($0) })
}

/// A command: options, exit codes and printing.
func command(_ layer: String, _ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Sources/\(layer)/\(name)", swiftSettings: settings)
}

/// The tests of one room, in `Tests/<name>Tests`.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    let path = "Tests/\(name)Tests"
    return .testTarget(
        name: "\(name)Tests", dependencies: dependencies, path: path, exclude: readme(in: path),
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
    room("Core", "ReceiverStream", ["NMEA0183", "UBX"]),
    room("Core", "Epochs", ["Units", "GNSS", "NMEA0183", "UBX", "ReceiverStream"]),
    room("Core", "Receivers", ["Units", "NMEA0183", "UBX", "ReceiverStream"]),
    room("Core", "Power", ["Units", "GNSS", "Receivers"]),
    room("Core", "JSONText", ["Units"]),
    room("Core", "CSVText"),
    room("Core", "Fusion", ["Units", "GNSS"]),
    room("Core", "Monitors", ["Units", "GNSS", "Fusion"]),
    room("Core", "Magnetism", ["Units"]),
    room("Core", "Pictures", ["Units", "Fusion", "Monitors", "Magnetism"]),
    room("Core", "ClientProtocol", ["Units", "GNSS", "JSONText", "Power", "Monitors", "Magnetism"]),
    room("Core", "GPSDProtocol", ["Units", "GNSS", "JSONText", "Magnetism"]),
    room(
        "Core", "Sessions",
        ["Units", "GNSS", "GPSDProtocol", "Power", "ClientProtocol", "Fusion", "Monitors", "Magnetism"]),
    room(
        "Core", "Engine",
        [
            "Units", "GNSS", "NMEA0183", "UBX", "ReceiverStream", "Epochs", "Receivers", "JSONText", "ClientProtocol",
            "GPSDProtocol", "Sessions", "Power", "Fusion", "Monitors", "Magnetism",
        ]),
    room(
        "Core", "FlightRecording",
        ["Units", "Power", "Receivers", "Sessions", "ClientProtocol", "Engine", "JSONText", "Monitors", "Magnetism"]),
]

let drivers: [Target] = [
    room("Drivers", "Hardware", ["Units"]),
    room("Drivers", "Magnetometers", ["Hardware"]),
    room("Drivers", "Accelerometers", ["Hardware"]),
    room(
        "Drivers", "CompassUnit", ["Units", "Hardware", "Magnetism", "Magnetometers", "Accelerometers"]),
    room("Drivers", "Boards", ["Hardware", "Receivers", "Magnetism", "Magnetometers", "Accelerometers"]),
    room("Drivers", "Doctor", ["Boards", "Hardware", "Receivers"]),
]

let linux: [Target] = [
    room("Linux", "CLinux"),
    room("Linux", "CGPIOD", linking: ["gpiod"]),
    room("Linux", "CI2C", linking: ["i2c"]),
    room("Linux", "CSQLite", linking: ["sqlite3"]),
    room("Linux", "JSONReading"),
    room(
        "Linux", "BoardReading",
        ["Boards", "Hardware", "JSONReading", "Receivers", "Magnetism", "Magnetometers", "Accelerometers"]),
    room("Linux", "RegionReading", ["JSONReading", "Monitors"]),
    room("Linux", "Reactor", ["Units", "CLinux"]),
    room("Linux", "LinuxHardware", ["Units", "Hardware", "Reactor", "CLinux", "CGPIOD", "CI2C"]),
    room("Linux", "ServiceManager", ["Units", "Reactor", "CLinux"]),
    room(
        "Linux", "HostInspection",
        [
            "Doctor", "Boards", "Hardware", "Reactor", "LinuxHardware", "CLinux", "Magnetometers", "Accelerometers",
        ]),
    room("Linux", "BusWorker", ["Reactor", "CLinux"]),
    room("Linux", "Store", ["Units", "Reactor", "CLinux", "CSQLite"]),
    room(
        "Linux", "LocalSocket",
        ["Units", "Reactor", "CLinux", "ClientProtocol", "JSONReading", "Monitors", "Power", "Magnetism"]),
    room("Linux", "ManifestReading", ["Units", "Sessions", "Reactor", "JSONReading", "LocalSocket"]),
    room("Linux", "WakeFiles", ["JSONText", "Reactor"]),
    room("Linux", "GPSDServer", ["GPSDProtocol", "JSONReading"]),
]

let service: [Target] = [
    room(
        "Service", "Tracker",
        [
            "Units", "Receivers", "ClientProtocol", "GPSDProtocol", "Sessions", "Engine", "FlightRecording", "JSONText",
            "Boards", "Hardware", "Reactor", "LinuxHardware", "JSONReading", "BoardReading", "LocalSocket",
            "GPSDServer", "Store", "ManifestReading", "WakeFiles", "Monitors", "Magnetism", "Magnetometers",
            "Accelerometers", "CompassUnit", "BusWorker", "ServiceManager", "Doctor", "HostInspection", logging,
        ]),
    room("Service", "InProcessTracker", ["Boards", "Reactor", "Tracker", logging]),
]

let client: [Target] = [
    room("Client", "CoreLocationHeaders"),
    room("Client", "CoreLocation", ["Units", "CoreLocationHeaders", "CLinux"]),
]

let bench: [Target] = [
    room(
        "Bench", "Emulation",
        ["Units", "CSVText", "GNSS", "NMEA0183", "UBX", "ReceiverStream", "Receivers", "Hardware"]),
    room(
        "Bench", "EmulatedPort", ["Units", "Receivers", "Emulation", "Reactor", "LinuxHardware", "LocalSocket"]),
    room("Bench", "BenchControl", ["Units", "Receivers", "Reactor", "LocalSocket", "Emulation", "Hardware"]),
    room(
        "Bench", "BenchWiring",
        [
            "Units", "Receivers", "Boards", "ClientProtocol", "Hardware", "Emulation", "Reactor", "Tracker",
            "BenchControl",
        ]),
    command(
        "Bench", "sextantd-bench",
        [
            "Units", "Boards", "ClientProtocol", "JSONReading", "Reactor", "LocalSocket", "Tracker",
            "BenchControl", "BenchWiring", argumentParser, logging,
        ]),
    room(
        "Bench", "HardwareInLoop",
        [
            "Units", "Receivers", "Hardware", "Emulation", "JSONText", "JSONReading", "LocalSocket", "LinuxHardware",
            "Pictures", "Reactor",
        ]),
    command("Bench", "sextant-hil", ["HardwareInLoop", argumentParser]),
    room("Bench", "Evaluation", ["Pictures", "Receivers", "JSONText", "Emulation", "Magnetism"]),
    room(
        "Bench", "Simulation",
        [
            "Units", "Receivers", "JSONText", "ClientProtocol", "Sessions", "Engine", "FlightRecording", "Boards",
            "LocalSocket", "Emulation", "Evaluation",
        ]),
    .executableTarget(
        name: "sextant-power-benchmark",
        dependencies: ["Receivers", "Emulation", "Evaluation", "Simulation", argumentParser],
        path: "Sources/Bench/PowerBenchmark", swiftSettings: settings),
    .executableTarget(
        name: "sextant-monitor-benchmark",
        dependencies: ["Units", "Fusion", "Monitors", "Evaluation", "Emulation", "AllocationCounter", argumentParser],
        path: "Sources/Bench/MonitorBenchmark", swiftSettings: settings),
    .executableTarget(
        name: "sextant-visit-benchmark",
        dependencies: [
            "Units", "Fusion", "Monitors", "Evaluation", "JSONReading", "AllocationCounter", argumentParser,
        ],
        path: "Sources/Bench/VisitBenchmark", swiftSettings: settings),
    .executableTarget(
        name: "sextant-compass-benchmark",
        dependencies: [
            "Evaluation", "Magnetism", "Units", "Emulation", "ClientProtocol", "Engine", "Sessions", "Hardware",
            "Magnetometers", "Accelerometers", "AllocationCounter", argumentParser,
        ],
        path: "Sources/Bench/CompassBenchmark", swiftSettings: settings),
    room(
        "Bench", "Fuzzing",
        ["Units", "GNSS", "NMEA0183", "UBX", "ReceiverStream", "Epochs", "JSONText", "GPSDProtocol", "ClientProtocol"]),
    command("Bench", "sextant-fuzz", ["Fuzzing", argumentParser]),
    command("Bench", "location-probe", ["CoreLocation"]),
    command("Bench", "in-process-example", ["CoreLocation", "InProcessTracker", "Tracker"]),
    command("Bench", "store-writer", ["Store"]),
    .target(name: "AllocationCounter", path: "Sources/Bench/AllocationCounter"),
    .executableTarget(
        name: "sextant-benchmark",
        dependencies: [
            "Units", "GNSS", "ReceiverStream", "Epochs", "JSONText", "GPSDProtocol", "Emulation", "AllocationCounter",
            argumentParser,
        ],
        path: "Sources/Bench/DecodeBenchmark", swiftSettings: settings),
]

let tools: [Target] = [
    command(
        "Tools", "sextantd",
        [
            "Boards", "BoardReading", "ClientProtocol", "JSONReading", "Reactor", "ServiceManager", "Tracker", logging,
        ]),
    command(
        "Tools", "sextant",
        [
            "Units", "GNSS", "ReceiverStream", "Epochs", "JSONText", "CSVText", "Fusion", "GPSDProtocol",
            "ClientProtocol", "Sessions", "Engine", "FlightRecording", "Power", "Monitors", "Magnetism", "Pictures",
            "CLinux", "Reactor", "JSONReading", "RegionReading", "LocalSocket", "Receivers", "Tracker", "Emulation",
            "EmulatedPort", "Boards", "BoardReading", "Magnetometers", "Evaluation", "Simulation", "Doctor",
            "HostInspection",
            argumentParser,
        ]),
]

let testTargets: [Target] = [
    tests("Units", ["Units"]),
    tests("NMEA0183", ["NMEA0183", "GNSS", "Units"]),
    tests("UBX", ["UBX", "GNSS", "Units"]),
    tests("ReceiverStream", ["ReceiverStream", "NMEA0183", "UBX"]),
    tests(
        "Epochs", ["Epochs", "GNSS", "NMEA0183", "UBX", "Units", "ReceiverStream", "ClientProtocol", "JSONText"]),
    tests("JSONText", ["JSONText", "Units"]),
    tests("CSVText", ["CSVText"]),
    tests("Pictures", ["Pictures", "Fusion", "Magnetism", "Monitors", "Units"]),
    tests("GPSDProtocol", ["GPSDProtocol", "GNSS", "JSONText", "Units"]),
    tests(
        "ClientProtocol",
        ["ClientProtocol", "GNSS", "JSONText", "Magnetism", "Monitors", "Power", "Receivers", "Units"]),
    tests("Reactor", ["Reactor", "Units"]),
    tests("Hardware", ["Hardware"]),
    tests("Magnetometers", ["Magnetometers", "Hardware", "Emulation"]),
    tests("Accelerometers", ["Accelerometers", "Hardware", "Emulation"]),
    tests(
        "CompassUnit",
        [
            "CompassUnit", "Accelerometers", "Magnetometers", "Magnetism", "Hardware", "Units", "Emulation",
            "AllocationCounter",
        ]),
    tests("LinuxHardware", ["LinuxHardware", "CGPIOD", "Hardware", "Reactor", "Units"]),
    tests("ServiceManager", ["ServiceManager", "Reactor", "Units"]),
    tests("BusWorker", ["BusWorker", "Reactor", "Units"]),
    tests("BenchControl", ["BenchControl", "Emulation", "Hardware", "Receivers", "Units"]),
    tests(
        "BenchWiring",
        [
            "BenchWiring", "BenchControl", "Accelerometers", "Boards", "Emulation", "Hardware", "Magnetism",
            "Magnetometers", "Reactor", "Receivers", "Tracker", "Units",
        ]),
    tests(
        "EndToEnd",
        [
            "sextantd", "sextant", "sextantd-bench", "location-probe", "in-process-example", "BenchControl",
            "Emulation", "Evaluation", "GNSS", "Hardware", "Magnetism", "Receivers", "Store", "Units",
        ]),
    tests("Store", ["Store", "Reactor", "Units", "store-writer"]),
    tests("LocalSocket", ["LocalSocket", "ClientProtocol", "Magnetism", "Monitors", "Power", "Reactor", "Units"]),
    tests(
        "ManifestReading", ["ManifestReading", "JSONReading", "LocalSocket", "Reactor", "Sessions", "Units"]),
    tests("WakeFiles", ["WakeFiles"]),
    tests("Sessions", ["Sessions", "ClientProtocol", "Fusion", "Magnetism", "Monitors", "Power", "GNSS", "Units"]),
    tests("Fusion", ["Fusion", "GNSS", "Units", "AllocationCounter"]),
    tests("Magnetism", ["Magnetism", "Units", "AllocationCounter"]),
    tests("Monitors", ["Monitors", "Fusion", "GNSS", "Evaluation", "AllocationCounter", "Units"]),
    tests("Emulation", ["Emulation", "CSVText", "GNSS", "NMEA0183", "Receivers", "ReceiverStream", "UBX", "Units"]),
    tests("HardwareInLoop", ["HardwareInLoop", "Emulation", "Reactor", "Receivers", "Units"]),
    tests("Power", ["Power", "GNSS", "Receivers", "Units", "AllocationCounter"]),
    tests("Receivers", ["Receivers", "NMEA0183", "ReceiverStream", "UBX", "Units"]),
    tests("Evaluation", ["Evaluation", "Emulation", "JSONText", "Magnetism", "Receivers", "Units"]),
    tests(
        "Simulation",
        ["Simulation", "Boards", "Emulation", "Evaluation", "FlightRecording", "JSONText", "Receivers", "Units"]),
    tests(
        "Engine",
        [
            "Engine", "ClientProtocol", "Emulation", "GPSDProtocol", "JSONText", "Magnetism", "Monitors", "NMEA0183",
            "Power", "Receivers", "Sessions", "Units", "AllocationCounter",
        ]),
    tests(
        "FlightRecording",
        ["FlightRecording", "Engine", "JSONText", "Magnetism", "Power", "Receivers", "Sessions", "Units"]),
    tests("GPSDServer", ["GPSDServer", "GPSDProtocol"]),
    tests("Boards", ["Boards", "Hardware", "Receivers"]),
    tests(
        "BoardReading",
        [
            "BoardReading", "Boards", "Accelerometers", "Hardware", "JSONReading", "Magnetism", "Magnetometers",
            "Receivers",
        ]),
    tests("JSONReading", ["JSONReading"]),
    tests(
        "Doctor",
        ["Doctor", "Accelerometers", "Boards", "Hardware", "Magnetism", "Magnetometers", "Receivers"]),
    tests("HostInspection", ["HostInspection", "Doctor"]),
    tests("RegionReading", ["RegionReading", "Monitors"]),
    tests("CoreLocation", ["CoreLocation", "CLinux", "location-probe"]),
    // A client as others write it: with the compiler's own settings, and outside the package.
    .testTarget(
        name: "CoreLocationExampleTests", dependencies: ["CoreLocation"], path: "Tests/CoreLocationExampleTests",
        packageAccess: false),
    tests(
        "Tracker",
        [
            "Tracker", "Accelerometers", "AllocationCounter", "Boards", "ClientProtocol", "Engine", "FlightRecording",
            "GNSS", "Hardware", "JSONReading", "JSONText", "LinuxHardware", "LocalSocket", "Magnetism", "Magnetometers",
            "NMEA0183", "Power", "Reactor", "Receivers", "Sessions", "Store", "Units", logging,
        ]),
]

let package = Package(
    name: "sextant",
    products: [
        .executable(name: "sextantd", targets: ["sextantd"]),
        .executable(name: "sextant", targets: ["sextant"]),
        .library(name: "CoreLocation", targets: ["CoreLocation"]),
        .library(name: "InProcessTracker", targets: ["InProcessTracker"]),
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
            name: "sextant-libfuzzer", dependencies: ["Fuzzing"], path: "Sources/Bench/libfuzzer",
            swiftSettings: settings,
            linkerSettings: [.unsafeFlags([archive]), .linkedLibrary("stdc++")]))
}
