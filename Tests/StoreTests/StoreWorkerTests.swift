import Foundation
import Glibc
import Reactor
import Store
import Synchronization
import Testing
import Units

@Suite("Store worker", .serialized, .timeLimit(.minutes(1)))
struct StoreWorkerTests {
    private let scratch: Scratch
    private let reactor: Reactor

    init() throws {
        scratch = try Scratch()
        reactor = try Reactor()
    }

    /// What the completion was told.
    private final class Told {
        var tickets: [UInt32] = []
        var errors: [StoreError.Kind] = []
        /// Called for every ticket, with this itself: a closure that held it would keep it, and the test's folder, for ever.
        var then: (Told) -> Void = { _ in }

        func take(_ ticket: UInt32, _ error: StoreError?) {
            tickets.append(ticket)
            if let error { errors.append(error.kind) }
            then(self)
        }
    }

    private func worker(_ told: Told) throws -> StoreWorker {
        try StoreWorker(scratch.files(), reactor: reactor) { told.take($0, $1) }
    }

    /// Keeps the worker busy until the gate opens.
    private func hold(_ worker: StoreWorker) throws -> Gate {
        let gate = Gate()
        try worker.perform({ _ throws(StoreError) in gate.wait() }, then: { _ in })
        gate.waitUntilReached()
        return gate
    }

    @Test func `every ticket is answered on the reactor's thread, in order, when its changes are on the card`() throws {
        let told = Told()
        let worker = try worker(told)
        let thread = pthread_self()
        told.then = { told in
            #expect(pthread_equal(thread, pthread_self()) != 0)
            if told.tickets.count == 100 { reactor.stop() }
        }
        for ticket in 0..<100 { try worker.submit(ticket: UInt32(ticket), [put(.events, "a", "\(ticket)", "x")]) }
        #expect(worker.outstanding == 100)
        try reactor.run()
        #expect(told.tickets == Array(0..<100) && told.errors.isEmpty && worker.outstanding == 0)
        worker.stop()
        #expect(try scratch.database().rows().count == 100)
    }

    @Test func `what waits is one transaction, and of several changes to a row the last is written`() throws {
        let told = Told()
        let worker = try worker(told)
        let gate = try hold(worker)
        for ticket in 0..<500 {
            try worker.submit(
                ticket: UInt32(ticket),
                [put(.events, "a", "\(ticket % 7)", "\(ticket)"), put(.sessions, "b", "n", "\(ticket)")])
        }
        try worker.submit(ticket: 500, [.erase(client: "b"), .remove(.events, client: "a", name: "0")])
        try worker.submit(ticket: 501, [put(.sessions, "b", "m", "after"), .remove(.sessions, client: "b", name: "n")])
        try worker.submit(ticket: 502, [])
        gate.open()
        var answer: (transactions: Database.Transactions, rows: [StateRow])?
        try worker.perform { database throws(StoreError) in
            (database.transactions, try database.rows())
        } then: { result in
            answer = try? result.get()
        }
        worker.stop()
        #expect(told.tickets == Array(0..<503) && told.errors.isEmpty)
        #expect(answer?.transactions.onCard == 1)
        let expected = (1..<7).map { row(.events, "a", "\($0)", "\((499 - $0) / 7 * 7 + $0)") }
        #expect(answer?.rows == expected + [row(.sessions, "b", "m", "after")])
    }

    @Test func `at its bound it takes nothing of a submission, and goes on when there is room`() throws {
        let told = Told()
        let worker = try worker(told)
        let gate = try hold(worker)
        let many = (0..<1000).map { put(.events, "a", "\($0)", "x") }
        try worker.submit(ticket: 1, many)
        let error = refusal { () throws(StoreError) in
            try worker.submit(ticket: 2, (0..<25).map { put(.events, "b", "\($0)", "x") })
        }
        #expect(error?.kind == .backlog && error?.description.contains("the card is too slow") == true)
        try worker.submit(ticket: 3, (0..<24).map { put(.events, "c", "\($0)", "x") })
        gate.open()
        told.then = { told in if told.tickets.last == 3 { reactor.stop() } }
        try reactor.run()
        try worker.submit(ticket: 4, (0..<3000).map { put(.events, "d", "\($0)", "x") })
        worker.stop()
        #expect(told.tickets == [1, 3, 4] && told.errors.isEmpty)
        let rows = try scratch.database().rows()
        #expect(rows.count == 4024 && !rows.contains { $0.client == "b" })
    }

    @Test func `so many unanswered submissions are enough`() throws {
        let told = Told()
        let worker = try worker(told)
        let gate = try hold(worker)
        for ticket in 1..<StoreWorker.capacity { try worker.submit(ticket: UInt32(ticket), []) }
        #expect(refusal { () throws(StoreError) in try worker.submit(ticket: 0, []) }?.kind == .backlog)
        gate.open()
        worker.stop()
        #expect(told.tickets.count == StoreWorker.capacity - 1)
    }

