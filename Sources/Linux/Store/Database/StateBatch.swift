/// Changes that wait to be made in one transaction; if several change the same row, only the last one is kept.
public struct StateBatch: Sendable {
    /// The number of waiting changes, and their size in bytes.
    private struct Load: Sendable {
        var count = 0
        var bytes = 0

        mutating func add(_ change: StateChange, _ sign: Int) {
            count += sign
            bytes += sign * change.byteCount
        }
    }

    public private(set) var changes: [StateChange] = []
    /// For each row that a waiting change concerns, the change's index in `changes`.
    private var indices: [StateKey: Int] = [:]
    /// The number and size of each client's waiting changes.
    private var loads: [String: Load] = [:]
    private var total = Load()

    public init() {}

    public var isEmpty: Bool { changes.isEmpty }

    /// Whether fewer than `changes` changes wait for a client, of less than `bytes` bytes together.
    public func hasRoom(for client: String, changes: Int, bytes: Int) -> Bool {
        guard let load = loads[client] else { return true }
        return load.count < changes && load.bytes < bytes
    }

    /// Whether fewer than `changes` changes wait in all, of less than `bytes` bytes together.
    public func hasRoom(changes: Int, bytes: Int) -> Bool { total.count < changes && total.bytes < bytes }

    public mutating func add(_ added: [StateChange]) {
        for change in added { add(change) }
    }

    private mutating func add(_ change: StateChange) {
        guard let key = change.key else { return addSweep(change) }
        if let index = indices[key] {
            count(changes[index], -1)
            changes[index] = change
        } else {
            indices[key] = changes.count
            changes.append(change)
        }
        count(change, 1)
    }

    private mutating func count(_ change: StateChange, _ sign: Int) {
        loads[change.client, default: Load()].add(change, sign)
        total.add(change, sign)
    }

    /// Adds a change that deletes several rows; waiting changes of these rows are dropped and never written.
    private mutating func addSweep(_ sweep: StateChange) {
        let kept = changes.filter { !sweep.sweeps($0) } + [sweep]
        self = StateBatch()
        for change in kept {
            if let key = change.key { indices[key] = changes.count }
            changes.append(change)
            count(change, 1)
        }
    }
}

extension StateChange {
    /// Whether this change, which comes later, deletes all that an earlier change has written.
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
