internal import ArgumentParser

/// `sextant-benchmark decode`: measures the speed of the NMEA and UBX decoder and counts its heap allocations.
struct DecodeBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Measure decoding in memory: speed, and heap allocations in the steady state.",
        discussion: """
            Each file is repeated in memory to the size asked for and decoded whole, once to warm up and then in \
            measured passes of which the median counts; times are the process's own CPU time. Without files, an \
            emulated receiver's NMEA and UBX are measured. "fixes" is bytes to epochs without output; "gpsd" writes \
            TPV and SKY objects to memory as well.

            Exit status: 0; 1 where --check finds an allocation; 64 for usage; 65 where an input held no message; 74 \
            where a file could not be read.
            """
    )

    @Argument(help: ArgumentHelp("Recordings, each measured by itself.", valueName: "file"))
    var files: [String] = []

    @Option(help: ArgumentHelp("Megabytes to repeat an input to.", valueName: "MB"))
    var size = 64

    @Option(help: "Measured passes over each input.")
    var passes = 5

    @Option(help: "Measure one kind of work alone: fixes or gpsd.")
    var work: DecodeWork?

    @Option(help: ArgumentHelp("Only write the emulated inputs, to NMEA and UBX in a folder.", valueName: "folder"))
    var write: String?

    @Flag(help: "Time nothing; fail if a pass allocates after the first. For continuous integration.")
    var check = false

    func validate() throws {
        guard (1...4096).contains(size) else { throw ValidationError("--size is 1 to 4096 megabytes.") }
        guard (1...1000).contains(passes) else { throw ValidationError("--passes is 1 to 1000.") }
    }

    func run() throws {
        guard AllocationProbe.works else {
            print("The allocation counter does not see this process's allocations.")
            throw ExitCode.failure
        }
        if let write {
            for input in BenchmarkInput.synthetic(size * 1_000_000) { try input.write(to: write) }
            return
        }
        let byteCount = check ? 4_000_000 : size * 1_000_000
        let inputs =
            files.isEmpty
            ? BenchmarkInput.synthetic(byteCount)
            : try files.map { name in try BenchmarkInput(file: name, byteCount: byteCount) }
        var measurements: [Measurement] = []
        for input in inputs {
            for work in DecodeWork.allCases where work == self.work ?? work {
                measurements.append(try Measurement(of: input, work, passes: check ? 1 : passes))
            }
        }
        if check {
            try report(measurements)
        } else {
            print(Measurement.table(measurements))
        }
    }

    private func report(_ measurements: [Measurement]) throws {
        for measurement in measurements { print(measurement.allocationLine) }
        guard measurements.allSatisfy({ $0.allocations == 0 }) else { throw ExitCode.failure }
    }
}
