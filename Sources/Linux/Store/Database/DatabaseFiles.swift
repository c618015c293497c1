internal import Glibc
internal import SextantReactor

/// The paths of a database's files in its folder.
///
/// All of the files have mode 0600 from the start: the main file is created here with this mode, before SQLite opens
/// it, and SQLite gives its write-ahead log the mode of the main file. There is no shared memory file, since only one
/// process has the database open, and there are no temporary files.
struct DatabaseFiles {
    let folder: String

    /// The largest number of damaged files that are kept; once there are that many, the last one is overwritten.
    static let damagedKept = 3

    var main: String { folder + "/state.sqlite" }
    /// The lock file's path; the daemon locks the file with `flock` while the database is open.
    var lock: String { folder + "/state.lock" }
    /// The path of the new file while it is built to replace a damaged one.
    var rebuilding: String { main + ".rebuilding" }
    /// The path of the new file from its completion until it replaces the damaged file.
    var rebuilt: String { main + ".rebuilt" }

    static func log(of path: String) -> String { path + "-wal" }

    /// The paths under which damaged files are set aside, in the order of their use.
    var damaged: [String] { (1...DatabaseFiles.damagedKept).map { "\(main).damaged-\($0)" } }

    /// Whether the folder certainly has no database and never had one.
    ///
    /// This is so if the folder's parent can be read, and each of the files is missing, or empty as before the first
    /// opening.
    var isCertainlyNew: Bool {
        guard exists(StoreFile.folder(of: folder)) else { return false }
        return !wasUsed && hasNoDatabase
            && ([DatabaseFiles.log(of: main)] + damaged).allSatisfy { StoreFile.size(of: $0) == 0 }
    }

    /// Whether both files that can be the database, the main file and the completed new file, are empty or missing.
    var hasNoDatabase: Bool { [main, rebuilt].allSatisfy { StoreFile.size(of: $0) == 0 } }

    /// Whether a decision of the operator's was ever stored in this folder; the lock file is then not empty.
    var wasUsed: Bool { StoreFile.size(of: lock) != 0 }

    /// Marks in the lock file that decisions of the operator's were stored, so that it is noticed if the other files
    /// are lost.
    func noteUse() throws(StoreError) {
        guard !wasUsed else { return }
        let file = try StoreFile.open(lock, flags: O_WRONLY)
        guard case .bytes = file.write(Array("used\n".utf8).span) else { throw StoreError(path: lock, errno: errno) }
        try StoreFile.sync(file, at: lock)
    }

    // MARK: Opening

    /// Creates the folder so that only its owner has access; an existing folder keeps its mode, since others may
    /// use it too.
    func makeFolder() throws(StoreError) {
        guard unsafe mkdir(folder, 0o700) != 0 else { return try StoreFile.syncFolder(of: folder) }
        guard errno != EEXIST else { return }
        throw StoreError(path: folder, errno: errno)
    }

    /// Takes the lock, which keeps other processes from opening the database until the returned descriptor is closed.
    ///
    /// A process that is about to end, or that this process has just started, can still hold the lock for a moment, so
    /// this tries for up to 0.2 s.
    func takeLock() throws(StoreError) -> Descriptor {
        let file = try StoreFile.open(lock, flags: O_RDWR | O_CREAT | O_NOFOLLOW)
        for attempt in 0... {
            if file.withRawValue({ flock($0, LOCK_EX | LOCK_NB) }) == 0 { break }
            guard errno == EWOULDBLOCK else { throw StoreError(path: lock, errno: errno) }
            guard attempt < 20 else { throw StoreError(.inUse, path: main) }
            usleep(10_000)
        }
        return file
    }

    /// Creates a file if it is missing, and takes all access to it and its log from other users, before SQLite opens
    /// them.
    ///
    /// A backup that was copied back by hand can have any mode.
    func prepare(_ path: String) throws(StoreError) {
        let file = try StoreFile.open(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW)
        guard file.withRawValue({ fchmod($0, 0o600) }) == 0 else { throw StoreError(path: path, errno: errno) }
        guard unsafe chmod(DatabaseFiles.log(of: path), 0o600) == 0 || errno == ENOENT else {
            throw StoreError(path: path, errno: errno)
        }
        try StoreFile.syncFolder(of: path)
    }

    /// The version of the tables, from the main file's header; nil if the file has no header.
    ///
    /// Source: SQLite, "Database File Format" 1.3: the user version is a big-endian integer at offset 60.
    func versionInHead() throws(StoreError) -> Int? {
        let head = try StoreFile.read(main, upTo: 100) ?? []
        guard head.count == 100, head.starts(with: Array("SQLite format 3\0".utf8)) else { return nil }
        let version = head[60..<64].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Int(Int32(bitPattern: version))
    }

    // MARK: Replacing

    /// If a completed new file exists, sets the damaged file aside and puts the new file in its place.
    ///
    /// An interruption after any step is harmless: the next call finishes the work.
    ///
    /// - Returns: The path under which the damaged file was set aside; nil if there was no new file.
    @discardableResult
    func finishReplacing() throws(StoreError) -> String? {
        guard exists(rebuilt) else { return nil }
        let aside = damaged.first { !exists($0) } ?? damaged[DatabaseFiles.damagedKept - 1]
        if exists(main) {
            // The damaged file's log is moved before the file: as long as the file is in its place, a repeated call
            // chooses the same name for what it sets aside.
            let log = DatabaseFiles.log(of: main)
            if exists(log) { try StoreFile.rename(log, to: DatabaseFiles.log(of: aside)) }
            try StoreFile.rename(main, to: aside)
        } else {
            // SQLite would take the log that a deleted file left behind for the new file's, and damage the new file.
            try remove(DatabaseFiles.log(of: main))
        }
        try StoreFile.rename(rebuilt, to: main)
        try StoreFile.syncFolder(of: main)
        return aside
    }

    /// Creates a new main file if there is none.
    ///
    /// - Parameter build: Writes the file to the path that it gets.
    func replaceMain(_ build: (String) throws(StoreError) -> Void) throws(StoreError) {
        removeRebuilding()
        do throws(StoreError) {
            try prepare(rebuilding)
            try build(rebuilding)
            try StoreFile.sync(try StoreFile.open(rebuilding, flags: O_RDWR), at: rebuilding)
            try declareRebuilt()
        } catch {
            removeRebuilding()
            throw error
        }
        try finishReplacing()
    }

    /// The name `.rebuilt` is given only now, so that a file of this name is always complete.
    func declareRebuilt() throws(StoreError) {
        try StoreFile.rename(rebuilding, to: rebuilt)
        try StoreFile.syncFolder(of: main)
    }

    func removeRebuilding() {
        for path in [rebuilding, rebuilding + "-wal", rebuilding + "-journal"] { _ = unsafe unlink(path) }
    }

    func removeDamaged() throws(StoreError) {
        for path in damaged.flatMap({ [$0, DatabaseFiles.log(of: $0)] }) { try remove(path) }
    }

    /// Deletes a file; a missing file is no error.
    private func remove(_ path: String) throws(StoreError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw StoreError(path: path, errno: errno) }
    }

    private func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}
