import Foundation
import Glibc
import Testing

/// The pages' examples, taken from their text, built and run against the daemon.
///
/// The Swift example is compiled with the modules that are built already, and its package is resolved, which shows that
/// it finds the library; to build that package would build the library again.
@Suite("The pages' examples")
struct VirtualReadmeExampleTests {
    private typealias Daemon = VirtualDaemon<SyntheticDevice>

    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let swiftc = compiler("swiftc")

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

    /// A daemon, at rest until time passes, with a receiver that gets a fix at once when it does.
    private func start(_ admission: Admission) async throws -> Daemon {
        try await VirtualDaemon.start(
            in: scratch, SyntheticDevice(), utc: Int64(SyntheticRecording.startTime), admission: admission)
    }

    /// A daemon with the page's manifest of `follow` for a program in the scratch directory.
    private func start() async throws -> Daemon {
        let admission = try Admission.everybody(in: scratch)
        let manifest = try block("json5", holding: "follow.json5")
        // Both run as one user here, whom a program's own file tells apart.
        try admission.writeManifest(
            "follow",
            manifest.replacingOccurrences(of: "user: \"pi\"", with: "executable: '\(scratch.path("follow"))'"))
        return try await start(admission)
    }

    /// Where a debug build has put the modules and the objects of the rooms.
    private static func build() throws -> String {
        let bundle = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
        let folders = [bundle, "\(Checkout.path)/.build/debug"]
        let built = folders.first {
            FileManager.default.fileExists(atPath: "\($0)/Modules/CoreLocation.swiftmodule")
        }
        return try #require(built, "the module CoreLocation is in none of \(folders)")
    }

