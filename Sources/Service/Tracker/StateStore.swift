internal import Engine
internal import Logging
internal import Monitors
internal import Reactor
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
    private var nextTicket: UInt32 = 1
    private var hasComplained = false
    /// Called when nothing is being written any more.
    var onWritten: () -> Void = {}

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
                }
            }
            worker = try StateStore.worker(database, reactor: reactor, isInline: isInline) { [unowned self] error in
                finished(error)
            }
        } catch {
            logger.error(
                """
                what clients are allowed, what they monitor, their events and what was learned about the receiver \
                are kept in memory alone: \(error); then restart sextantd
                """)
        }
    }

    private static func worker(
        _ database: consuming Database, reactor: Reactor, isInline: Bool, finished: @escaping (StoreError?) -> Void
    ) throws -> StoreWorker {
        guard isInline else {
            return try StoreWorker(database, reactor: reactor) { _, error in finished(error) }
        }
        return StoreWorker(inline: database) { _, error in finished(error) }
    }

    /// What was kept when the daemon last ran, in a fixed order; given once.
    func takeFound() -> [DurableRow] {
        defer { found = [] }
        return found
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
            try worker.perform(work) { [unowned self] in
                then($0.mapError { .store($0) })
                if !isWriting { onWritten() }
            }
        } catch {
            then(.failure(.store(error)))
        }
    }

    /// Waits until everything is written, and writes nothing more.
    func stop() {
        flush()
        worker?.stop()
    }

    /// Whether something is on its way to the card, and what follows it must wait.
    var isWriting: Bool { !waiting.isEmpty || worker?.outstanding ?? 0 > 0 }

    func change(_ change: DurableChange) {
        guard worker != nil else { return }
        waiting.append(StateChange(change))
    }

    /// Begins to write what was gathered.
    func flush() {
        guard let worker, !waiting.isEmpty else { return }
        let batch = waiting
        waiting = []
        do throws(StoreError) {
            try worker.submit(ticket: nextTicket, batch)
            nextTicket &+= 1
        } catch {
            complain(error)
        }
    }

    private func finished(_ error: StoreError?) {
        if let error { complain(error) } else { hasComplained = false }
        if !isWriting { onWritten() }
    }

    private func complain(_ error: StoreError) {
        if !hasComplained {
            logger.error("what clients are allowed, what they monitor or their events may be lost: \(error)")
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
    /// Nil for what is none of the Engine's business.
    fileprivate init?(_ row: StateRow) {
        guard let table = DurableTable(rawValue: row.table.rawValue) else { return nil }
        self.init(table: table, client: row.client, name: row.name, value: row.value)
    }
}
