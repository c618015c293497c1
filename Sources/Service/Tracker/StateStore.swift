internal import Engine
internal import Logging
internal import Monitors
internal import Reactor
internal import Sessions
internal import Store
internal import Units

/// The store of state that outlives the daemon, in a database; without a directory the state is kept in memory alone.
///
/// Changes are gathered until `flush`, and written together. A store that fails reports once which data may be lost,
/// and writes again with the next change. A class, because its worker calls back.
final class StateStore {
    private let logger: Logger
    private var worker: StoreWorker?
    private var found: [DurableRow] = []
    private var waiting: [StateChange] = []
    private var learned: [String: [UInt8]] = [:]
    private var foundDeferred: [[UInt8]] = []
    /// The last ticket given out; `told` is the last with a change that clients are told of, and `settled` the last
    /// whose changes are on the card or were given up.
    private var submitted: UInt32 = 0
    private var told: UInt32 = 0
    private var settled: UInt32 = 0
    /// Whether clients are told of any of the gathered changes.
    private var isTold = false
    private var hasComplained = false
    /// Called with a ticket when its changes, and all changes before, are on the card or were given up.
    var onWritten: (UInt32) -> Void = { _ in }

    /// - Parameter isInline: Whether the store writes on the caller's thread, as a driven clock needs.
    init(directory: String?, reactor: Reactor, isInline: Bool, logger: Logger) {
        self.logger = logger
        guard let directory else { return }
        do {
            let database = try Database(directory: directory)
            if let recovery = database.recovery { logger.error("\(recovery)") }
            for row in try database.rows() {
                if let row = DurableRow(row) {
                    found.append(row)
                } else if row.table == .learned {
                    learned[row.name] = row.value
                } else if row.table == .deferred {
                    foundDeferred.append(row.value)
                }
            }
            worker = try StateStore.worker(database, reactor: reactor, isInline: isInline) {
                [unowned self] in finished($0, $1)
            }
        } catch {
            logger.error(
                """
                what clients are allowed, what they monitor, their events, the fixes deferred for them and what was \
                learned about the receiver are kept in memory alone: \(error); then restart sextantd
                """)
        }
    }

    private static func worker(
        _ database: consuming Database, reactor: Reactor, isInline: Bool, finished: @escaping StoreWorker.Completion
    ) throws -> StoreWorker {
        guard isInline else { return try StoreWorker(database, reactor: reactor, completion: finished) }
        return StoreWorker(inline: database, completion: finished)
    }

    /// Takes the rows that were kept when the daemon last ran, in a fixed order; only the first call returns them.
    func takeFound() -> [DurableRow] {
        defer { found = [] }
        return found
    }

    /// Takes the deferred fixes that were kept when the daemon last ran, each key's oldest first; only the first call
    /// returns them.
    func takeFoundDeferred() -> [[UInt8]] {
        defer { foundDeferred = [] }
        return foundDeferred
    }

    /// Keeps a fix that is held back for a client.
    func keepDeferred(_ record: [UInt8], _ key: DeferredKey, sequence: UInt64) {
        guard worker != nil else { return }
        waiting.append(
            .put(StateRow(table: .deferred, client: key.text, name: DeferredKey.name(sequence), value: record)))
    }

    /// Forgets the fixes of a key up to a sequence number, because they were delivered.
    func forgetDeferred(_ key: DeferredKey, through sequence: UInt64) {
        guard worker != nil else { return }
        waiting.append(.removeThrough(.deferred, client: key.text, name: DeferredKey.name(sequence)))
    }

    /// The value that was learned under this name when the daemon last ran.
    func learned(_ name: LearnedName) -> [UInt8]? { learned[name.text] }

    /// Keeps a learned value, whose loss costs no more than learning it anew.
    func keepLearned(_ name: LearnedName, _ bytes: [UInt8]) {
        guard worker != nil else { return }
        waiting.append(.put(StateRow(table: .learned, client: "", name: name.text, value: bytes)))
    }

    /// Keeps track points without waiting for the card: a power cut may take the newest.
    ///
    /// - Parameter then: Called with success or failure; not called without a database, where no track is kept.
    func keepTrack(_ points: [TrackPoint], then: @escaping (Result<Void, TrackRefusal>) -> Void) {
        guard worker != nil else { return }
        perform(
            { database throws(StoreError) in try database.append(track: points, .eventually) }, then: then)
    }

