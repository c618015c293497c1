internal import Logging
internal import Parts
internal import SextantReactor
internal import SextantUnits
internal import Store

/// The store of state that outlives the daemon, in the files of a directory; without one the state is kept in memory
/// alone.
///
/// Changes are gathered until `flush`, and then written together. One transaction is under way at a time, and what
/// comes meanwhile waits for the next one. Changes that the card refuses wait too, and are tried again with the next
/// change, or after a while. A class, because its worker calls back.
final class StateStore {
    private let logger: Logger
    private let reactor: Reactor
    private let isConfigured: Bool
    private(set) var worker: StoreWorker?
    /// Whether the database can be used; otherwise decisions alone are kept.
    private(set) var keepsAll = false
    private var found = FoundState()
    /// Changes since the last `flush`, and whether clients are told of any of them.
    private var gathered = (changes: [StateChange](), isTold: false)
    private var queue = StateQueue()
    var track = TrackAccess()
    private var troubles = StoreTroubles()
    /// Called with a ticket when its changes, and all changes before, are on the card or were refused.
    var onSettled: (UInt32, _ isRefused: Bool) -> Void = { _, _ in }
    /// Called when `trouble` has changed.
    var onTrouble: () -> Void = {}

    /// Whether decisions about clients were lost or cannot be read.
    var isInDoubt: Bool { found.isInDoubt }

    /// Why something cannot be stored, in a sentence; nil where everything can.
    var trouble: String? { troubles.lasting ?? troubles.passing ?? troubles.track }

    /// How often changes could not be written to the card.
    var errorCount: UInt64 { troubles.errorCount }

    /// The fate of changes that were handed to the store.
    enum Fate: Equatable {
        /// The changes are on the card, or nothing had to be written.
        case kept
        /// The changes are not on the card; some may be tried again.
        case refused
        /// The changes are on the way to the card.
        case waiting(ticket: UInt32)
    }

    /// - Parameter isInline: Whether the store writes on the caller's thread, as a driven clock needs.
    init(directory: String?, reactor: Reactor, isInline: Bool, logger: Logger) {
        self.logger = logger
        self.reactor = reactor
        isConfigured = directory != nil
        guard let directory else { return }
        let files = StateFiles(directory: directory)
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

    /// Checks the rest of the track for damage, a part at a time, behind all changes that wait.
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

    /// Logs the faults that were found when the files were opened.
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

// MARK: What was found

extension StateStore {
    /// Takes the rows that were kept when the daemon last ran, in a fixed order; only the first call returns them.
    func takeFound() -> [DurableRow] {
        defer { found.rows = [] }
        return found.rows
    }

    /// Takes the deferred fixes that were kept when the daemon last ran, each key's oldest first; only the first call
    /// returns them.
    func takeFoundDeferred() -> [[UInt8]] {
        defer { found.deferred = [] }
        return found.deferred
    }

    /// The value that was learned under this name when the daemon last ran.
    func learned(_ name: LearnedName) -> [UInt8]? { found.learned[name.text] }
}

// MARK: Changes

extension StateStore {
    /// Keeps a change that clients are told of.
    func change(_ change: DurableChange) {
        gathered.changes.append(StateChange(change))
        gathered.isTold = true
    }

    /// Keeps a fix that is held back for a client.
    func keepDeferred(_ record: [UInt8], _ key: DeferredKey, sequence: UInt64) {
        gathered.changes.append(
            .put(StateRow(table: .deferred, client: key.text, name: DeferredKey.name(sequence), value: record)))
    }

    /// Forgets the fixes of a key up to a sequence number, because they were delivered.
    func forgetDeferred(_ key: DeferredKey, through sequence: UInt64) {
        gathered.changes.append(.removeThrough(.deferred, client: key.text, name: DeferredKey.name(sequence)))
    }

    /// Keeps a learned value, whose loss costs no more than learning it anew.
    func keepLearned(_ name: LearnedName, _ bytes: [UInt8]) {
        gathered.changes.append(.put(StateRow(table: .learned, client: "", name: name.text, value: bytes)))
    }

    /// Whether as many of a client's changes wait for the card as may, so that it must ask for no more.
    func isFull(_ client: String) -> Bool { !queue.hasRoom(for: client) }

    /// The last ticket with a change that lines of this concern may tell of, while it is not yet on the card; nil
    /// otherwise.
    func unsettled(_ concern: StateQueue.Concern) -> UInt32? { queue.unsettled(concern) }

    /// Begins to write the gathered changes.
    ///
    /// - Parameter concern: Which earlier changes count where none is gathered that clients are told of.
    /// - Returns: What became of those that clients are told of; without any, of those that came before.
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

    /// The instant at which refused changes are to be tried again; nil where none wait.
    var retryDue: MonotonicInstant? { queue.retries.due }

    /// Tries to write the changes that the card refused.
    ///
    /// This is `retry` in the model authorization.pml.
    func retry() {
        queue.retries.due = nil
        writeNext()
    }

    /// Waits until all changes are written; the store then writes no more.
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
        // Changes that came meanwhile wait for an answer, too.
        if queue.isAwaited { writeNext() }
    }

    /// Tells a trouble that passes, once until it has passed; nil once it has.
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

/// The state that was kept when the daemon last ran.
private struct FoundState {
    /// Whether decisions about clients were lost or cannot be read.
    var isInDoubt = false
    var rows: [DurableRow] = []
    /// The records of deferred fixes, each key's oldest first.
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

/// Why something cannot be stored or read, in sentences; nil for what can.
private struct StoreTroubles {
    /// A trouble that lasts until the daemon starts anew.
    var lasting: String?
    /// A trouble that lasts until the card takes the waiting changes.
    var passing: String?
    /// A trouble of the track alone.
    var track: String?
    /// How often changes could not be written to the card.
    var errorCount: UInt64 = 0
}
