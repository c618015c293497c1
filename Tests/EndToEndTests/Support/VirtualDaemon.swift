import BenchControl
import Emulation
import Foundation
import GNSS
import Receivers
import SextantUnits

/// A running `sextantd-bench` of one test's own and its harness.
final class VirtualDaemon<Device: EmulatedDevice> {
    let program: Program
    let harness: BenchHarness<Device>
    let socket: String
    let device: String

    /// Starts it with an emulated device.
    ///
    /// - Parameters:
    ///   - chips: What is on its I2C bus.
    ///   - utc: What its wall clock shows, seconds since 1970; nil for one that nobody keeps.
    ///   - board: The path of its board's file, whose lines go to the device; nil for none.
    ///   - admission: Whom it serves; nil for everybody.
    ///   - members: More of its configuration, such as `baud: 9600,`.
    static func start(
        in scratch: Scratch, _ device: Device, chips: EmulatedBus = EmulatedBus(), utc: Int64? = nil,
        board: String? = nil, admission: Admission? = nil, _ members: String = ""
    ) async throws -> VirtualDaemon {
        let (socket, control) = (scratch.newPath("s"), scratch.newPath("c"))
        let path = "/dev/virtual"
        let named = board.map { "board: '\($0)'," } ?? ""
        let members = try (admission ?? .everybody(in: scratch)).member + members
        let text = "{ device: '\(path)', socket: '\(socket)', \(named) \(members) gpsd: { enabled: false } }"
        let file = scratch.newPath("sextant.json5")
        try Data(text.utf8).write(to: URL(filePath: file))
        let program = try Program(
            "\(Built.folder)/sextantd-bench",
            ["--config", file, "--control", control] + (utc.map { ["--utc", "\($0)"] } ?? []), in: scratch)
        try await program.logged("waiting for a harness")
        let harness = try BenchHarness(control: control, device: device, chips: chips, isTracing: true)
        return VirtualDaemon(program: program, harness: harness, socket: socket, device: path)
    }

    private init(program: Program, harness: BenchHarness<Device>, socket: String, device: String) {
        self.program = program
        self.harness = harness
        self.socket = socket
        self.device = device
    }

    /// Starts a client and lets time stand still until the daemon has served its connection and its request.
    func sextant(_ arguments: [String]) throws -> Program {
        // A client that has just left is served here, so that it is not taken for what this one does.
        try harness.look()
        let before = harness.idle
        let client = try Program(Built.sextant, arguments + ["--socket", socket], in: program.scratch)
        try harness.serve(wakeUps: 2, since: before)
        return client
    }

    /// What a command such as `status` prints, while time stands still.
    func answer(_ command: String) async throws -> JSON {
        let client = try sextant([command, "--json"])
        try await client.status()
        // It has left: that too is served while time stands still.
        try harness.look()
        return try await JSON(line: client.lines(1)[0]) ?? JSON([:])
    }

    /// The receiver's state, as `status` tells it.
    func receiver() async throws -> JSON { try await answer("status").object("receiver") ?? JSON([:]) }

    /// How its power is managed, as `status` tells it.
    func power() async throws -> JSON { try await answer("status").object("power") ?? JSON([:]) }

    /// The rates that the daemon opened its port at or changed to, in order.
    var rates: [Int] {
        (harness.trace ?? []).compactMap { if case .setBaud(let baud) = $0.report { baud } else { nil } }
    }
}

extension VirtualDaemon {
    /// What the daemon did to one output, in order: when, in seconds since the daemon's start, and the level.
    func levels(of role: LineRole) -> [(seconds: Double, level: Bool)] {
        (harness.trace ?? []).compactMap { instant, report in
            guard case .setLine(role, let level) = report else { return nil }
            return (Double(instant.nanoseconds(since: VirtualBench.start)) / 1e9, level)
        }
    }

    /// Lets so many hours pass.
    func run(hours: Double) throws { try harness.run(seconds: hours * 3600) }
}

