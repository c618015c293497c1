import Glibc
import SextantReactor
import TestSupport
import Testing

@testable import Store

@Suite("Store worker")
struct StoreWorkerTests {
    private let scratch: Scratch
    private let reactor: Reactor

    init() throws {
        scratch = try Scratch()
        reactor = try Reactor()
    }

    /// What was told of the transactions that a test submits.
    private final class Told {
        var numbers: [Int] = []
        var errors: [StoreError.Kind] = []
        /// Called for every transaction, with this itself: a closure that held it would keep it, and the test's folder, for ever.
        var then: (Told) -> Void = { _ in }

        func submit(_ number: Int, _ changes: [StateChange], to worker: StoreWorker) throws(StoreError) {
            try worker.submit(changes) { [self] error in
                numbers.append(number)
                if let error { errors.append(error.kind) }
                then(self)
            }
        }
    }

    private func worker() throws -> StoreWorker { try StoreWorker(scratch.files(), reactor: reactor) }

    /// Keeps the worker busy until the gate opens.
    private func hold(_ worker: StoreWorker) throws -> Gate {
        let gate = Gate()
        try worker.perform({ _ throws(StoreError) in try? gate.pass() }, then: { _ in })
        try gate.waitUntilReached()
        return gate
    }

    @Test func `completions run in order on the reactor's thread once each transaction is on the card`() throws {
        let told = Told()
        let worker = try worker()
        let thread = pthread_self()
        told.then = { told in
            #expect(pthread_equal(thread, pthread_self()) != 0)
            if told.numbers.count == 100 { reactor.stop() }
        }
        for number in 0..<100 { try told.submit(number, [put(.events, "a", "\(number)", "x")], to: worker) }
        try reactor.run(until: "the last completion")
        #expect(told.numbers == Array(0..<100) && told.errors.isEmpty)
        worker.stop()
        #expect(try scratch.database().rows().count == 100)
    }

    @Test func `an error is reported for its own transaction, and later transactions are kept`() throws {
        let told = Told()
        let worker = try worker()
        try worker.perform { database throws(StoreError) in
            try database.limit(pages: 30)
        } then: { _ in
        }
        let gate = try hold(worker)
        let long = String(repeating: "x", count: 200_000)
        try told.submit(1, [put(.events, "a", "1", long), put(.events, "a", "2", "x")], to: worker)
        try told.submit(2, [put(.events, "a", "1", String(repeating: "x", count: 1_048_577))], to: worker)
        try told.submit(3, [put(.events, "a", "3", "x")], to: worker)
        gate.open()
        worker.stop()
        #expect(told.numbers == [1, 2, 3] && told.errors == [.full, .rowTooLarge])
        #expect(try scratch.database().rows() == [row(.events, "a", "3", "x")])
    }

    @Test func `stopping the worker completes all submitted transactions and closes the database`() throws {
        let told = Told()
        let worker = try worker()
        for number in 0..<300 { try told.submit(number, [put(.events, "a", "\(number)", "x")], to: worker) }
        worker.stop()
        #expect(told.numbers == Array(0..<300))
        #expect(refusal { () throws(StoreError) in try told.submit(1, [], to: worker) }?.kind == .closed)
        #expect(scratch.stateNames == ["state.decisions", "state.lock", "state.sqlite"])
        worker.stop()
        #expect(try scratch.database().rows().count == 300)
    }

    @Test func `a worker writes all submitted transactions before it is released`() throws {
        let told = Told()
        do {
            let worker = try worker()
            for number in 0..<50 { try told.submit(number, [put(.events, "a", "\(number)", "x")], to: worker) }
        }
        #expect(try scratch.database().rows().count == 50)
        // The worker's last message has nobody to tell any more.
        try reactor.serveReady()
    }

    @Test func `a transaction waits for at most one job, and completes before the next job`() throws {
        let told = Told()
        let worker = try worker()
        var answered: [Int] = []
        let gate = try hold(worker)
        for job in 1...3 {
            try worker.perform { _ throws(StoreError) in
                job
            } then: { _ in
                answered.append(job)
                if job == 3 { reactor.stop() }
            }
        }
        try told.submit(1, [put(.events, "a", "1", "x")], to: worker)
        told.then = { _ in #expect(answered.isEmpty) }
        gate.open()
        try reactor.run(until: "the last job")
        #expect(told.numbers == [1] && answered == [1, 2, 3])
        worker.stop()
    }

    @Test func `a worker wakes the reactor once for a transaction, and not while it is idle`() throws {
        let told = Told()
        let worker = try worker()
        #expect(try reactor.serveReady(atMost: 5) == 0)
        told.then = { _ in reactor.stop() }
        try told.submit(1, [put(.events, "a", "1", "x")], to: worker)
        try reactor.run(until: "the completion")
        #expect(reactor.wakeUps == 1)
        #expect(try reactor.serveReady(atMost: 5) == 0)
        worker.stop()
    }

    @Test func `the worker's thread wakes once for each transaction at most, and sleeps between them`() throws {
        let told = Told()
        let worker = try worker()
        told.then = { told in
            guard told.numbers.count < 20 else { return reactor.stop() }
            try? told.submit(told.numbers.count, [put(.events, "a", "1", "x")], to: worker)
        }
        try told.submit(0, [put(.events, "a", "1", "x")], to: worker)
        try reactor.run(until: "the last completion")
        #expect(told.numbers == Array(0..<20) && (1...20).contains(worker.rounds))
        worker.stop()
    }

    @Test func `an inline worker completes a submission before it returns`() throws {
        let told = Told()
        let worker = StoreWorker(inline: scratch.files())
        try told.submit(7, [put(.events, "a", "1", "x")], to: worker)
        #expect(told.numbers == [7] && told.errors.isEmpty)
        var count = 0
        try worker.perform { database throws(StoreError) in
            try database.rows().count
        } then: { result in
            count = (try? result.get()) ?? 0
        }
        #expect(count == 1)
        told.then = { [unowned worker] told in
            told.then = { _ in }
            let third = put(.events, "a", "3", "x")
            #expect(refusal { () throws(StoreError) in try told.submit(9, [third], to: worker) } == nil)
        }
        try told.submit(8, [put(.events, "a", "2", "x")], to: worker)
        #expect(told.numbers == [7, 8, 9])
        worker.stop()
        #expect(refusal { () throws(StoreError) in try told.submit(1, [], to: worker) }?.kind == .closed)
        #expect(try scratch.database().rows().count == 3)
    }
}
