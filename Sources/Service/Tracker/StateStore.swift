internal import Engine
internal import Logging
internal import Reactor
internal import Store

/// What outlives the daemon: in a database where there is a directory for it, else as long as the daemon lasts.
///
/// Changes are gathered until `flush`, and written together. A store that fails says once what is lost and how to mend
/// it, and is tried again with the next change. A class, because its worker calls back.
final class StateStore {
    private let logger: Logger
    private var worker: StoreWorker?
    private var found: [DurableRow] = []
    private var waiting: [StateChange] = []
    private var nextTicket: UInt32 = 1
    private var hasComplained = false
    private let written: () -> Void

    /// - Parameters:
    ///   - isInline: Whether it writes on the caller's thread: for a driven clock.
    ///   - written: Called when nothing is being written any more.
    init(
        directory: String?, reactor: Reactor, isInline: Bool, logger: Logger, written: @escaping () -> Void
    ) {
        self.logger = logger
        self.written = written
        guard let directory else { return }
        do {
            let database = try Database(directory: directory)
            if let recovery = database.recovery { logger.error("\(recovery)") }
            found = try database.rows().compactMap { DurableRow($0) }
            worker = try StateStore.worker(database, reactor: reactor, isInline: isInline) { [unowned self] error in
                finished(error)
            }
        } catch {
            logger.error(
                """
                what clients are allowed, what they monitor and their events are kept in memory alone: \(error); then \
                restart sextantd
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
        if !isWriting { written() }
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
