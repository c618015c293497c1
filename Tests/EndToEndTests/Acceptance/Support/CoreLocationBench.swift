import BenchControl
import Emulation
import Foundation
import Glibc
import Receivers
import SextantUnits

/// `sextantd-bench` with clients of its own: manifests, a policy, what the daemon keeps, and a wall clock.
///
/// Time stands still but in `fix`, `run` and what is built on them; each of these, and `tell`, comes back when every
/// client has been told all that follows, and has said what it says about it. So what a client is told, and in how many
/// calls, is the same on every machine. Nothing waits in real time.
///
/// ```swift
/// let bench = try await CoreLocationBench.start()              // one client, tracker, that is always authorized
/// let tracker = try await bench.client()                       // a process that imports CoreLocation
/// try await bench.tell(tracker, "manager 1 new", "manager 1 start")
/// _ = tracker.take()                                           // what it was called back with so far
/// try await bench.fix(InjectedFix(north: 60))
/// #expect(tracker.takeNames() == ["didUpdateLocations"])       // this, and nothing else
/// ```
final class CoreLocationBench<Device: EmulatedDevice> {
    let scratch: Scratch
    let socket: String
    private(set) var program: Program
    private(set) var harness: BenchHarness<Device>
    private let chips: EmulatedBus
    private var running: [Client] = []
    private let configuration: String
    private let hasRadio: Bool
    /// What the wall clock showed when the daemon was started, seconds since 1970.
    private var startTime: Double
    /// When every client had last been told all.
    private var settledAt = VirtualBench.start
    /// Where the receiver was when it last had a solution.
    private(set) var ground = Ground()

    private init(
        _ scratch: Scratch, _ configuration: String, socket: String, startTime: Double, _ device: Device,
        _ chips: EmulatedBus, hasRadio: Bool
    ) async throws {
        self.hasRadio = hasRadio
        (self.scratch, self.configuration, self.socket) = (scratch, configuration, socket)
        (self.startTime, self.chips) = (startTime, chips)
        (program, harness) = try await Self.launch(scratch, configuration, startTime, device, chips, hasRadio)
    }

    private static func launch(
        _ scratch: Scratch, _ configuration: String, _ startTime: Double, _ device: Device, _ chips: EmulatedBus,
        _ hasRadio: Bool
    ) async throws -> (Program, BenchHarness<Device>) {
        let control = scratch.newPath("c")
        var arguments = ["--config", configuration, "--control", control, "--utc", "\(Int64(startTime))"]
        if hasRadio { arguments.append("--radio") }
        let program = try Program("\(Built.folder)/sextantd-bench", arguments, in: scratch)
        try await program.logged("waiting for a harness")
        let radio = hasRadio ? EmulatedRadio(at: VirtualBench.start) : nil
        let harness = try BenchHarness(control: control, device: device, chips: chips, radio: radio, isTracing: true)
        return (program, harness)
    }

    /// Starts it.
    ///
    /// - Parameters:
    ///   - device: The receiver: `SilentDevice` where fixes are injected, or `VirtualBench.receiver`.
    ///   - clients: Who has a manifest.
    ///   - policy: More of the policy, such as `others: { authorization: 'denied' },`.
    ///   - board: What is wired; nil for a receiver that cannot be switched.
    ///   - chips: What is on its I2C bus.
    ///   - hasRadio: Whether it has a Bluetooth controller, which is the harness's `radio`.
    ///   - members: More of the daemon's configuration.
    static func start(
        _ device: Device, clients: [BenchClient] = [BenchClient()], policy: String = "", board: BoardText? = nil,
        chips: EmulatedBus = EmulatedBus(), hasRadio: Bool = false, _ members: String = ""
    ) async throws -> CoreLocationBench {
        let scratch = try Scratch()
        let folder = scratch.path("clients.d")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try write(clients, policy: policy, in: scratch)
        let socket = scratch.newPath("s")
        let board = try board.map { "board: '\(try $0.write(in: scratch))'," } ?? ""
        let configuration = try scratch.write(
            """
            { device: '/dev/virtual', socket: '\(socket)', \(board) gpsd: { enabled: false }, \(members)
              stateDirectory: '\(scratch.path("state"))', wakeDirectory: '\(scratch.path)',
              clients: { manifests: '\(folder)', policy: '\(scratch.path("policy.json5"))' } }
            """, to: "sextant.json5")
        return try await CoreLocationBench(
            scratch, configuration, socket: socket, startTime: VirtualBench.startTime, device, chips,
            hasRadio: hasRadio)
    }

    /// Manifests, which nobody but their owner may write, and the policy.
    private static func write(_ clients: [BenchClient], policy: String, in scratch: Scratch) throws {
        for client in clients {
            let path = try scratch.write(
                client.manifest(executable: client.executable ?? scratch.path(client.name)),
                to: "clients.d/\(client.name).json5")
            _ = unsafe chmod(path, 0o644)
        }
        _ = unsafe chmod(scratch.path("clients.d"), 0o755)
        let rules = clients.compactMap(\.rule).joined(separator: " ")
        let path = try scratch.write("{ clients: { \(rules) }, \(policy) }", to: "policy.json5")
        _ = unsafe chmod(path, 0o644)
    }
}

// MARK: Clients

extension CoreLocationBench {
    /// Starts a client's process; one client may have several.
    func client(_ name: String = "tracker") async throws -> Client {
        let client = try Client(name, program: await scratch.probe(named: name), socket: socket, in: scratch)
        running.append(client)
        return client
    }