/// What every virtual daemon begins with.
enum VirtualBench {
    /// The virtual instant at which the daemon starts.
    static let start = MonotonicInstant(nanoseconds: 10_000_000_000)
    /// 2027-01-15T08:00:00Z, the time of the receiver's own world at the start, seconds since 1970.
    static let startTime = 1_800_000_000.0

    /// A receiver that the daemon switches and commands, for `VirtualDaemon.start`.
    ///
    /// - Parameters:
    ///   - points: Where it truly is, from `startTime` on; at rest in Zurich if not given.
    ///   - adjust: Changes its options: its supply is off at first.
    static func receiver(
        _ model: ReceiverModel, seed: UInt64 = 1, points: [TrajectoryPoint] = [still], mask: MaskIntervals = .none,
        _ adjust: (inout Emulation.EmulatedReceiver.Options) -> Void = { _ in }
    ) -> Emulation.EmulatedReceiver {
        var options = Emulation.EmulatedReceiver.Options()
        options.start = start
        options.isPoweredAtStart = false
        adjust(&options)
        return Emulation.EmulatedReceiver(
            model: model, trajectory: Trajectory(points: points), mask: mask, seed: seed, options: options)
    }

    static let still = TrajectoryPoint(time: startTime, latitude: 47.3769, longitude: 8.5417, altitude: 408)
}

/// A receiver that is connected and says nothing.
struct SilentDevice: EmulatedDevice {
    var nextEvent: MonotonicInstant? { nil }
    func advance(to instant: MonotonicInstant, emit: (borrowing Span<UInt8>, MonotonicInstant) -> Void) {}
    func receive(_ bytes: borrowing Span<UInt8>, at instant: MonotonicInstant) {}
    func setLine(_ role: LineRole, _ level: Bool, at instant: MonotonicInstant) {}
}

/// A synthetic receiver that sends an epoch a second, whole at once, at a rate that may be fixed.
struct SyntheticDevice: EmulatedDevice {
    private var receiver: SyntheticReceiver
    private var burst: Burst
    private let start: MonotonicInstant
    private let end: MonotonicInstant?
    /// Bits per second, at any other of which the daemon reads garbage; nil where every rate fits.
    private let rate: Int?
    private var daemonRate: Int?

    /// Switched on when the daemon starts, 10 s after its boot, on 2026-03-01.
    init(acquisition: Acquisition = .hotStart, rate: Int? = nil, seconds: Int64? = nil) {
        var configuration = SyntheticReceiver.Configuration(
            seed: 7, startTime: UTCInstant(nanoseconds: 1_772_323_200_000_000_000))
        configuration.acquisition = acquisition
        let place = SyntheticDrive.Start(latitude: 47.3769, longitude: 8.5417, altitudeAboveMeanSeaLevel: 408)
        receiver = SyntheticReceiver(
            drive: SyntheticDrive(start: place, seed: 7),
            sky: SyntheticSky(constellations: [.gps, .galileo], longitude: place.longitude, seed: 7),
            configuration: configuration)
        burst = receiver.nextBurst()
        start = MonotonicInstant(nanoseconds: 10_500_000_000)
        end = seconds.map { [start] in start.advanced(byNanoseconds: $0 * 1_000_000_000) }
        self.rate = rate
    }

    var nextEvent: MonotonicInstant? {
        let next = start.advanced(byNanoseconds: burst.offset)
        return end.map { next < $0 } ?? true ? next : nil
    }

    mutating func advance(to instant: MonotonicInstant, emit: (borrowing Span<UInt8>, MonotonicInstant) -> Void) {
        while let next = nextEvent, next <= instant {
            let bytes = rate == nil || rate == daemonRate ? burst.bytes : burst.bytes.map { $0 ^ 0x5A }
            emit(bytes.span, next)
            burst = receiver.nextBurst()
        }
    }

    func receive(_ bytes: borrowing Span<UInt8>, at instant: MonotonicInstant) {}
    func setLine(_ role: LineRole, _ level: Bool, at instant: MonotonicInstant) {}
    mutating func setBaud(_ baud: Int, at instant: MonotonicInstant) { daemonRate = baud }
}
