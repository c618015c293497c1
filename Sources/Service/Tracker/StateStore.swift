internal import Engine
internal import Logging
internal import Monitors
internal import Reactor
internal import Sessions
internal import Store
internal import Units

/// What outlives the daemon: in a database where there is a directory for it, else as long as the daemon lasts.
///
/// Changes are gathered until `flush`, and written together. A store that fails says once what is lost and how to mend
/// it, and is tried again with the next change. A class, because its worker calls back.
final class StateStore {
    private let logger: Logger
    private var worker: StoreWorker?
    private var found: [DurableRow] = []
    private var waiting: [StateChange] = []
    private var learned: [String: [UInt8]] = [:]
    private var foundDeferred: [[UInt8]] = []
    /// The last ticket that was given out, the last with a change that clients are told of, and the last whose changes are
    /// on the card or are given up.
    private var submitted: UInt32 = 0
    private var told: UInt32 = 0
    private var settled: UInt32 = 0
    /// Whether clients are told of something that is gathered.
    private var isTold = false
    private var hasComplained = false
    /// Told the ticket whose changes, and all before, are on the card or are given up.
    var onWritten: (UInt32) -> Void = { _ in }

    /// - Parameter isInline: Whether it writes on the caller's thread: for a driven clock.
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

    /// What was kept when the daemon last ran, in a fixed order; given once.
    func takeFound() -> [DurableRow] {
        defer { found = [] }
        return found
    }

    /// The fixes that were held back when the daemon last ran, each key's oldest first; given once.
    func takeFoundDeferred() -> [[UInt8]] {
        defer { foundDeferred = [] }
        return foundDeferred
    }

    /// Keeps a fix that is held back.
    func keepDeferred(_ record: [UInt8], _ key: DeferredKey, sequence: UInt64) {
        guard worker != nil else { return }
        waiting.append(
            .put(StateRow(table: .deferred, client: key.text, name: DeferredKey.name(sequence), value: record)))
    }

    /// Forgets the fixes under a key up to a sequence: they were delivered.
    func forgetDeferred(_ key: DeferredKey, through sequence: UInt64) {
        guard worker != nil else { return }
        waiting.append(.removeThrough(.deferred, client: key.text, name: DeferredKey.name(sequence)))
    }

    /// What was learned when the daemon last ran, under this name.
    func learned(_ name: LearnedName) -> [UInt8]? { learned[name.text] }

    /// Keeps what was learned: a hint, whose loss costs learning anew.
    func keepLearned(_ name: LearnedName, _ bytes: [UInt8]) {
        guard worker != nil else { return }
        waiting.append(.put(StateRow(table: .learned, client: "", name: name.text, value: bytes)))
    }

    /// Keeps points without waiting for the card: a power cut may take the newest.
    ///
    /// - Parameter then: Told whether they were kept; without a directory for it no track is, and that is no fault.
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

    /// Erases it for good.
    ///
    /// - Parameter then: Told how many points there were.
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

    /// Waits until everything is written, and writes nothing more.
    func stop() {
        flush()
        worker?.stop()
    }

    /// The last ticket with a change that clients are told of, where it is on its way to the card; nil where none is.
    var unsettled: UInt32? { told > settled ? told : nil }

    func change(_ change: DurableChange) {
        guard worker != nil else { return }
        waiting.append(StateChange(change))
        isTold = true
    }

    /// Begins to write what was gathered.
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
            // Nothing waits for what is not going to be written.
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
    /// The key of its rows.
    fileprivate var text: String {
        let user = userID.map { String($0) } ?? ""
        return "\(user):\(String(client, radix: 16)):\(String(label, radix: 16)):\(session)"
    }

    /// A row's name: sequences ascend in the order of their bytes.
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
    /// Nil for a row of a table that the Engine does not use.
    fileprivate init?(_ row: StateRow) {
        guard let table = DurableTable(rawValue: row.table.rawValue) else { return nil }
        self.init(table: table, client: row.client, name: row.name, value: row.value)
    }
}
