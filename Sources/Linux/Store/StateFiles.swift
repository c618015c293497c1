/// The daemon's files in its state directory: the database, and beside it the file of the operator's decisions.
///
/// A decision is written to its own file first, and then to the database. If the database cannot be used, decisions are
/// kept only in their own file, and nothing else is kept.
public struct StateFiles: ~Copyable {
    private var database: Database?
    private var decisions: DecisionFile
    // `retention` and `path` never change, but must be variables: if an initializer calls a mutating method, Swift 6.2
    // believes that the method changes the constants.
    private var retention: TrackRetention
    /// The path of the database.
    public private(set) var path: String
    /// Why the database cannot be used; nil if it can be used.
    public private(set) var failure: StoreError?
    /// All rows that were in the files when they were opened, sorted by table, client and name.
    public private(set) var found: [StateRow] = []
    /// Texts for the operator about what was wrong when the files were opened, what was lost, and what to do about it.
    public private(set) var problems: [String] = []
    /// Whether the whole track was checked when the files were opened; if not, `Database.checkTrack` checks the rest.
    public private(set) var isTrackChecked = true
    /// Texts for the operator about damage that was found after the files were opened; empty once they were fetched.
    private var news: [String] = []
    /// Whether the rebuilding of the database was tried since it was opened; a second attempt would not help.
    private var wasMended = false

    /// Opens the files in the folder, or creates them; `failure` and `problems` say what cannot be used.
    public init(folder: String, retention: TrackRetention = .standard) {
        path = DatabaseFiles(folder: folder).main
        self.retention = retention
        decisions = DecisionFile(folder: folder)
        let files = DatabaseFiles(folder: folder)
        let (isNew, wasUsed, isEmpty) = (files.isCertainlyNew, files.wasUsed, files.hasNoDatabase)
        let hasDecisions = readDecisions()
        let isUnreadable = !problems.isEmpty
        let isWhole = openDatabase(hasDecisions: hasDecisions) && !(isEmpty && !isNew)
        let known = found.filter(\.key.isDecision)
        // A new board has neither file, so no decision was lost. If the file of decisions is missing or damaged, an
        // intact database that has decisions replaces it; a database without any does not tell which decisions the file
        // had.
        if !hasDecisions { decisions.isInDoubt = isNew ? isUnreadable : !isWhole || wasUsed && known.isEmpty }
        // Decisions are not taken from a damaged database: the latest ones can be missing, and older ones can say the
        // opposite.
        if isWhole, !hasDecisions || decisions.isInDoubt { decisions.add(known) }
        found = (found.filter { !$0.key.isDecision } + decisions.sorted).sorted { $0.key < $1.key }
        bringIntoLine(known)
    }

    /// Whether decisions were lost or cannot be read, so that any client without a decision may be one that the
    /// operator denied locations.
    public var isInDoubt: Bool { decisions.isInDoubt }

    /// Whether the operator's decisions can be stored, which is possible even if the database cannot be used.
    public var keepsDecisions: Bool { failure?.kind != .inUse && failure?.kind != .closed }

    // MARK: Opening

    /// Reads the file of decisions.
    ///
    /// - Returns: Whether there was such a file that could be read.
    private mutating func readDecisions() -> Bool {
        do throws(StoreError) {
            return try decisions.read()
        } catch {
            problems.append(error.description)
            return false
        }
    }

    /// Opens the database, and takes over the rows that it has.
    ///
    /// This is `open` in the Promela model authorization.pml.
    ///
    /// - Returns: Whether the rows include all decisions that the database ever had; the log of a damaged database can
    ///   have lost some without a trace.
    private mutating func openDatabase(hasDecisions: Bool) -> Bool {
        do throws(StoreError) {
            let opened = try opened(hasDecisions: hasDecisions)
            found = try opened.rows()
            isTrackChecked = opened.isTrackChecked
            let recovery = opened.recovery
            database = consume opened
            if let recovery { problems.append(recovery.description) }
            return recovery == nil
        } catch {
            failure = error
            problems.append(error.description)
            return false
        }
    }

    /// Opens the database and checks the first part of its track; if either shows damage, rebuilds the database.
    private func opened(hasDecisions: Bool) throws(StoreError) -> Database {
        do throws(StoreError) {
            var database = try opened(isTrackDeferred: true, hasDecisions: hasDecisions)
            try database.checkTrack()
            return database
        } catch {
            guard case .damaged = error.kind else { throw error }
            return try opened(isTrackDeferred: false, hasDecisions: hasDecisions)
        }
    }

