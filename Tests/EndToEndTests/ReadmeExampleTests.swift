import Foundation
import Glibc
import Testing

/// The pages' examples, taken from their text, built and run against the daemon.
///
/// The Swift example is compiled with the modules that are built already; with SEXTANT_TEST_PACKAGES set in the
/// environment its package is built too, which takes minutes.
@Suite("The pages' examples", .serialized)
struct ReadmeExampleTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let swiftc = compiler("swiftc")
    private static let buildsPackages = ProcessInfo.processInfo.environment["SEXTANT_TEST_PACKAGES"] != nil

    /// A program of the toolchain, by PATH.
    private static func compiler(_ name: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// The pages whose examples are run.
    private static let pages = ["Client/CoreLocation", "Core/ClientProtocol", "Linux/Configuration/Manifests"]

    /// The text of the one block in a language that holds a line.
    private func block(_ language: String, holding line: String) throws -> String {
        let blocks = try Self.pages.flatMap { page in
            let text = try String(contentsOfFile: "\(Checkout.path)/Sources/\(page)/README.md", encoding: .utf8)
            return text.components(separatedBy: "```\(language)\n").dropFirst().map {
                $0.components(separatedBy: "```")[0]
            }
        }
        let fitting = blocks.filter { $0.contains(line) }
        return try #require(fitting.count == 1 ? fitting.first : nil, "\(fitting.count) blocks hold \(line)")
    }

    /// A daemon with the page's manifest of `follow` for a program in the scratch directory, and a receiver.
    private func start() async throws -> (daemon: Daemon, receiver: Program) {
        let admission = try Admission.everybody(in: scratch)
        let manifest = try block("json5", holding: "follow.json5")
        try admission.writeManifest(
            "follow", manifest.replacingOccurrences(of: "/usr/local/bin/follow", with: scratch.path("follow")))
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.fast)
        return (try await Daemon.start(in: scratch, admission: admission), receiver)
    }

    /// Objects of the rooms that a client links, by their sources: what older builds left beside them is not one.
    private func objects() throws -> [String] {
        let rooms = [
            "Client/CoreLocation", "Client/CoreLocationHeaders", "Client/DaemonClient", "Client/GeocoderClient",
            "Core/ClientVocabulary", "Core/JSON", "Core/Places", "Core/Units", "Linux/CLinux", "Linux/CSQLite",
            "Linux/PlaceTable", "Linux/Reactor", "Linux/Sockets",
        ]
        return try rooms.flatMap { room in
            let name = room.split(separator: "/")[1]
            let sources = try FileManager.default.subpathsOfDirectory(atPath: "\(Checkout.path)/Sources/\(room)")
            return sources.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") }.map {
                "\(Built.directory)/\(name).build/\($0.split(separator: "/").last ?? "").o"
            }
        }
    }

    /// Runs the program as its manifest's client: somebody is asked, allows it, and locations come.
    private func expectLocations(of path: String) async throws {
        if path != scratch.path("follow") {
            try FileManager.default.copyItem(atPath: path, toPath: scratch.path("follow"))
        }
        let (daemon, receiver) = try await start()
        defer { receiver.signal(SIGTERM) }
        let agent = try daemon.sextant(["agent", "--answer", "allow"])
        // Line by line, though it prints to a file.
        let line = "SEXTANT_SOCKET=\(daemon.socket) exec stdbuf -oL \(scratch.path("follow"))"
        let follow = try Program("/bin/sh", ["-c", line], in: scratch)
        defer { follow.signal(SIGKILL) }
        let lines = try await follow.lines(3)
        #expect(lines.allSatisfy { $0.contains("+47.3") && $0.contains("+8.5") }, "\(lines)")
        #expect(agent.outputLines.contains("    Follows the board on its screen."))
        #expect(try await daemon.client("follow") { _ in true }.text("status") == "authorizedWhenInUse")
    }

    @Test(.enabled(if: swiftc != nil, "swiftc is not on the PATH"))
    func `an agent allows the Swift example client, which prints locations`() async throws {
        let source = try scratch.write(try block("swift", holding: "import CoreLocation"), to: "main.swift")
        let modules = ["Modules", "CLinux.build", "CSQLite.build"].flatMap { ["-I", "\(Built.directory)/\($0)"] }
        let compiler = try Program(
            try #require(Self.swiftc),
            ["-swift-version", "6", "-warnings-as-errors", source, "-o", scratch.path("follow")] + modules
                + (try objects()) + ["-lm", "-lsqlite3"], in: scratch)
        #expect(try await compiler.status(within: 300) == 0, "\(compiler.errors)")
        try await expectLocations(of: scratch.path("follow"))
    }

    @Test(.enabled(if: buildsPackages, "SEXTANT_TEST_PACKAGES is not set"))
    func `the Swift example client's package builds beside the checkout, and prints locations`() async throws {
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path("sextant"), withDestinationPath: Checkout.path)
        let sources = scratch.path("package/Sources/follow")
        try FileManager.default.createDirectory(atPath: sources, withIntermediateDirectories: true)
        _ = try scratch.write(try block("swift", holding: "swift-tools-version"), to: "package/Package.swift")
        _ = try scratch.write(
            try block("swift", holding: "import CoreLocation"), to: "package/Sources/follow/main.swift")
        let build = try Program(
            try #require(Self.compiler("swift")), ["build", "--package-path", scratch.path("package")], in: scratch)
        #expect(try await build.status(within: 3000) == 0, "\(build.output)\(build.errors)")
        try await expectLocations(of: scratch.path("package/.build/debug/follow"))
    }

    @Test(.enabled(if: Tool.isInstalled("python3"), "python3 is not installed"))
    func `the Python example client prints locations`() async throws {
        let (daemon, receiver) = try await start()
        defer { receiver.signal(SIGTERM) }
        let text = try block("python", holding: "from sextant_client import Sextant")
        let nearer = text.replacingOccurrences(of: "distanceFilter=50", with: "distanceFilter=5")
        let source = try scratch.write(nearer, to: "follow.py")
        let line = "SEXTANT_SOCKET=\(daemon.socket) PYTHONPATH=\(Checkout.path)/scripts exec python3 -u -B \(source)"
        let client = try Program("/bin/sh", ["-c", line], in: scratch)
        defer { client.signal(SIGKILL) }
        let lines = try await client.lines(2)
        #expect(lines.allSatisfy { $0.hasPrefix("47.3") && $0.split(separator: " ").count == 3 }, "\(lines)")
    }

    /// The client that the protocol's page shows whole is run by `LocalProtocolTests`.
    @Test func `the shipped manifests and policy take effect`() async throws {
        let admission = try Admission.nobody(in: scratch)
        let folder = "\(Checkout.path)/scripts"
        let group = try String(contentsOfFile: "\(folder)/clients.d/sextant.json5", encoding: .utf8)
        // The group of whoever runs the tests stands for the group sextant, which an installation makes.
        try admission.writeManifest("sextant", group.replacingOccurrences(of: "\"sextant\",", with: "\(getegid()),"))
        try admission.writeManifest(
            "gpsd", String(contentsOfFile: "\(folder)/clients.d/gpsd.json5", encoding: .utf8))
        try admission.writePolicy(String(contentsOfFile: "\(folder)/policy.json5", encoding: .utf8))
        let daemon = try await Daemon.start(in: scratch, admission: admission)
        let clients = try await ClientList.clients(at: daemon.socket)
        #expect(clients.map { $0.text("name") } == ["gpsd", "sextant"])
        #expect(clients.allSatisfy { $0.text("status") == "authorizedAlways" && $0.text("problem") == nil })
    }
}
