/// The daemon's files in its state directory: the database, and beside it the file of decisions.
///
/// A decision is written to its own file first, and then to the database. Where the database cannot be used, decisions
/// are kept in that file alone, and nothing else is kept.
public struct StateFiles: ~Copyable {
    private var database: Database?
    private var decisions: DecisionFile
    // Never changed, like the path: for Swift 6.2 a mutating method that an initializer calls changes constants.
    private var retention: TrackRetention
    /// The path of the database.
    public private(set) var path: String
    /// Why the database cannot be used; nil where it can.
    public private(set) var failure: StoreError?
    /// All rows that were found when the files were opened, sorted by table, client and name.
    public private(set) var found: [StateRow] = []
    /// Messages for the operator from the opening: files that cannot be used, losses, and the mend.
    public private(set) var problems: [String] = []
    /// Whether all of the track was checked when the files were opened; otherwise `Database.checkTrack` does the rest.
    public private(set) var isTrackChecked = true
    /// Messages for the operator about damage to the database that was found after the files were opened.
    private var news: [String] = []
    /// Whether the database was built anew, or could not be, since it was opened; a second time would not help either.
    private var wasMended = false

    /// Opens what the directory holds, or makes it; `failure` and `problems` tell what cannot be used.
    public init(directory: String, retention: TrackRetention = .standard) {
        path = DatabaseFiles(directory: directory).main
        self.retention = retention
        decisions = DecisionFile(directory: directory)
        let files = DatabaseFiles(directory: directory)
        let (isNew, wasUsed, isEmpty) = (files.isCertainlyNew, files.wasUsed, files.hasNoDatabase)
        let hasDecisions = readDecisions()
        let isUnreadable = !problems.isEmpty
        let isWhole = openDatabase(hasDecisions: hasDecisions) && !(isEmpty && !isNew)
        let known = found.filter(\.key.isDecision)
        // A new board has neither file. A file of decisions that is spoilt is replaced by a database that had them too;
        // a database without any says nothing about those that were in a file.
        if !hasDecisions { decisions.isInDoubt = isNew ? isUnreadable : !isWhole || wasUsed && known.isEmpty }
        // Of a damaged database the last decisions may be missing, and those before them say the opposite.
        if isWhole, !hasDecisions || decisions.isInDoubt { decisions.add(known) }
        found = (found.filter { !$0.key.isDecision } + decisions.sorted).sorted { $0.key < $1.key }
        bringIntoLine(known)
    }

    /// Whether decisions were lost or cannot be read, so that any client without one may have been denied.
    public var isInDoubt: Bool { decisions.isInDoubt }

    /// Whether decisions can be kept, which they can without the database too.
    public var keepsDecisions: Bool { failure?.kind != .inUse && failure?.kind != .closed }

    // MARK: Opening

    /// - Returns: Whether there was a file of decisions that could be read.
    private mutating func readDecisions() -> Bool {
        do throws(StoreError) {
            return try decisions.read()
        } catch {
            problems.append(error.description)
            return false
        }
    }

    /// Opens the database, and takes the rows that it holds.
    ///
    /// This is `open` in the model authorization.pml.
    ///
    /// - Returns: Whether all decisions that the database ever held are among the rows found; of a damaged one its log
    ///   may have lost some without a trace.
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

    /// The database, with the first part of its track checked; a damaged one is built anew.
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
        let directory = StoreFile.directory(of: path)
        return try Database(directory: directory, retention: retention, isTrackDeferred: isTrackDeferred) {
            [decisions] () throws(StoreError) in
            guard !hasDecisions else { return }
            // A start that ends here would leave a whole database, and nothing that says what it may have lost.
            var inDoubt = decisions
            inDoubt.isInDoubt = true
            try inDoubt.write()
        }
    }

    /// Builds the database anew where an error says that it is damaged, as the next start would.
    ///
    /// - Returns: Whether it was whole or is whole now, so that the work that failed may be tried again.
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

    /// The new messages about the database's damage; each is returned once.
    mutating func takeNews() -> [String] {
        defer { news = [] }
        return news
    }

    /// Gives the file and the database the same decisions; after a power cut or a fault one of them may be behind.
    ///
    /// This is `line` in the model authorization.pml.
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
        // Where this fails, the next start finds the decisions in their file again.
        _ = try? perform { database throws(StoreError) in try database.apply(changes) }
    }

    /// Notes that there are decisions on the card; where that fails, the next start tries again.
    private func noteUse() { try? DatabaseFiles(directory: StoreFile.directory(of: path)).noteUse() }

    // MARK: Writing

    /// Makes all of the changes, in order, or none of them in the database; when this returns, they are on the card.
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

    /// Makes the files anew where somebody deleted them while they were open.
    private mutating func returnToPlace() throws(StoreError) {
        guard failure == nil else { return }
        guard try perform({ database throws(StoreError) in try database.returnToPlace() }) else { return }
        try decisions.write()
        noteUse()
    }

    /// Closes the files; they take nothing any more.
    mutating func close() {
        database = nil
        failure = StoreError(.closed, path: path)
    }
}