    private func opened(isTrackDeferred: Bool, hasDecisions: Bool) throws(StoreError) -> Database {
        let folder = StoreFile.folder(of: path)
        return try Database(folder: folder, retention: retention, isTrackDeferred: isTrackDeferred) {
            [decisions] () throws(StoreError) in
            guard !hasDecisions else { return }
            // It is noted first that decisions may be lost: if the daemon stopped right after the rebuilding, it would
            // leave an intact database and no sign of the loss.
            var inDoubt = decisions
            inDoubt.isInDoubt = true
            try inDoubt.write()
        }
    }

    /// Rebuilds the database if an error says that it is damaged, instead of waiting for the daemon's next start to do
    /// so.
    ///
    /// - Returns: Whether the database is usable again, so that the failed work can be tried once more.
    mutating func mend(after error: StoreError) -> Bool {
        guard case .damaged = error.kind, !wasMended, let held = database.take() else { return false }
        wasMended = true
        held.leaveAsItIs()
        _ = consume held
        do throws(StoreError) {
            let whole = try opened(isTrackDeferred: false, hasDecisions: decisions.isWritten)
            if let recovery = whole.recovery { news.append(recovery.description) }
            database = consume whole
            return true
        } catch {
            news.append("\(path) is damaged, and cannot be built anew: \(error)")
        }
        do throws(StoreError) {
            database = try opened(isTrackDeferred: true, hasDecisions: decisions.isWritten)
        } catch {
            failure = error
        }
        return false
    }

    /// The texts about damage to the database that came since the last call.
    mutating func takeNews() -> [String] {
        defer { news = [] }
        return news
    }

    /// Gives the file of decisions and the database the same decisions; after a power cut or a fault one of them can
    /// have older ones.
    ///
    /// This is `line` in the Promela model authorization.pml.
    private mutating func bringIntoLine(_ known: [StateRow]) {
        guard failure == nil else { return }
        do throws(StoreError) {
            if !decisions.isWritten { try decisions.write() }
            noteUse()
        } catch {
            problems.append(error.description)
        }
        let present = decisions.sorted
        let gone = known.filter { row in !present.contains { $0.key == row.key } }
        let changes =
            gone.map { StateChange.remove($0.table, client: $0.client, name: $0.name) }
            + present.filter { !known.contains($0) }.map { .put($0) }
        // If this write to the database fails, the daemon's next start takes the decisions from their own file again.
        _ = try? perform { database throws(StoreError) in try database.apply(changes) }
    }

    /// Notes in the lock file that decisions were stored; if that fails, the daemon's next start tries again.
    private func noteUse() { try? DatabaseFiles(folder: StoreFile.folder(of: path)).noteUse() }

    // MARK: Writing

    /// Makes either all of the changes in the database, in their order, or none; when this returns, they are on the
    /// storage card.
    public mutating func apply(_ changes: [StateChange]) throws(StoreError) {
        if let failure, !keepsDecisions { throw failure }
        try returnToPlace()
        try decisions.apply(changes)
        if failure != nil, changes.allSatisfy(\.isDecision) { return }
        try perform { database throws(StoreError) in try database.apply(changes) }
    }

    /// Runs `work` on the database.
    public mutating func perform<Answer>(
        _ work: (inout Database) throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        guard var held = database.take() else { throw failure ?? StoreError(.closed, path: path) }
        let result = StateFiles.result(of: work, on: &held)
        database = consume held
        return try result.get()
    }

    private static func result<Answer>(
        of work: (inout Database) throws(StoreError) -> Answer, on database: inout Database
    ) -> Result<Answer, StoreError> {
        do throws(StoreError) {
            return .success(try work(&database))
        } catch {
            return .failure(error)
        }
    }

    /// Recreates the database and the file of decisions if they were deleted while they were open.
    private mutating func returnToPlace() throws(StoreError) {
        guard failure == nil else { return }
        guard try perform({ database throws(StoreError) in try database.returnToPlace() }) else { return }
        try decisions.write()
        noteUse()
    }

    /// Closes the files; changes that are given later are refused.
    mutating func close() {
        database = nil
        failure = StoreError(.closed, path: path)
    }
}
