internal import Glibc
internal import Reactor

/// The files of a database in its directory.
///
/// All of them have mode 0600 from their first byte: the file itself is made so here, before SQLite sees it, and SQLite
/// gives its write-ahead log the file's own mode. There is no shared memory file, as one process alone has it open, and
/// there are no temporary files.
struct DatabaseFiles {
    let directory: String

    /// The damaged files that are kept; the last place is given again when all are taken.
    static let damagedKept = 3

    var main: String { directory + "/state.sqlite" }
    /// Held with `flock` while the database is open.
    var lock: String { directory + "/state.lock" }
    /// The one being built in the place of a damaged one.
    var rebuilding: String { main + ".rebuilding" }
    /// The same when it is whole, until it takes the damaged one's place.
    var rebuilt: String { main + ".rebuilt" }

    static func log(of path: String) -> String { path + "-wal" }

    /// The names for damaged files.
    var damaged: [String] { (1...DatabaseFiles.damagedKept).map { "\(main).damaged-\($0)" } }

    // MARK: Opening

    /// Makes the directory, open to its owner alone; one that is there stays as it is, since it may be anybody's.
    func makeDirectory() throws(StoreError) {
        guard unsafe mkdir(directory, 0o700) != 0 else { return try StoreFile.syncDirectory(of: directory) }
        guard errno != EEXIST else { return }
        throw StoreError(path: directory, errno: errno)
    }

    /// Sees to it that no other process has the database open, as long as the descriptor lives.
    ///
    /// One that is just ending, or that was just started by this one, holds it for a moment longer: it is waited for.
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

    /// Makes the files private and begins the one that is missing, before SQLite opens it.
    ///
    /// A copy put back by hand may have any mode.
    func prepare(_ path: String) throws(StoreError) {
        let file = try StoreFile.open(path, flags: O_RDWR | O_CREAT | O_NOFOLLOW)
        guard file.withRawValue({ fchmod($0, 0o600) }) == 0 else { throw StoreError(path: path, errno: errno) }
        guard unsafe chmod(DatabaseFiles.log(of: path), 0o600) == 0 || errno == ENOENT else {
            throw StoreError(path: path, errno: errno)
        }
        try StoreFile.syncDirectory(of: path)
    }

    /// The version in the head of the main file; nil where it has no head.
    ///
    /// Source: SQLite, "Database File Format" 1.3: the user version is big-endian at offset 60.
    func versionInHead() throws(StoreError) -> Int? {
        let head = try StoreFile.read(main, upTo: 100) ?? []
        guard head.count == 100, head.starts(with: Array("SQLite format 3\0".utf8)) else { return nil }
        let version = head[60..<64].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Int(Int32(bitPattern: version))
    }

    // MARK: Replacing

    /// Puts the rebuilt file, where there is one, in the place of the damaged one, which is set aside.
    ///
    /// It may be interrupted after any step, and is then finished by the next call.
    ///
    /// - Returns: Where the damaged one stands.
    @discardableResult
    func finishReplacing() throws(StoreError) -> String? {
        guard exists(rebuilt) else { return nil }
        let aside = damaged.first { !exists($0) } ?? damaged[DatabaseFiles.damagedKept - 1]
        if exists(main) {
            // The log first: while the main file has its name, the same place is found again.
            let log = DatabaseFiles.log(of: main)
            if exists(log) { try StoreFile.rename(log, to: DatabaseFiles.log(of: aside)) }
            try StoreFile.rename(main, to: aside)
        }
        try StoreFile.rename(rebuilt, to: main)
        try StoreFile.syncDirectory(of: main)
        return aside
    }

    /// Gives a name to the file that is built, so that only a whole one ever has it.
    func declareRebuilt() throws(StoreError) {
        try StoreFile.rename(rebuilding, to: rebuilt)
        try StoreFile.syncDirectory(of: main)
    }

    func removeRebuilding() {
        for path in [rebuilding, rebuilding + "-wal", rebuilding + "-journal"] { _ = unsafe unlink(path) }
    }

    /// Deletes the damaged files that were set aside.
    func removeDamaged() throws(StoreError) {
        for path in damaged.flatMap({ [$0, DatabaseFiles.log(of: $0)] }) {
            guard unsafe unlink(path) == 0 || errno == ENOENT else { throw StoreError(path: path, errno: errno) }
        }
    }

    private func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}