    func readTrack(
        from: UTCInstant, to: UTCInstant, limit: Int, then: @escaping (Result<TrackPage, TrackRefusal>) -> Void
    ) {
        perform(
            { database throws(StoreError) in
                let points = try database.track(from: from.nanoseconds, to: to.nanoseconds, limit: limit + 1)
                return TrackPage(
                    places: points.prefix(limit).map { TrackedPlace($0) }, total: database.trackCount,
                    hasMore: points.count > limit)
            }, then: then)
    }

    /// Erases the track for good.
    ///
    /// - Parameter then: Called with the number of points that there were.
    func eraseTrack(then: @escaping (Result<Int, TrackRefusal>) -> Void) {
        perform(
            { database throws(StoreError) in
                let count = database.trackCount
                try database.eraseTrack()
                return count
            }, then: then)
    }

    private func perform<Answer: Sendable>(
        _ work: @escaping @Sendable (inout Database) throws(StoreError) -> Answer,
        then: @escaping (Result<Answer, TrackRefusal>) -> Void
    ) {
        guard let worker else { return then(.failure(.nothingIsKept)) }
        do throws(StoreError) {
            try worker.perform(work) { then($0.mapError { .store($0) }) }
        } catch {
            then(.failure(.store(error)))
        }
    }

    /// Waits until all changes are written; the store then writes no more.
    func stop() {
        flush()
        worker?.stop()
    }

    /// The last ticket with a change that clients are told of, while it is not yet on the card; nil otherwise.
    var unsettled: UInt32? { told > settled ? told : nil }

    func change(_ change: DurableChange) {
        guard worker != nil else { return }
        waiting.append(StateChange(change))
        isTold = true
    }

    /// Begins to write the gathered changes.
    func flush() {
        guard let worker, !waiting.isEmpty else { return }
        let batch = waiting
        waiting = []
        submitted += 1
        if isTold { told = submitted }
        isTold = false
        do throws(StoreError) {
            try worker.submit(ticket: submitted, batch)
        } catch {
            // The ticket is taken back, so that no line waits for changes that will not be written.
            submitted -= 1
            told = min(told, submitted)
            complain(error)
        }
    }

    private func finished(_ ticket: UInt32, _ error: StoreError?) {
        if let error { complain(error) } else { hasComplained = false }
        settled = ticket
        onWritten(ticket)
    }

    private func complain(_ error: StoreError) {
        if !hasComplained {
            logger.error(
                "what clients are allowed, what they monitor, their events or deferred fixes may be lost: \(error)")
        }
        hasComplained = true
    }
}

extension StateChange {
    fileprivate init(_ change: DurableChange) {
        self =
            switch change {
            case .put(let row):
                .put(
                    StateRow(
                        table: StateTable(row.table), client: row.client, name: row.name, value: row.value))
            case .remove(let table, let client, let name):
                .remove(StateTable(table), client: client, name: name)
            case .erase(let client): .erase(client: client)
            }
    }
}

extension DeferredKey {
    /// The key as text, under which its rows are stored.
    fileprivate var text: String {
        let user = userID.map { String($0) } ?? ""
        return "\(user):\(String(client, radix: 16)):\(String(label, radix: 16)):\(session)"
    }

    /// The name of a row; names sort in the order of their sequence numbers.
    fileprivate static func name(_ sequence: UInt64) -> String {
        let digits = String(sequence, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension StateTable {
    fileprivate init(_ table: DurableTable) {
        self =
            switch table {
            case .settings: .settings
            case .authorization: .authorization
            case .registrations: .registrations
            case .events: .events
            case .sessions: .sessions
            case .visits: .visits
            }
    }
}

extension DurableRow {
    /// The Engine's form of a stored row; nil for a row of a table that the Engine does not use.
    fileprivate init?(_ row: StateRow) {
        guard let table = DurableTable(rawValue: row.table.rawValue) else { return nil }
        self.init(table: table, client: row.client, name: row.name, value: row.value)
    }
}
