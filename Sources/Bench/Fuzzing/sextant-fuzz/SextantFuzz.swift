internal import ArgumentParser
internal import Fuzzing
internal import Glibc
internal import Programs

/// Feeds damaged messages to the decoding core and looks for traps, wrong values, memory growth and slowness.
@main
struct SextantFuzz: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sextant-fuzz",
        abstract: "Feed seeded random damage to the decoding core.",
        discussion: """
            A session has \(SextantFuzz.inputCount) inputs and depends on the seed and its number alone: most are a few \
            messages of a receiver's epoch, some of them damaged, half of those with mended checksums; half as many are \
            events of the Bluetooth management socket; few, since each takes long, are questions for places, of texts, \
            points and tables, and requests of clients and rows of the store, with a flight recording now and then. A trap \
            ends the process; find its session with --trace and run it again with --first.
            """)

    @Option(help: "How many inputs to run, rounded up to whole sessions of \(SextantFuzz.inputCount).")
    var inputs = 1_000_000

    @Option(help: "The seed of all randomness.")
    var seed: UInt64 = 1

    @Option(help: "The session to begin with.")
    var first = 0

    @Flag(help: "Print each session's number before it runs.")
    var trace = false

    @Flag(help: "Allow a session any time and memory, under a sanitizer that takes both.")
    var unhurried = false

    /// The number of runs of 64 inputs that a session makes through the decoders of the receiver's line and, in
    /// `radioRuns`, through those of the Bluetooth radio.
    ///
    /// The place names and the client requests get one such run each. Their inputs take 10 times as long, so with these
    /// numbers both together take about as much CPU time as the receiver's line.
    private static let lineRuns = 16
    private static let radioRuns = 8
    private static let inputCount = (lineRuns + radioRuns + 2) * FuzzSession.inputCount
    /// The CPU time that a session is allowed, in seconds; a session takes about 8 ms.
    private static let sessionLimit = 0.5
    private static let growthLimit = 16 << 20

    func validate() throws {
        guard inputs > 0 else { throw ValidationError("--inputs must be at least 1") }
    }

    func run() throws {
        var session = FuzzSession()
        var beacons = BeaconSurface()
        let places = try PlaceSurface()
        var services = ServiceSurface()
        let sessions = (inputs + SextantFuzz.inputCount - 1) / SextantFuzz.inputCount
        let warmUp = min(sessions / 2, 100)
        var memory = 0
        var slowest = 0.0
        let begin = ProcessorClock.seconds
        for number in first..<first + sessions {
            if trace { FileOutput.error("session \(number)\n") }
            let before = ProcessorClock.seconds
            do {
                for run in 0..<SextantFuzz.lineRuns {
                    try session.run(seed: seed, number: number * SextantFuzz.lineRuns + run)
                }
                for run in 0..<SextantFuzz.radioRuns {
                    try beacons.run(seed: seed, number: number * SextantFuzz.radioRuns + run)
                }
                try places.run(seed: seed, number: number)
                try services.run(seed: seed, number: number)
            } catch {
                FileOutput.error("seed \(seed), session \(number): \(error)\n")
                throw ExitCode(1)
            }
            let elapsed = ProcessorClock.seconds - before
            slowest = max(slowest, elapsed)
            guard unhurried || elapsed < SextantFuzz.sessionLimit else {
                FileOutput.error("seed \(seed), session \(number): took \(elapsed) s\n")
                throw ExitCode(1)
            }
            if number - first == warmUp { memory = Int(ProgramMemory.residentBytes) }
            if (number - first) % 600 == 599 {
                FileOutput.error("\((number - first + 1) * SextantFuzz.inputCount) inputs, session \(number)\n")
            }
        }
        let growth = Int(ProgramMemory.residentBytes) - memory
        let seconds = ProcessorClock.seconds - begin
        let count = sessions * SextantFuzz.inputCount
        print(
            """
            inputs \(count), seed \(seed), bytes of a receiver \(session.byteCount), messages \(session.messageCount), \
            epochs \(session.epochCount), Bluetooth events \(beacons.eventCount), beacons \(beacons.beaconCount), \
            questions for places \(places.inputCount), placemarks \(places.placemarkCount), \
            requests and rows \(services.inputCount), understood \(services.understoodCount), \
            inputs/s \(Int(Double(count) / seconds)), processor time \(Int(seconds)) s, slowest session \(Int(slowest * 1e6)) us, memory growth \(growth / 1024) KiB
            """)
        guard unhurried || growth < SextantFuzz.growthLimit else {
            FileOutput.error("memory grew by \(growth) bytes\n")
            throw ExitCode(1)
        }
    }
}

/// The CPU time that this process has used, in seconds; other work of the machine does not count.
enum ProcessorClock {
    static var seconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

enum FileOutput {
    static func error(_ text: String) {
        var text = text
        text.withUTF8 { bytes in _ = unsafe Glibc.write(2, bytes.baseAddress, bytes.count) }
    }
}
