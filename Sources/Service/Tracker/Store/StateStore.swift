internal import Logging
internal import Parts
internal import SextantReactor
internal import SextantUnits
internal import Store

/// The store of state that outlives the daemon, in the files of a folder; without a folder, state is kept only in
/// memory.
///
/// Changes are collected until `flush`, and then written together. One transaction is written at a time, and later
/// changes wait for the next. Changes that could not be stored wait too, and are tried again with the next change, or
/// after a while. A class, because its worker calls it back.
final class StateStore {
    private let logger: Logger
    private let reactor: Reactor
    private let isConfigured: Bool
    private(set) var worker: StoreWorker?
    /// Whether the database can be used; if not, only the operator's decisions about clients are stored.
    private(set) var keepsAll = false
    private var found = FoundState()
    /// The changes since the last `flush`, and whether any of them is reported to clients.
    private var gathered = (changes: [StateChange](), isTold: false)
    private var queue = StateQueue()
    var track = TrackAccess()
    private var troubles = StoreTroubles()
    /// Called with the ticket (number) of a group of changes when it and all earlier groups are on the storage card or
    /// could not be stored.
    var onSettled: (UInt32, _ isRefused: Bool) -> Void = { _, _ in }
    /// Called when `trouble` has changed.
    var onTrouble: () -> Void = {}

    /// Whether the operator's decisions about clients were lost or cannot be read.
    var isInDoubt: Bool { found.isInDoubt }

    /// What cannot be stored and why, in a sentence; nil if everything can be stored.
    var trouble: String? { troubles.lasting ?? troubles.passing ?? troubles.track }

    /// The number of failed writes of changes to the storage card since the daemon started.
    var errorCount: UInt64 { troubles.errorCount }

    /// Whether changes that were given to the store are stored, could not be stored, or still wait.
    enum Fate: Equatable {
        /// The changes are on the storage card, or nothing had to be written.
        case kept
        /// Some of the changes are not on the storage card; the store may try again to write them.
        case refused
        /// The changes are still being written, or wait to be written.
        case waiting(ticket: UInt32)
    }

    /// - Parameter isInline: Whether the store writes on the caller's thread, which a virtual clock needs.
    init(folder: String?, reactor: Reactor, isInline: Bool, logger: Logger) {
        self.logger = logger
        self.reactor = reactor
        isConfigured = folder != nil
        guard let folder else { return }
        let files = StateFiles(folder: folder)
        found = FoundState(files.found, isInDoubt: files.isInDoubt)
        tell(files)
        track.isChecked = files.isTrackChecked
        guard files.keepsDecisions else { return }
        do {
            worker = isInline ? StoreWorker(inline: files) : try StoreWorker(files, reactor: reactor)
        } catch {
            keepsAll = false
            troubles.lasting = "nothing is stored: \(error)"
            logger.error("nothing is stored: \(error)")
        }
        worker?.onNews = { [logger] in logger.error("\($0)") }
        if keepsAll, !track.isChecked {
            troubles.track = "the stored track is still being checked, and cannot be read until then"
            checkTrack(isInline: isInline)
        }
    }

    /// Checks the part of the stored track for damage that was not checked when the store was opened; one piece at a
    /// time, after all waiting changes are written.
    private func checkTrack(isInline: Bool) {
        try? worker?.perform { database throws(StoreError) in
            repeat { try database.checkTrack() } while isInline && !database.isTrackChecked
            return database.isTrackChecked
        } then: { [unowned self] in
            switch $0 {
            case .success(false): return checkTrack(isInline: isInline)
            case .success(true): (track.isChecked, troubles.track) = (true, nil)
            case .failure(let error):
                troubles.track = "the stored track cannot be read: \(error)"
                logger.error("the stored track cannot be read: \(error)")
            }
            onTrouble()
        }
    }

    /// Logs the faults that were found when the store's files were opened.
    private func tell(_ files: borrowing StateFiles) {
        for problem in files.problems where problem != files.failure?.description { logger.error("\(problem)") }
        keepsAll = files.failure == nil
        var lasting: [String] = []
        if let failure = files.failure {
            lasting.append(
                "what clients monitor, their events, the fixes deferred for them, the track and what was learned about "
                    + "the receiver are kept only in memory: \(failure); then restart sextantd")
        }
        if isInDoubt {
            lasting.append(
                "what was decided about clients cannot be read, so location services are off and no client is "
                    + "authorized by the policy alone: decide anew with sextant services on and sextant clients")
        }
        for trouble in lasting { logger.error("\(trouble)") }
        troubles.lasting = lasting.isEmpty ? nil : lasting.joined(separator: ". ")
    }
}

// MARK: State from the last run

extension StateStore {
    /// Returns the stored rows from the daemon's last run, in a fixed order; later calls return none.
    func takeFound() -> [DurableRow] {
        defer { found.rows = [] }
        return found.rows
    }

    /// Returns the fixes that the last run of the daemon held back for clients, oldest first for each client's session;
    /// later calls return none.
    func takeFoundDeferred() -> [[UInt8]] {
        defer { found.deferred = [] }
        return found.deferred
    }

    /// The value that an earlier run of the daemon learned and stored under this name.
    func learned(_ name: LearnedName) -> [UInt8]? { found.learned[name.text] }
}

// MARK: Changes

