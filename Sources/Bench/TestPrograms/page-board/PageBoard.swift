internal import ArgumentParser
internal import BenchControl
internal import Emulation
internal import Glibc
internal import HardwareInLoop
internal import Receivers
internal import SextantReactor
internal import SextantUnits

/// The command `page-board`: an emulated board with some hours of history, for the web page to show.
@main
struct PageBoard: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page-board",
        abstract: "Lets sextantd live through some hours in virtual time, and then goes on in real time.",
        discussion: """
            The board is a boat that sails about a bay and stays at places. The first line on standard output is the \
            daemon's socket. The program waits for a line on standard input, so that clients can connect and ask \
            before time passes; "now" is printed once the present is reached. Later lines: unplug, plug. It ends with its \
            standard input.

            Exit status: 0; 64 for usage; 69 where something is missing.
            """)

    @Option(help: ArgumentHelp("The folder with sextantd-bench.", valueName: "folder"))
    var programs: String

    @Option(help: ArgumentHelp("A folder with sextant.json5, for the daemon.", valueName: "folder"))
    var folder: String

    @Option(help: "Hours of the past.")
    var hours = 6.0

    @Option(help: ArgumentHelp("See no satellites during so many last minutes and from now on.", valueName: "minutes"))
    var indoors: Double?

    @Flag(help: "Stay at the last place, and do not drive about.")
    var still = false

    func run() throws {
        do { try live() } catch {
            write("page-board: \(error)", to: 2)
            throw ExitCode(69)
        }
    }

    private func live() throws {
        let end = Double(Clock.utc().nanoseconds / 1_000_000_000)
        let way = PageJourney(from: end - hours * 3600, until: end, goesOn: !still)
        let blind = indoors.map { [end - $0 * 60..<end + 1e6] } ?? []
        let control = "\(folder)/control"
        let log = Descriptor(adopting: unsafe open("\(folder)/log", O_WRONLY | O_CREAT | O_TRUNC, 0o644))
        let silent = Descriptor(adopting: unsafe open("/dev/null", O_RDWR))
        let daemon = try SpawnedProgram(
            [
                "\(programs)/sextantd-bench", "--config", "\(folder)/sextant.json5", "--control", control, "--utc",
                "\(Int64(end - hours * 3600))",
            ], input: silent, output: silent, errors: log)
        let harness = try connect(control, way, MaskIntervals(intervals: way.indoors + blind), daemon)
        say("\(folder)/sextant.sock")
        // The clients connect and send requests until a line comes on standard input; each millisecond of virtual time
        // lets the daemon serve what has arrived.
        while !hasInput() { try harness.run(seconds: 0.001) }
        _ = readLine()
        let start = harness.now
        while lived(harness, since: start) < hours * 3600 { try harness.run(seconds: 10) }
        say("now")
        try goOn(harness)
        withExtendedLifetime(daemon) {}
    }

    private func connect(
        _ control: String, _ way: PageJourney, _ mask: MaskIntervals, _ daemon: SpawnedProgram
    ) throws -> BenchHarness<EmulatedReceiver> {
        var options = EmulatedReceiver.Options()
        // The virtual instant at which a daemon starts.
        options.start = MonotonicInstant(nanoseconds: 10_000_000_000)
        options.isPoweredAtStart = false
        let receiver = EmulatedReceiver(
            model: .neoM8N, trajectory: Trajectory(points: way.points), mask: mask, seed: 4, options: options)
        for attempt in 0... {
            usleep(20_000)
            do { return try BenchHarness(control: control, device: receiver) } catch {
                if daemon.status != nil || attempt > 250 { throw error }
            }
        }
        throw ExitCode(69)
    }

    private func lived(_ harness: BenchHarness<EmulatedReceiver>, since start: MonotonicInstant) -> Double {
        Double(harness.now.nanoseconds(since: start)) / 1e9
    }

    /// Keeps virtual time in step with real time until standard input ends.
    private func goOn(_ harness: BenchHarness<EmulatedReceiver>) throws {
        let (virtual, real) = (harness.now, Clock.now())
        while true {
            let ahead = Double(Clock.now().nanoseconds(since: real)) / 1e9 - lived(harness, since: virtual)
            try harness.run(seconds: max(0.001, ahead))
            guard hasInput(waiting: 50) else { continue }
            guard let line = readLine() else { return }
            switch line {
            case "unplug": try harness.unplug()
            case "plug": try harness.plug()
            default: say("unknown: \(line)")
            }
        }
    }

    private func hasInput(waiting milliseconds: Int32 = 0) -> Bool {
        var item = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        // Safety: `poll` is lent one item for the duration of the call.
        return unsafe poll(&item, 1, milliseconds) > 0
    }

    private func say(_ text: String) {
        write(text, to: 1)
    }

    private func write(_ text: String, to descriptor: Int32) {
        let bytes = Array((text + "\n").utf8)
        // Safety: the bytes live for the call.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
}
