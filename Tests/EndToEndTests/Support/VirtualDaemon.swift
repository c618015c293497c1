import BenchControl
import Emulation
import Foundation
import GNSS
import Receivers
import Units

/// A running `sextantd-bench` of one test's own and its harness.
final class VirtualDaemon<Device: EmulatedDevice> {
    let program: Program
    let harness: BenchHarness<Device>
    let socket: String
    let device: String

    /// Starts it with an emulated device.
    ///
    /// - Parameters:
    ///   - utc: What its wall clock shows, seconds since 1970; nil for one that nobody keeps.
    ///   - members: More of its configuration, such as `baud: 9600,`.
    static func start(
        in scratch: Scratch, _ device: Device, utc: Int64? = nil, _ members: String = ""
    ) async throws -> VirtualDaemon {
        let (socket, control) = (scratch.newPath("s"), scratch.newPath("c"))
        let path = "/dev/virtual"
        let text = "{ device: '\(path)', socket: '\(socket)', \(members) gpsd: { enabled: false } }"
        let file = scratch.newPath("sextant.json5")
        try Data(text.utf8).write(to: URL(filePath: file))
        let program = try Program(
            "\(Built.directory)/sextantd-bench",
            ["--config", file, "--control", control] + (utc.map { ["--utc", "\($0)"] } ?? []), in: scratch)
        try await program.logged("waiting for a harness")
        let harness = try BenchHarness(control: control, device: device, isTracing: true)
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
        let before = harness.idle
        let client = try Program(Built.sextant, arguments + ["--socket", socket], in: program.scratch)
        try harness.serve(wakeUps: 2, since: before)
        return client
    }

    /// The receiver's standing, as `status` tells it.
    func receiver() async throws -> JSON {
        let before = harness.idle
        let client = try sextant(["status", "--json"])
        try await client.status()
        // Its leaving is served here, so that it is not taken for what a later client does.
        try harness.serve(wakeUps: 3, since: before)
        return try await JSON(line: client.lines(1)[0])?.object("receiver") ?? JSON([:])
    }

    /// The rates that the daemon opened its port at or changed to, in order.
    var rates: [Int] {
        (harness.trace ?? []).compactMap { if case .setBaud(let baud) = $0.report { baud } else { nil } }
    }
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
