internal import AllocationCounter
internal import ArgumentParser

/// The time and heap allocations of one kind of work on one input.
struct Measurement {
    var input: String
    var work: DecodeWork
    var byteCount: Int
    /// The number of messages in one pass through the input.
    var messages: Int
    var epochs: Int
    /// Heap allocations in all measured passes; there must be none.
    var allocations: Int
    /// Seconds of CPU time of the pass with the median time.
    var seconds: Double
    /// Seconds of CPU time of the fastest pass, which other programs disturbed least.
    var fastestSeconds: Double

    init(of input: BenchmarkInput, _ work: DecodeWork, passes: Int) throws {
        var pipeline = DecodePipeline(work)
        pipeline.run(input.bytes.span)
        var times = [Double](repeating: 0, count: passes)
        let before = (messages: pipeline.messages, epochs: pipeline.epochs, allocations: AllocationProbe.count)
        guard before.messages > 0, pipeline.positions > 0 else {
            print("\(input.name): no position in it")
            throw ExitCode(65)
        }
        for pass in times.indices {
            let start = ProcessorClock.seconds
            pipeline.run(input.bytes.span)
            times[pass] = ProcessorClock.seconds - start
        }
        allocations = AllocationProbe.count - before.allocations
        self.input = input.name
        self.work = work
        byteCount = input.bytes.count
        messages = (pipeline.messages - before.messages) / passes
        epochs = (pipeline.epochs - before.epochs) / passes
        times.sort()
        seconds = times[passes / 2]
        fastestSeconds = times[0]
    }
}

extension Measurement {
    var allocationLine: String {
        "\(input), \(work.rawValue): \(allocations) allocations in \(messages) messages after the first pass"
    }

    static func table(_ measurements: [Measurement]) -> String {
        let head = """
            | input | work | MB/s, median | MB/s, fastest | messages/s | epochs/s | ns a message | allocations a message |
            |---|---|---:|---:|---:|---:|---:|---:|
            """
        return measurements.reduce(head) { $0 + "\n" + $1.row }
    }

    private var row: String {
        let cells = [
            input.split(separator: "/").last.map { String($0) } ?? input,
            work.rawValue,
            whole(Double(byteCount) / 1e6 / seconds),
            whole(Double(byteCount) / 1e6 / fastestSeconds),
            whole(Double(messages) / seconds),
            whole(Double(epochs) / seconds),
            whole(seconds * 1e9 / Double(messages)),
            allocations == 0 ? "0" : "\(Double(allocations) / Double(messages))",
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    private func whole(_ value: Double) -> String { String(Int(value.rounded())) }
}

/// Counts the heap allocations of this process.
enum AllocationProbe {
    static var count: Int { Int(allocation_count()) }

    /// Whether allocations are really counted: checks that a new array raises the count.
    static var works: Bool {
        let before = count
        let array = [UInt8](repeating: 1, count: before & 1 + 100)
        return array.count >= 100 && count > before
    }
}
