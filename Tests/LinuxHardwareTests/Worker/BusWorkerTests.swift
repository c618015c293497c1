import Glibc
import LinuxHardware
import Reactor
import Synchronization
import Testing
import Units

/// Holds a worker's thread until the test lets it go on.
private final class Gate: Sendable {
    private let isOpen = Mutex(false)

    func open() { isOpen.withLock { $0 = true } }

    func pass() { while !isOpen.withLock({ $0 }) { usleep(1000) } }
}

@Suite("A bus's worker")
struct BusWorkerTests {
    private final class Answers {
        var texts: [String] = []
    }

    private let reactor: Reactor
    private let answers = Answers()

    init() throws { reactor = try Reactor() }

    /// Serves until so many answers are there, for ten seconds at most.
    private func wait(for count: Int) throws {
        reactor.onWake { [reactor] _ in reactor.stop() }
        let end = Clock.now().advanced(byNanoseconds: 10_000_000_000)
        while answers.texts.count < count, Clock.now() < end {
            reactor.setWake(at: Clock.now().advanced(byNanoseconds: 5_000_000))
            try reactor.run()
        }
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
                gate.pass()
                return "\(order)"
            }
        }
        var taken: [Bool] = []
        let before = Clock.now()
        // One may be carried out already.
        for order in 0..<6 { taken.append(worker.order(order)) }
        #expect(Clock.now().nanoseconds(since: before) < 1_000_000_000)
        let count = taken.count { $0 }
        #expect((2...3).contains(count))
        gate.open()
        try wait(for: count)
        #expect(answers.texts.count == count)
    }

    @Test func `a closed worker gives no more answers, accepts no orders, and is not waited for`() throws {
        let gate = Gate()
        let worker = try worker {
            { order in
                gate.pass()
                return "\(order)"
            }
        }
        let isTaken = worker.order(1)
        #expect(isTaken)
        worker.close()
        let isTakenLater = worker.order(2)
        #expect(!isTakenLater)
        gate.open()
        reactor.onWake { [reactor] _ in reactor.stop() }
        reactor.setWake(at: Clock.now().advanced(byNanoseconds: 50_000_000))
        try reactor.run()
        #expect(answers.texts.isEmpty)
    }

    @Test func `without orders the reactor is not woken`() throws {
        let worker = try worker { { "\($0)" } }
        reactor.onWake { [reactor] _ in reactor.stop() }
        reactor.setWake(at: Clock.now().advanced(byNanoseconds: 50_000_000))
        try reactor.run()
        #expect(reactor.wakeUps == 1)
        worker.close()
    }

    @Test func `the thread and its server end with the worker`() throws {
        let ended = Gate()
        final class Server: Sendable {
            let ended: Gate
            init(_ ended: Gate) { self.ended = ended }
            deinit { ended.open() }
        }
        do {
            let worker = try worker {
                let server = Server(ended)
                return { order in withExtendedLifetime(server) { "\(order)" } }
            }
            _ = worker.order(1)
            try wait(for: 1)
        }
        ended.pass()
    }
}