    @Test func `an error is told for all that waited together, and later ones are kept`() throws {
        let told = Told()
        let worker = try worker(told)
        try worker.perform { database throws(StoreError) in
            try database.limit(pages: 30)
        } then: { _ in
        }
        let gate = try hold(worker)
        let long = String(repeating: "x", count: 200_000)
        try worker.submit(ticket: 1, [put(.events, "a", "1", long)])
        try worker.submit(ticket: 2, [put(.events, "a", "2", "x")])
        gate.open()
        told.then = { told in if told.tickets.count == 2 { reactor.stop() } }
        try reactor.run()
        #expect(told.errors == [.full, .full])
        let tooLong = put(.events, "a", "1", String(repeating: "x", count: 1_048_577))
        #expect(refusal { () throws(StoreError) in try worker.submit(ticket: 9, [tooLong]) }?.kind == .rowTooLarge)
        try worker.submit(ticket: 3, [put(.events, "a", "3", "x")])
        worker.stop()
        #expect(told.tickets == [1, 2, 3] && told.errors.count == 2)
        #expect(try scratch.database().rows() == [row(.events, "a", "3", "x")])
    }

    @Test func `stopping writes and answers what was submitted, and closes the database`() throws {
        let told = Told()
        let worker = try worker(told)
        for ticket in 0..<300 { try worker.submit(ticket: UInt32(ticket), [put(.events, "a", "\(ticket)", "x")]) }
        worker.stop()
        #expect(told.tickets == Array(0..<300))
        #expect(refusal { () throws(StoreError) in try worker.submit(ticket: 1, []) }?.kind == .closed)
        #expect(scratch.stateNames == ["state.decisions", "state.lock", "state.sqlite"])
        worker.stop()
        #expect(try scratch.database().rows().count == 300)
    }

    @Test func `one that is let go has written everything`() throws {
        do {
            let worker = try worker(Told())
            for ticket in 0..<50 { try worker.submit(ticket: UInt32(ticket), [put(.events, "a", "\(ticket)", "x")]) }
        }
        #expect(try scratch.database().rows().count == 50)
        try reactor.run(forMilliseconds: 20)
    }

    @Test func `what is to be written waits for one job at most, and is answered before the next`() throws {
        let told = Told()
        let worker = try worker(told)
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
        try worker.submit(ticket: 1, [put(.events, "a", "1", "x")])
        told.then = { _ in #expect(answered.isEmpty) }
        gate.open()
        try reactor.run()
        #expect(told.tickets == [1] && answered == [1, 2, 3])
        worker.stop()
    }

    @Test func `with nothing to do nobody wakes`() throws {
        let told = Told()
        let worker = try worker(told)
        told.then = { _ in reactor.stop() }
        try worker.submit(ticket: 1, [put(.events, "a", "1", "x")])
        try reactor.run()
        let task = try #require(StoreWorkerTests.task(named: "sextant-store"))
        // It goes back to sleep first.
        usleep(50_000)
        let (switches, wakeUps) = (try StoreWorkerTests.switches(of: task), reactor.wakeUps)
        try reactor.run(forMilliseconds: 400)
        #expect(try StoreWorkerTests.switches(of: task) == switches)
        // The timer's.
        #expect(reactor.wakeUps == wakeUps + 1)
        worker.stop()
    }

    @Test func `inline, a submission returns when it is answered`() throws {
        let told = Told()
        let worker = StoreWorker(inline: scratch.files()) { told.take($0, $1) }
        try worker.submit(ticket: 7, [put(.events, "a", "1", "x")])
        #expect(told.tickets == [7] && told.errors.isEmpty && worker.outstanding == 0)
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
            #expect(refusal { () throws(StoreError) in try worker.submit(ticket: 9, [third]) } == nil)
        }
        try worker.submit(ticket: 8, [put(.events, "a", "2", "x")])
        #expect(told.tickets == [7, 8, 9])
        worker.stop()
        #expect(refusal { () throws(StoreError) in try worker.submit(ticket: 1, []) }?.kind == .closed)
        #expect(try scratch.database().rows().count == 3)
    }

    private static func task(named name: String) -> String? {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.first {
            (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == name + "\n"
        }
    }

    private static func switches(of task: String) throws -> [Substring] {
        try String(contentsOfFile: "/proc/self/task/\(task)/status", encoding: .utf8).split(separator: "\n")
            .filter { $0.contains("ctxt_switches") }
    }
}

/// A place at which another thread waits.
private final class Gate: Sendable {
    private let state = Mutex((isReached: false, isOpen: false))

    func wait() {
        state.withLock { $0.isReached = true }
        while !state.withLock({ $0.isOpen }) { usleep(1000) }
    }

    func waitUntilReached() { while !state.withLock({ $0.isReached }) { usleep(1000) } }

    func open() { state.withLock { $0.isOpen = true } }
}

extension Reactor {
    fileprivate func run(forMilliseconds limit: Int64) throws {
        onWake { [unowned self] _ in stop() }
        setWake(at: Clock.now().advanced(byNanoseconds: limit * 1_000_000))
        try run()
        setWake(at: nil)
    }
}