    /// Has a client run commands, and everybody be told what follows.
    func tell(_ client: Client, _ commands: String...) async throws {
        for command in commands {
            try await client.run(command)
            try await settle()
        }
    }

    /// Ends a client's process as a crash does, and lets the daemon notice.
    func kill(_ client: Client) async throws {
        let before = harness.idle
        try await client.kill()
        running.removeAll { $0 === client }
        try harness.serve(wakeUps: 1, since: before)
        try await settle()
    }

    /// A connection of the operator's.
    func `operator`() async throws -> Operator { try await Operator(socket: socket) }

    /// Lets everybody be told all that was sent so far, and what follows from that; done after every step by itself.
    func settle() async throws {
        var isNews = true
        while isNews {
            let before = listeners.map(\.events.count)
            for client in listeners { _ = try await client.sync() }
            // What one client was told may have made it say something that another is told of.
            isNews = listeners.count > 1 && listeners.map(\.events.count) != before
        }
        // Takes what the daemon did to its hardware meanwhile.
        try harness.run(seconds: 0)
        settledAt = harness.now
    }

    /// Clients that run and are not suspended.
    private var listeners: [Client] { running.filter { $0.isRunning && !$0.isSuspended } }
}

// MARK: Time and the world

extension CoreLocationBench {
    /// Seconds since the daemon's start.
    var seconds: Double { Double(harness.now.nanoseconds(since: VirtualBench.start)) / 1e9 }

    /// The virtual wall clock that the daemon was started with, seconds since 1970.
    var time: Double { startTime + seconds }

    /// Lets time pass.
    func run(seconds: Double) async throws {
        try await pass(seconds: seconds)
        try await settle()
    }

    /// Lets time pass, and clients be told what they were sent at least every ten seconds of it.
    ///
    /// They have room for what comes in between: a loop over live updates for 64 of them, a delegate for 256. Of beacons
    /// a client that is behind is told the newest alone: where there is a radio, clients are waited for at every instant
    /// at which something happens.
    func pass(seconds: Double) async throws {
        let target = harness.now.advanced(byNanoseconds: Int64((seconds * 1e9).rounded()))
        if hasRadio {
            while try !harness.step(towards: target) { try await settle() }
            return
        }
        repeat {
            let limit = settledAt.advanced(byNanoseconds: 10_000_000_000)
            try harness.run(until: min(target, max(limit, harness.now)))
            if harness.now >= limit { try await settle() }
        } while harness.now < target
    }

    /// The receiver sends a solution, and a second passes, or as long as is said.
    func fix(_ fix: InjectedFix = InjectedFix(), then seconds: Double = 1) async throws {
        try send(fix)
        try await run(seconds: seconds)
    }

    /// The receiver sends a solution, and no time passes.
    func send(_ fix: InjectedFix) throws {
        try harness.send(fix.frames(at: fix.time ?? time))
        if fix.type != 0, fix.isTrusted { ground = fix.ground }
    }

    /// What the daemon did to one of the board's outputs, in order: seconds since its start, and the level.
    func levels(of role: LineRole) -> [(seconds: Double, level: Bool)] {
        (harness.trace ?? []).compactMap { instant, report in
            guard case .setLine(role, let level) = report else { return nil }
            return (Double(instant.nanoseconds(since: VirtualBench.start)) / 1e9, level)
        }
    }
}

// MARK: Waking, and restarts

extension CoreLocationBench {
    /// The clients whose start, or stop, the daemon asks systemd for now.
    func wakes(_ folder: String = "wake") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.path(folder)).sorted()
    }

    /// Whether the daemon has asked for a start that nobody took, also where it took it back after 10 s.
    func hasAskedForStart() throws -> Bool {
        try !wakes().isEmpty || program.errors.contains("did not connect in time")
    }

    /// Does what systemd does where the daemon asks for a client's start: takes the file, and starts the client.
    func startWoken(_ name: String = "tracker") async throws -> Client {
        try FileManager.default.removeItem(atPath: scratch.path("wake/\(name)"))
        return try await client(name)
    }

    /// Ends the daemon, by a signal or as a harness ends it, and starts it again on what it kept.
    ///
    /// The clients that run are waited for until they have found it again.
    func restart(_ device: Device, after signal: Int32? = nil) async throws {
        let now = time
        if let signal { program.signal(signal) } else { try harness.quit() }
        try await program.status()
        startTime = now.rounded(.up)
        (program, harness) = try await Self.launch(scratch, configuration, startTime, device, chips, hasRadio)
        for client in listeners {
            try await eventually("\(client.name) connected again", every: .milliseconds(5)) {
                try await client.sync() ? () : nil
            }
        }
        try await settle()
    }
}

extension CoreLocationBench where Device == SilentDevice {
    /// Starts it with a receiver that sends what is injected, and nothing else.
    static func start(
        clients: [BenchClient] = [BenchClient()], policy: String = "", board: BoardText? = nil, hasRadio: Bool = false,
        _ members: String = ""
    ) async throws -> CoreLocationBench {
        try await start(
            SilentDevice(), clients: clients, policy: policy, board: board, hasRadio: hasRadio, members)
    }

    func restart(after signal: Int32? = nil) async throws { try await restart(SilentDevice(), after: signal) }
}
