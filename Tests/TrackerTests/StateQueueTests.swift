import SextantUnits
import Store
import Testing

@testable import Tracker

@Suite("Changes that wait for the card")
struct StateQueueTests {
    private var queue = StateQueue()

    private func put(_ name: String, _ value: String = "x", of client: String = "a") -> StateChange {
        .put(StateRow(table: .registrations, client: client, name: name, value: Array(value.utf8)))
    }

    private mutating func nextChanges() -> [StateChange]? { queue.takeNext() }

    @Test mutating func `all changes during a transaction are written together in the next one`() {
        #expect(nextChanges() == nil)
        #expect(queue.fateOfLast == .kept)
        _ = queue.add([put("1")], isTold: true)
        #expect(nextChanges() == [put("1")])
        _ = queue.add([put("2")], isTold: true)
        _ = queue.add([put("3"), put("2", "y")], isTold: true)
        #expect(nextChanges() == nil)
        #expect(queue.fateOfLast == .waiting(ticket: 3))
        #expect(queue.finished(isRefused: false) == 1)
        #expect(queue.isAwaited)
        #expect(nextChanges() == [put("2", "y"), put("3")])
        #expect(queue.finished(isRefused: false) == 3)
        #expect(!queue.isAwaited && queue.fateOfLast == .kept)
        #expect(nextChanges() == nil)
    }

    @Test mutating func `refused changes are written before the next ones, unless the next ones replace them`() {
        _ = queue.add([put("1"), put("2")], isTold: true)
        _ = queue.takeNext()
        _ = queue.finished(isRefused: true)
        #expect(queue.fateOfLast == .refused && !queue.isAwaited && queue.unsettled() == nil)
        _ = queue.add([put("3"), put("1", "new")], isTold: true)
        #expect(queue.unsettled() == 2)
        #expect(nextChanges() == [put("1", "new"), put("2"), put("3")])
        _ = queue.finished(isRefused: false)
        #expect(queue.fateOfLast == .kept)
    }

    @Test mutating func `at the end the rest follows the running transaction, each with its own outcome`() {
        #expect(queue.takeRest() == [])
        _ = queue.add([put("1")], isTold: true)
        _ = queue.takeNext()
        _ = queue.add([put("2")], isTold: true)
        #expect(queue.takeRest() == [put("2")])
        #expect(queue.finished(isRefused: true) == 1 && queue.fateOfLast == .waiting(ticket: 2))
        #expect(queue.finished(isRefused: false) == 2 && queue.fateOfLast == .kept)
    }

    @Test mutating func `a new client waits only for changes that are reported to clients`() {
        _ = queue.add([put("1")], isTold: false)
        #expect(queue.unsettled() == nil && queue.isAwaited)
    }

    @Test mutating func `a new client waits for its own rows and decisions about all, not for another client's rows`() {
        func own(_ client: String?, _ isOperator: Bool = false) -> StateQueue.Concern {
            .own(client: client, isOperator: isOperator)
        }
        func decision(_ client: String) -> StateChange {
            .put(StateRow(table: .authorization, client: client, name: "record", value: [1]))
        }
        let off = StateChange.put(StateRow(table: .settings, client: "", name: StateRow.servicesSwitch, value: [0]))
        let place = StateChange.put(StateRow(table: .settings, client: "", name: "lastLocation", value: [0]))
        _ = queue.add([put("1", of: "a"), place], isTold: true)
        let waiting = [own("a"), own("b"), own(nil), own(nil, true), .everything].map { queue.unsettled($0) }
        #expect(waiting == [1, nil, nil, nil, 1])
        _ = queue.takeNext()
        _ = queue.add([decision("b")], isTold: true)
        #expect(queue.unsettled(own("a")) == 1 && queue.unsettled(own("b")) == 2)
        #expect(queue.unsettled(own(nil)) == nil && queue.unsettled(own(nil, true)) == 2)
        _ = queue.add([off], isTold: true)
        #expect([own("a"), own("b"), own(nil), own(nil, true)].allSatisfy { queue.unsettled($0) == 3 })
        // A refused row is said to be refused to whom it concerns alone.
        _ = queue.finished(isRefused: false)
        _ = queue.takeNext()
        _ = queue.finished(isRefused: false)
        _ = queue.add([put("2", of: "b")], isTold: true)
        _ = queue.takeNext()
        _ = queue.finished(isRefused: true)
        #expect(queue.fateOfTold(own("b")) == .refused && queue.fateOfTold() == .refused)
        #expect(queue.fateOfTold(own("a")) == .kept && queue.fateOfTold(own(nil, true)) == .kept)
    }

    @Test mutating func `one client's changes fill its share and no other's`() {
        for index in 0..<StateQueue.share.changes {
            #expect(queue.hasRoom(for: "a"))
            #expect(queue.add([put("\(index)")], isTold: true) == true)
        }
        #expect(!queue.hasRoom(for: "a") && queue.hasRoom(for: "b"))
        // What nobody asked for still has room, and then none.
        for index in 0..<2048 { #expect(queue.add([put("more \(index)")], isTold: true) == true) }
        #expect(queue.add([put("last")], isTold: true) == false)
        #expect(queue.add([put("1", of: "b")], isTold: true) == true)
        let next = queue.takeNext()
        #expect(next?.count == 4097 && next?.last == put("1", of: "b"))
    }

    @Test mutating func `changing one row again and again does not fill the queue`() {
        for _ in 0..<10_000 { #expect(queue.add([put("visits")], isTold: true) == true) }
        #expect(queue.hasRoom(for: "a"))
        let changes = nextChanges()
        #expect(changes?.count == 1)
    }

    @Test mutating func `a row that is too long is refused alone`() {
        let long = put("1", String(repeating: "x", count: StateRow.maximumBytes))
        #expect(queue.add([long, put("2")], isTold: true) == false)
        #expect(nextChanges() == [put("2")])
    }

    @Test func `refused changes are tried again after waits that double up to about a minute`() {
        var retries = StoreRetries()
        #expect(retries.due == nil)
        let waits = (0..<8).map { _ in
            retries.failed(at: MonotonicInstant(nanoseconds: 0))
            return (retries.due?.nanoseconds ?? 0) / 1_000_000_000
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 64, 64])
    }
}
