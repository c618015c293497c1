/// Changes that wait for one transaction; of several changes to one row only the last is kept.
struct StateBatch {
    private struct Key: Hashable {
        var table: StateTable
        var client: String
        var name: String
    }

    private(set) var changes: [StateChange] = []
    /// The index in `changes` of each row's change.
    private var places: [Key: Int] = [:]
    /// The tickets of the submissions in this batch, which are answered together.
    private(set) var tickets: [UInt32] = []

    var isEmpty: Bool { tickets.isEmpty }

    mutating func add(_ ticket: UInt32, _ added: [StateChange]) {
        tickets.append(ticket)
        for change in added { add(change) }
    }

    private mutating func add(_ change: StateChange) {
        guard let key = StateBatch.key(of: change) else { return addSweep(change) }
        if let place = places[key] {
            changes[place] = change
        } else {
            places[key] = changes.count
            changes.append(change)
        }
    }

    /// Adds a change that deletes several rows; waiting changes that it makes void are dropped and never written.
    private mutating func addSweep(_ sweep: StateChange) {
        changes.removeAll { sweep.sweeps($0) }
        changes.append(sweep)
        places.removeAll(keepingCapacity: true)
        for (place, change) in changes.enumerated() {
            if let key = StateBatch.key(of: change) { places[key] = place }
        }
    }

    private static func key(of change: StateChange) -> Key? {
        switch change {
        case .put(let row): Key(table: row.table, client: row.client, name: row.name)
        case .remove(let table, let client, let name): Key(table: table, client: client, name: name)
        case .removeThrough, .erase: nil
        }
    }
}

extension StateChange {
    private var client: String {
        switch self {
        case .put(let row): row.client
        case .remove(_, let client, _), .removeThrough(_, let client, _), .erase(let client): client
        }
    }

    /// Whether this change makes an earlier change void.
    fileprivate func sweeps(_ change: StateChange) -> Bool {
        guard change.client == client else { return false }
        switch (self, change) {
        case (.erase, _): return true
        case (.removeThrough(let table, _, let last), .put(let row)):
            return row.table == table && !last.utf8.lexicographicallyPrecedes(row.name.utf8)
        case (.removeThrough(let table, _, let last), .remove(let other, _, let name)),
            (.removeThrough(let table, _, let last), .removeThrough(let other, _, let name)):
            return other == table && !last.utf8.lexicographicallyPrecedes(name.utf8)
        default: return false
        }
    }
}
