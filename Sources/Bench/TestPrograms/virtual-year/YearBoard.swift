internal import BenchControl
internal import Emulation
internal import Glibc
internal import HardwareInLoop
internal import Receivers
internal import SextantReactor
internal import SextantUnits

/// The board: `sextantd-bench` in its own process, an emulated receiver, and the folder with the daemon's files.
final class YearBoard {
    let socket: String
    private let program: String
    private let folder: String
    private let journey: Trajectory
    private let mask: MaskIntervals
    private var daemon: SpawnedProgram?
    private var harness: BenchHarness<EmulatedReceiver>?
    /// The time at which the daemon was last started, in seconds since 1970.
    private var started: Double
    private var starts = 0

    /// The virtual instant at which a daemon starts.
    private static let start = MonotonicInstant(nanoseconds: 10_000_000_000)

    init(program: String, folder: String, journey: Journey) throws {
        (self.program, self.folder) = (program, folder)
        self.journey = Trajectory(points: journey.points)
        mask = MaskIntervals(intervals: journey.indoors)
        started = self.journey.startTime
        socket = "\(folder)/s"
        try launch()
    }

    /// The true time in seconds since 1970, which the daemon's clock need not show.
    var time: Double {
        started + Double(harness?.now.nanoseconds(since: YearBoard.start) ?? 0) / 1e9
    }

    /// The number of times that the daemon was woken since it was started.
    var wakeUps: UInt64 { harness?.idle.wakeUps ?? 0 }
    var processID: Int32 { daemon?.processID ?? 0 }

    private func launch() throws {
        let control = "\(folder)/c"
        _ = unsafe unlink(control)
        started = started.rounded(.up)
        let silent = Descriptor(adopting: unsafe open("/dev/null", O_RDWR))
        let log = Descriptor(adopting: unsafe open("\(folder)/log", O_WRONLY | O_CREAT | O_TRUNC, 0o644))
        daemon = try SpawnedProgram(
            [program, "--config", "\(folder)/sextant.json5", "--control", control, "--utc", "\(Int64(started))"],
            input: silent, output: silent, errors: log)
        // The socket's file can exist before the program listens on it, so the log is checked instead.
        for _ in 0..<1000 where !isListening && daemon?.status == nil { usleep(10_000) }
        if let status = daemon?.status {
            throw YearFailure("sextantd-bench ended with \(status): \(YearFolder.text(of: "\(folder)/log"))")
        }
        var options = EmulatedReceiver.Options()
        options.start = YearBoard.start
        options.isPoweredAtStart = false
        starts += 1
        let receiver = EmulatedReceiver(
            model: .neoM8N, trajectory: rest, mask: mask, seed: UInt64(starts), options: options)
        harness = try BenchHarness(control: control, device: receiver)
        // The year's clients read only the answers to their requests, when they make a request, so virtual time does
        // not wait for them to read.
        try harness?.waitForClients(false)
    }

    private var isListening: Bool { YearFolder.text(of: "\(folder)/log").contains("waiting for a harness") }

    /// The part of the journey that is still to come; the emulated receiver of a new daemon needs it, because the
    /// receiver's time begins with its trajectory.
    private var rest: Trajectory {
        let place = journey.position(at: started)
        let first = TrajectoryPoint(
            time: started, latitude: place.latitude, longitude: place.longitude, altitude: place.altitude)
        return Trajectory(points: [first] + journey.points.filter { $0.time > started })
    }

    func run(seconds: Double) throws { try harness?.run(seconds: seconds) }

    /// Sets the wall clock to a time in seconds since 1970; nil makes it a clock that has not been set.
    func setClock(_ time: Double?) throws { try harness?.setUTC(time.map { Int64($0) }) }

    func setReceiver(pluggedIn isPluggedIn: Bool) throws {
        if isPluggedIn { try harness?.plug() } else { try harness?.unplug() }
    }

    /// Ends the daemon, with SIGKILL or in the orderly way of a service manager, and starts it again.
    func restart(byKilling isKill: Bool) throws {
        started = time
        if !isKill {
            try harness?.quit()
            _ = daemon?.waitForEnd()
        }
        (harness, daemon) = (nil, nil)
        try launch()
    }
}
