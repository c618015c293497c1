internal import ArgumentParser
internal import Emulation
internal import Glibc
internal import Receivers
internal import Simulation

/// Compares Sextant's power policy with two policies of fixed intervals, and with an oracle, which knows the trace of
/// positions in advance, on every trace and for every desired accuracy.
///
/// It prints the power that each policy drew, and how often its location was wrong while the board moved.
struct PowerBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "power",
        abstract: "Compare Sextant's power policy with fixed intervals and an oracle, as a table in Markdown.",
        discussion: """
            Traces are files of time,latitude,longitude; without any, synthetic ones are used. --picture draws Sextant's \
            run on the first trace at the first accuracy.

            A location is wrong while it is farther from the truth than the accuracy. Only moving time counts: the truth \
            goes more than 50 m a minute, for two minutes or more. A policy that is wrong for more than 5 % of the moving \
            time fails. "Right again" is the time from the first violation of a movement until the location is right, at \
            90 % of the movements; "longest" is the longest violation within a movement. The oracle knows the way \
            beforehand and may be wrong for 5 % of the moving time.

            Exit status: 0 when done; 64 for usage; 1 where a file or a run failed, or where --check finds an allocation.
            """)

    @Argument(help: ArgumentHelp("Traces.", valueName: "csv"))
    var traces: [String] = []

    @Option(help: ArgumentHelp("The receiver.", valueName: "model"), transform: PowerBenchmark.model)
    var receiver: ReceiverModel = .neoM8N

    @Option(parsing: .upToNextOption, help: ArgumentHelp("Accuracies asked for.", valueName: "metres"))
    var accuracy: [Double] = [50, 100, 250]

    @Option(help: "How many seeds of each kind of synthetic trace, where no trace is given.")
    var seeds = 2

    @Flag(help: "The board has no motion sensor.")
    var noMotionSensor = false

    @Option(help: ArgumentHelp("Draw one run here.", valueName: "svg"))
    var picture: String?

    @Flag(help: "Simulate nothing; fail where an event of the energy ledger allocates. For continuous integration.")
    var check = false

    private static func model(_ text: String) throws -> ReceiverModel {
        guard let model = ReceiverModel(rawValue: text) else {
            let names = ReceiverModel.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("\(text) cannot be simulated; choose one of \(names)")
        }
        return model
    }

    func validate() throws {
        guard accuracy.allSatisfy((1...100_000).contains) else {
            throw ValidationError("--accuracy is in metres, from 1 to 100000")
        }
        guard (1...100).contains(seeds) else { throw ValidationError("--seeds must be from 1 to 100") }
    }

    func run() throws {
        guard !check else { return try checkAllocations() }
        let policies: [(name: String, policy: SimulationPolicy)] = [
            ("Sextant", .adaptive), ("every 60 s", .interval(seconds: 60)), ("every 300 s", .interval(seconds: 300)),
        ]
        var table = ScoreTable(allowance: 0.05)
        var isDrawn = picture == nil
        for trace in try selected() {
            for metres in accuracy {
                var settings = SimulationSettings(
                    model: receiver, trajectory: trace.trajectory, accuracy: metres,
                    hasMotionSensor: !noMotionSensor)
                let truth = try settings.truth()
                let oracle = settings.oracle(on: truth)
                for (name, policy) in policies {
                    settings.policy = policy
                    let result = try Simulation.run(settings, on: truth)
                    let score = try result.score(of: settings, against: truth, oracle: oracle)
                    table.add(score, policy: name, trace: trace.name, accuracy: metres)
                    if !isDrawn {
                        let figures = SimulationReport(score, of: result).headline
                        let title = "\(trace.name), \(receiver.rawValue), \(name): \(figures)"
                        try draw(result, truth, metres, title: title)
                        isDrawn = true
                    }
                }
            }
        }
        print(table.markdown, terminator: "")
    }

    private func checkAllocations() throws {
        let ledger = try LedgerMeasurement()
        print("the energy ledger: \(ledger.allocations) allocations in \(ledger.events) events after the first round")
        guard ledger.allocations == 0 else { throw ExitCode.failure }
    }

    private struct Trace {
        var name: String
        var trajectory: Trajectory
    }

    private func selected() throws -> [Trace] {
        guard traces.isEmpty else {
            return try traces.map { path in
                let file = path.split(separator: "/").last ?? ""
                let name = String(file.hasSuffix(".csv") ? file.dropLast(4) : file)
                return Trace(name: name, trajectory: try TrajectoryFile.read(path: path))
            }
        }
        return (1...UInt64(seeds)).flatMap { seed in
            [
                synthetic("day \(seed)", SyntheticTruth.dailyLife(seed: seed)),
                synthetic("bicycle \(seed)", SyntheticTruth.bicycleRide(seed: seed)),
                synthetic("hike \(seed)", SyntheticTruth.hike(seed: seed)),
                synthetic("drive \(seed)", SyntheticTruth.drive(seed: seed)),
            ]
        }
    }

    private func synthetic(_ name: String, _ points: [TruthPoint]) -> Trace {
        Trace(
            name: name,
            trajectory: Trajectory(
                points: points.map {
                    Emulation.TrajectoryPoint(time: $0.time, latitude: $0.latitude, longitude: $0.longitude)
                }))
    }

    private func draw(_ result: SimulationResult, _ truth: TruthGrid, _ metres: Double, title: String) throws {
        guard let picture else { return }
        let svg = PowerPicture(of: result.record, against: truth, accuracy: metres, title: title).svg
        guard let file = unsafe fopen(picture, "we") else { throw PictureError(path: picture, code: errno) }
        var text = svg
        let isWritten = text.withUTF8 { bytes in
            // Safety: the bytes live until the call returns.
            unsafe fwrite(bytes.baseAddress, 1, bytes.count, file) == bytes.count
        }
        let isClosed = unsafe fclose(file) == 0
        guard isWritten, isClosed else { throw PictureError(path: picture, code: errno) }
    }
}

/// The error for a picture that could not be written.
struct PictureError: Error, CustomStringConvertible {
    var path: String
    var code: Int32

    var description: String {
        "\(path): cannot be written: \(unsafe String(cString: strerror(code))); name another file"
    }
}