extension StateStore {
    /// Stores a change that is reported to clients.
    func change(_ change: DurableChange) {
        gathered.changes.append(StateChange(change))
        gathered.isTold = true
    }

    /// Stores a fix that is held back to be sent to a client later.
    func keepDeferred(_ record: [UInt8], _ key: DeferredKey, sequence: UInt64) {
        gathered.changes.append(
            .put(StateRow(table: .deferred, client: key.text, name: DeferredKey.name(sequence), value: record)))
    }

    /// Deletes the fixes held back for a client's session, up to a sequence number, because they were delivered.
    func forgetDeferred(_ key: DeferredKey, through sequence: UInt64) {
        gathered.changes.append(.removeThrough(.deferred, client: key.text, name: DeferredKey.name(sequence)))
    }

    /// Stores a learned value; if it is lost, it is simply learned again.
    func keepLearned(_ name: LearnedName, _ bytes: [UInt8]) {
        gathered.changes.append(.put(StateRow(table: .learned, client: "", name: name.text, value: bytes)))
    }

    /// Whether so many of a client's changes wait that its further requests must be refused.
    func isFull(_ client: String) -> Bool { !queue.hasRoom(for: client) }

    /// The ticket (number) of the last group with a change of the given kind that is reported to clients; nil if that
    /// change is already stored or refused.
    func unsettled(_ concern: StateQueue.Concern) -> UInt32? { queue.unsettled(concern) }

    /// Begins to write the collected changes.
    ///
    /// - Parameter concern: The kind of earlier changes whose fate is returned if no collected change is reported to
    ///   clients.
    /// - Returns: Whether the collected changes are stored, if some are reported to clients; otherwise, whether the
    ///   earlier changes of that kind are.
    @discardableResult
    func flush(_ concern: StateQueue.Concern = .everything) -> Fate {
        guard isConfigured, !gathered.changes.isEmpty else {
            gathered.changes = []
            return isConfigured && worker == nil ? .refused : queue.fateOfTold(concern)
        }
        let (all, isTold) = gathered
        let changes = worker == nil ? [] : all.filter { keepsAll || $0.isDecision }
        let isWhole = queue.add(changes, isTold: isTold) && changes.count == all.count
        if !isWhole { refuse() }
        gathered = ([], false)
        writeNext()
        guard isTold else { return queue.fateOfTold(concern) }
        return isWhole ? queue.fateOfLast : .refused
    }

    private func refuse() {
        guard keepsAll else { return }
        pass("too many changes wait for the card, and some are lost")
    }

    /// When the changes that could not be stored are tried again; nil if there are none.
    var retryDue: MonotonicInstant? { queue.retries.due }

    /// Tries again to write the changes that could not be stored.
    ///
    /// This is `retry` in the Promela model authorization.pml.
    func retry() {
        queue.retries.due = nil
        writeNext()
    }

    /// Waits until all changes are written; after that the store writes nothing.
    func stop() {
        flush()
        let rest = queue.takeRest()
        if !rest.isEmpty { submit(rest) }
        worker?.stop()
    }

    private func writeNext() {
        guard worker != nil, let changes = queue.takeNext() else { return }
        queue.retries.due = nil
        submit(changes)
    }

    private func submit(_ changes: [StateChange]) {
        do throws(StoreError) {
            try worker?.submit(changes) { [unowned self] in finished($0) }
        } catch {
            finished(error)
        }
    }

    private func finished(_ error: StoreError?) {
        let ticket = queue.finished(isRefused: error != nil)
        if error == nil { queue.retries = StoreRetries() } else { queue.retries.failed(at: reactor.now) }
        if error != nil { troubles.errorCount += 1 }
        pass(error.map { "changes wait for the card, which refuses them, and are tried again: \($0)" })
        onSettled(ticket, error != nil)
        // Changes that were added while the transaction was written are written now, since clients wait for them too.
        if queue.isAwaited { writeNext() }
    }

    /// Logs a temporary problem, unless it was logged already and is not over; nil says that it is over.
    private func pass(_ trouble: String?) {
        guard trouble != troubles.passing else { return }
        if let trouble {
            logger.error("\(trouble)")
        } else {
            logger.notice("all changes are on the card again")
        }
        troubles.passing = trouble
        onTrouble()
    }
}

/// The stored state from the daemon's last run.
private struct FoundState {
    /// Whether the operator's decisions about clients were lost or cannot be read.
    var isInDoubt = false
    var rows: [DurableRow] = []
    /// The records of the fixes that are held back for clients, oldest first for each client's session.
    var deferred: [[UInt8]] = []
    var learned: [String: [UInt8]] = [:]

    init() {}

    init(_ all: [StateRow], isInDoubt: Bool) {
        self.isInDoubt = isInDoubt
        for row in all {
            if let row = DurableRow(row) {
                rows.append(row)
            } else if row.table == .learned {
                learned[row.name] = row.value
            } else if row.table == .deferred {
                deferred.append(row.value)
            }
        }
    }
}

/// What cannot be stored or read and why, in sentences; nil where there is no problem.
private struct StoreTroubles {
    /// A problem that lasts until the daemon restarts.
    var lasting: String?
    /// A problem that lasts until the waiting changes can be stored.
    var passing: String?
    /// A problem that concerns only the stored track.
    var track: String?
    /// The number of failed writes of changes to the storage card since the daemon started.
    var errorCount: UInt64 = 0
}
