internal import Glibc
internal import Reactor

/// A file that is there whole, old or new, whenever the power fails.
public enum AtomicFile {
    /// Whether `replace` returns before the card has the file.
    public enum Durability: Sendable {
        /// It waits: afterwards the file is there whatever happens.
        case onCard
        /// It does not wait, for hints that may be lost.
        case eventually
    }

    /// Replaces a file whole; only its owner may read or write it.
    ///
    /// It is written beside the old one as `PATH.new` and then takes its name. On an error the old one stands.
    public static func replace(
        _ path: String, with bytes: borrowing Span<UInt8>, _ durability: Durability = .onCard
    ) throws(StoreError) {
        let temporary = path + ".new"
        // What a crash left behind may have another owner or mode.
        _ = unsafe unlink(temporary)
        do {
            let file = try StoreFile.open(temporary, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
            try StoreFile.write(bytes, to: file, at: temporary)
            if durability == .onCard { try StoreFile.sync(file, at: temporary) }
            try StoreFile.rename(temporary, to: path)
        } catch {
            _ = unsafe unlink(temporary)
            throw StoreError(path: path, errno: error.errno)
        }
        if durability == .onCard { try StoreFile.syncDirectory(of: path) }
    }

    /// A file's bytes, the first `limit` of them; nil where there is no such file.
    public static func read(_ path: String, upTo limit: Int) throws(StoreError) -> [UInt8]? {
        do {
            let file = try StoreFile.open(path, flags: O_RDONLY)
            return try StoreFile.read(file, upTo: limit, at: path)
        } catch {
            guard error.errno == ENOENT else { throw error }
            return nil
        }
    }
}
