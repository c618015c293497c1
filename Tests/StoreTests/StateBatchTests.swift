import Testing

@testable import Store

@Suite("Changes that wait for one transaction")
struct StateBatchTests {
    private func put(_ name: String, _ table: StateTable = .deferred, _ client: String = "a") -> StateChange {
        .put(StateRow(table: table, client: client, name: name, value: [1]))
    }

    private func waiting(_ changes: [StateChange]...) -> [StateChange] {
        var batch = StateBatch()
        for added in changes { batch.add(added) }
        return batch.changes
    }

    @Test func `only the last of several changes to one row is written`() {
        #expect(waiting([put("1")], [.remove(.deferred, client: "a", name: "1")], [put("1")]) == [put("1")])
    }

    @Test func `rows removed through a name before they are written are not written`() {
        let sweep = StateChange.removeThrough(.deferred, client: "a", name: "2")
        let others = [put("3"), put("1", .events), put("1", .deferred, "b")]
        #expect(waiting([put("1"), put("2")] + others, [sweep]) == others + [sweep])
    }

    @Test func `a row put after its name was removed is written`() {
        let sweep = StateChange.removeThrough(.deferred, client: "a", name: "9")
        #expect(waiting([put("1")], [sweep], [put("1")]) == [sweep, put("1")])
    }

    @Test func `erasing one client keeps the other clients' changes`() {
        #expect(
            waiting([put("1"), put("1", .events, "b")], [.erase(client: "a")], [put("2")])
                == [put("1", .events, "b"), .erase(client: "a"), put("2")])
    }

    @Test func `waiting changes are counted by client, and replaced or removed ones are not counted`() {
        var batch = StateBatch()
        let room = { (batch: StateBatch, changes: Int, bytes: Int) in
            batch.hasRoom(for: "a", changes: changes, bytes: bytes)
        }
        #expect(room(batch, 0, 0))
        for _ in 1...5 { batch.add([put("1"), put("2"), put("1", .deferred, "b")]) }
        #expect(room(batch, 3, 7) && !room(batch, 2, 7) && !room(batch, 3, 6))
        #expect(batch.hasRoom(changes: 4, bytes: 10) && !batch.hasRoom(changes: 3, bytes: 10))
        batch.add([.removeThrough(.deferred, client: "a", name: "2")])
        #expect(room(batch, 2, 3) && !room(batch, 1, 3))
    }
}