    /// Objects of the rooms that a client links, by their sources: what older builds left beside them is not one.
    private func objects(in build: String) throws -> [String] {
        let rooms = [
            "Client/CoreLocation", "Client/CoreLocationHeaders", "Client/DaemonClient", "Client/GeocoderClient",
            "Core/ClientVocabulary", "Core/JSON", "Core/Places", "Core/Units", "Linux/CLinux", "Linux/CSQLite",
            "Linux/PlaceTable", "Linux/Reactor", "Linux/SQLite", "Linux/Sockets",
        ]
        return try rooms.flatMap { room in
            let folder = String(room.split(separator: "/")[1])
            let renamed = ["CLinux": "CSextantLinux", "CSQLite": "CSextantSQLite"]
            let isGeneral = ["JSON", "Places", "Units", "Reactor", "SQLite", "Sockets"].contains(folder)
            let name = renamed[folder] ?? (isGeneral ? "Sextant" : "") + folder
            let sources = try FileManager.default.subpathsOfDirectory(atPath: "\(Checkout.path)/Sources/\(room)")
            return sources.filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") }.map {
                "\(build)/\(name).build/\($0.split(separator: "/").last ?? "").o"
            }
        }
    }

    @Test(.enabled(if: swiftc != nil, "swiftc is not on the PATH"))
    func `an agent allows the Swift example client, which prints locations`() async throws {
        let source = try scratch.write(try block("swift", holding: "import CoreLocation"), to: "main.swift")
        let build = try Self.build()
        let modules = ["Modules", "CSextantLinux.build", "CSextantSQLite.build"].flatMap { ["-I", "\(build)/\($0)"] }
        let compiler = try Program(
            try #require(Self.swiftc),
            ["-swift-version", "6", "-warnings-as-errors", source, "-o", scratch.path("follow")] + modules
                + (try objects(in: build)) + ["-static-stdlib", "-lm", "-lsqlite3"], in: scratch)
        try #require(try await compiler.status() == 0, "\(compiler.errors)")
        let daemon = try await start()
        let agent = try daemon.start(["agent", "--answer", "allow"])
        // Line by line, though it prints to a file.
        let line = "SEXTANT_SOCKET=\(daemon.socket) exec stdbuf -oL \(scratch.path("follow"))"
        let follow = try Program("/bin/sh", ["-c", line], in: scratch)
        let lines = try await daemon.letTimePass(untilLines: 3, of: follow)
        #expect(lines.allSatisfy { $0.contains("+47.3") && $0.contains("+8.5") }, "\(lines)")
        #expect(agent.outputLines.contains("    Follows the board on its screen."))
        let client = try await ClientList.client("follow", at: daemon.socket) { _ in true }
        #expect(client.text("status") == "authorizedWhenInUse")
    }

    /// Runs the package manager in the example's package.
    private func package(_ arguments: [String]) async throws -> (status: Int32, program: Program) {
        let options = ["package", "--package-path", scratch.path("follow"), "--cache-path", scratch.path("cache")]
        let program = try Program(try #require(Self.compiler("swift")), options + arguments, in: scratch)
        return (try await program.status(), program)
    }

    @Test(.enabled(if: compiler("swift") != nil, "swift is not on the PATH"))
    func `the Swift example client's package finds the library by the URL of a checkout`() async throws {
        try FileManager.default.createSymbolicLink(atPath: scratch.path("sextant"), withDestinationPath: Checkout.path)
        let sources = scratch.path("follow/Sources/follow")
        try FileManager.default.createDirectory(atPath: sources, withIntermediateDirectories: true)
        let git = try Program("/usr/bin/env", ["git", "-C", Checkout.path, "rev-parse", "HEAD"], in: scratch)
        try #require(try await git.status() == 0, "\(git.errors)")
        let manifest = try block("swift", holding: "swift-tools-version")
            .replacing("file:///home/pi/sextant", with: "file://\(scratch.path("sextant"))")
            .replacing("branch: \"main\"", with: "revision: \"\(try #require(git.outputLines.first))\"")
        _ = try scratch.write(manifest, to: "follow/Package.swift")
        _ = try scratch.write(
            try block("swift", holding: "import CoreLocation"), to: "follow/Sources/follow/main.swift")
        let (status, resolved) = try await package(["show-dependencies", "--format", "flatlist"])
        #expect(status == 0, "\(resolved.output)\(resolved.errors)")
        #expect(resolved.outputLines.contains("sextant"), "\(resolved.output)")
    }

    @Test(.enabled(if: Tool.isInstalled("python3"), "python3 is not installed"))
    func `the Python example client prints locations`() async throws {
        let daemon = try await start()
        let text = try block("python", holding: "from sextant_client import Sextant")
        let nearer = text.replacingOccurrences(of: "distanceFilter=50", with: "distanceFilter=5")
        let source = try scratch.write(nearer, to: "follow.py")
        let line = "SEXTANT_SOCKET=\(daemon.socket) PYTHONPATH=\(Checkout.path)/scripts exec python3 -u -B \(source)"
        let client = try Program("/bin/sh", ["-c", line], in: scratch)
        let lines = try await daemon.letTimePass(untilLines: 2, of: client)
        #expect(lines.allSatisfy { $0.hasPrefix("47.3") && $0.split(separator: " ").count == 3 }, "\(lines)")
    }

    /// Whether another user may run what is built.
    private static let mayOthersRun: Bool = {
        guard geteuid() == 0, Tool.isInstalled("setpriv", "python3") else { return false }
        let file = URL(filePath: Built.sextant)
        let folders = sequence(first: file.deletingLastPathComponent()) {
            $0.path == "/" ? nil : $0.deletingLastPathComponent()
        }
        return (Array(folders) + [file]).allSatisfy {
            let mode = (try? FileManager.default.attributesOfItem(atPath: $0.path))?[.posixPermissions] as? Int
            return (mode ?? 0) & 0o001 != 0
        }
    }()

    @Test(
        .enabled(if: mayOthersRun, "needs root, setpriv, python3 and a checkout that others may enter"),
        arguments: [false, true])
    func `a program of pi is its own client, in the group sextant and out of it, where its command is operator`(
        isMember: Bool
    ) async throws {
        let (pi, group): (UInt32, UInt32) = (60001, 60010)
        let admission = try Admission.nobody(in: scratch)
        let scripts = "\(Checkout.path)/scripts"
        let shipped = try String(contentsOfFile: "\(scripts)/clients.d/sextant.json5", encoding: .utf8)
        try admission.writeManifest(
            "sextant", shipped.replacingOccurrences(of: "group: \"sextant\"", with: "group: \(group)"))
        let manifest = try block("json5", holding: "follow.json5")
        try admission.writeManifest("follow", manifest.replacingOccurrences(of: "\"pi\"", with: "\(pi)"))
        try admission.writePolicy(String(contentsOfFile: "\(scripts)/policy.json5", encoding: .utf8))
        let daemon = try await DrivenDaemon.start(
            in: scratch, ScriptedDevice.synthetic(), admission: admission)
        // As sextantd.socket has it.
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: daemon.socket)
        let asPi = [
            "--reuid=\(pi)", "--regid=\(pi)", isMember ? "--groups=\(group)" : "--clear-groups",
        ]
        let text = try block("python", holding: "from sextant_client import Sextant")
        let source = try scratch.write(text.replacingOccurrences(of: "50):", with: "0):"), to: "follow.py")
        let line = "SEXTANT_SOCKET=\(daemon.socket) PYTHONPATH=\(scripts) exec /usr/bin/python3 -u -B \(source)"
        let client = try Program("/usr/bin/setpriv", asPi + ["/bin/sh", "-c", line], in: scratch)
        try await ClientList.client("follow", at: daemon.socket) { $0.text("waiting") == "whenInUse" }
        let command = try Program(
            "/usr/bin/setpriv", asPi + [Built.sextant, "clients", "allow", "follow", "--socket", daemon.socket],
            in: scratch)
        #expect(try await command.status() == (isMember ? 0 : 77), "\(command.errors)")
        if !isMember {
            let root = try daemon.sextant(["clients", "allow", "follow"])
            #expect(try await root.status() == 0, "\(root.errors)")
        }
        let lines = try await daemon.letTimePass(until: "lines", seen: { client.errors }) {
            client.outputLines.count > 1 ? client.outputLines : nil
        }
        #expect(lines.allSatisfy { $0.hasPrefix("47.3") }, "\(lines)")
    }

    /// The client that the protocol's page shows whole is run by `LocalProtocolTests`.
    @Test func `the shipped manifests and policy take effect`() async throws {
        let admission = try Admission.nobody(in: scratch)
        let folder = "\(Checkout.path)/scripts"
        let group = try String(contentsOfFile: "\(folder)/clients.d/sextant.json5", encoding: .utf8)
        // The group of whoever runs the tests stands for the group sextant, which an installation makes.
        try admission.writeManifest(
            "sextant", group.replacingOccurrences(of: "group: \"sextant\"", with: "group: \(getegid())"))
        try admission.writeManifest(
            "gpsd", String(contentsOfFile: "\(folder)/clients.d/gpsd.json5", encoding: .utf8))
        try admission.writePolicy(String(contentsOfFile: "\(folder)/policy.json5", encoding: .utf8))
        let daemon = try await start(admission)
        let clients = try await ClientList.clients(at: daemon.socket)
        let shipped = clients.filter { ["gpsd", "sextant"].contains($0.text("name")) }
        #expect(shipped.count == 2)
        #expect(shipped.allSatisfy { $0.text("status") == "authorizedAlways" && $0.text("problem") == nil })
    }
}
