/// Changes that wait for one transaction; of several to one row the last stands for all.
struct StateBatch {
    private struct Key: Hashable {
        var table: StateTable
        var client: String
        var name: String
    }

    private(set) var changes: [StateChange] = []
    /// Where a row's change stands, unless its client was erased behind it.
    private var places: [Key: Int] = [:]
    /// Submissions that are answered together.
    private(set) var tickets: [UInt32] = []

    var isEmpty: Bool { tickets.isEmpty }

    mutating func add(_ ticket: UInt32, _ added: [StateChange]) {
        tickets.append(ticket)
        for change in added { add(change) }
    }

    private mutating func add(_ change: StateChange) {
        guard let key = StateBatch.key(of: change) else { return addErasure(change) }
        if let place = places[key] {
            changes[place] = change
        } else {
            places[key] = changes.count
            changes.append(change)
        }
    }

    /// What waits for the client has no effect any more, and is not written at all.
    private mutating func addErasure(_ erasure: StateChange) {
        let client = StateBatch.client(of: erasure)
        changes.removeAll { StateBatch.client(of: $0) == client }
        changes.append(erasure)
        places.removeAll(keepingCapacity: true)
        for (place, change) in changes.enumerated() {
            if let key = StateBatch.key(of: change) { places[key] = place }
        }
    }

    private static func key(of change: StateChange) -> Key? {
        switch change {
        case .put(let row): Key(table: row.table, client: row.client, name: row.name)
        case .remove(let table, let client, let name): Key(table: table, client: client, name: name)
        case .erase: nil
        }
    }

    private static func client(of change: StateChange) -> String {
        switch change {
        case .put(let row): row.client
        case .remove(_, let client, _), .erase(let client): client
        }
    }
}
