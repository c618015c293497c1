import LinuxHardware
import SextantReactor
import TestSupport
import Testing

/// What a worker's server keeps: its end says that the worker's thread has ended.
private final class Kept: Sendable {
    private let ended: Gate

    init(_ ended: Gate) { self.ended = ended }

    deinit { ended.open() }
}

@Suite("A bus's worker")
struct BusWorkerTests {
    private final class Answers {
        var texts: [String] = []
    }

    private let reactor: Reactor
    private let answers = Answers()

    init() throws { reactor = try Reactor() }

    private func wait(for count: Int) throws {
        try reactor.serve(until: "\(count) answers") { answers.texts.count >= count }
    }

    private func worker(
        capacity: Int = 4, _ makeServer: @escaping @Sendable () -> (Int) -> String
    ) throws -> BusWorker<Int, String> {
        try BusWorker(
            "test-bus", capacity: capacity, reactor: reactor,
            answered: { [answers] in
                answers.texts.append($0)
            }, makeServer: makeServer)
    }

    @Test func `orders are carried out in sequence by a server made on the worker's thread`() throws {
        let worker = try worker {
            var count = 0
            return { order in
                count += 1
                return "\(order) is the \(count). order"
            }
        }
        for order in [7, 8, 9] {
            let isTaken = worker.order(order)
            #expect(isTaken)
        }
        try wait(for: 3)
        #expect(answers.texts == ["7 is the 1. order", "8 is the 2. order", "9 is the 3. order"])
    }

    @Test func `while the bus hangs, orders beyond the bound are refused and no caller is blocked`() throws {
        let gate = Gate()
        let worker = try worker(capacity: 2) {
            { order in
                try? gate.pass()
                return "\(order)"
            }
        }
        var taken: [Bool] = []
        // One may be carried out already.
        for order in 0..<6 { taken.append(worker.order(order)) }
        let count = taken.count { $0 }
        #expect((2...3).contains(count))
        gate.open()
        try wait(for: count)
        #expect(answers.texts.count == count)
    }

    @Test func `a closed worker gives no more answers, accepts no orders, and is not waited for`() throws {
        let (gate, ended) = (Gate(), Gate())
        let worker = try worker {
            let kept = Kept(ended)
            return { order in
                try? gate.pass()
                return withExtendedLifetime(kept) { "\(order)" }
            }
        }
        let isTaken = worker.order(1)
        #expect(isTaken)
        worker.close()
        let isTakenLater = worker.order(2)
        #expect(!isTakenLater)
        gate.open()
        try ended.pass()
        try reactor.serveReady()
        #expect(answers.texts.isEmpty)
    }

    @Test func `without orders the reactor is not woken`() throws {
        let begun = Gate()
        let worker = try worker {
            begun.open()
            return { "\($0)" }
        }
        try begun.pass()
        #expect(try reactor.serveReady(atMost: 5) == 0)
        _ = worker.order(1)
        try wait(for: 1)
        #expect(try reactor.serveReady(atMost: 5) == 0)
        #expect(reactor.wakeUps == 1)
        worker.close()
    }

    @Test func `the thread and its server end with the worker`() throws {
        let ended = Gate()
        do {
            let worker = try worker {
                let kept = Kept(ended)
                return { order in withExtendedLifetime(kept) { "\(order)" } }
            }
            _ = worker.order(1)
            try wait(for: 1)
        }
        try ended.pass()
    }
}
