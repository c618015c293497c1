import Testing

@testable import Store

@Suite("Changes that wait for one transaction")
struct StateBatchTests {
    private func put(_ name: String, _ table: StateTable = .deferred, _ client: String = "a") -> StateChange {
        .put(StateRow(table: table, client: client, name: name, value: [1]))
    }

    private func waiting(_ changes: [StateChange]...) -> [StateChange] {
        var batch = StateBatch()
        for (ticket, added) in changes.enumerated() { batch.add(UInt32(ticket + 1), added) }
        return batch.changes
    }

    @Test func `of several changes to one row the last is written`() {
        #expect(waiting([put("1")], [.remove(.deferred, client: "a", name: "1")], [put("1")]) == [put("1")])
    }

    @Test func `what is forgotten up to a name while it waits is not written at all`() {
        let sweep = StateChange.removeThrough(.deferred, client: "a", name: "2")
        let others = [put("3"), put("1", .events), put("1", .deferred, "b")]
        #expect(waiting([put("1"), put("2")] + others, [sweep]) == others + [sweep])
    }

    @Test func `a row that comes after what was forgotten under its name is written`() {
        let sweep = StateChange.removeThrough(.deferred, client: "a", name: "9")
        #expect(waiting([put("1")], [sweep], [put("1")]) == [sweep, put("1")])
    }

    @Test func `an erasure leaves the other clients' changes`() {
        #expect(
            waiting([put("1"), put("1", .events, "b")], [.erase(client: "a")], [put("2")])
                == [put("1", .events, "b"), .erase(client: "a"), put("2")])
    }
}
