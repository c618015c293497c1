internal import Glibc
internal import SextantReactor

/// The paths of the installed tables of place names.
public enum PlaceFiles {
    /// The path of the table of towns, which the package sextant-places installs.
    public static let towns = "/usr/share/sextant/places.sqlite"
    /// The folder of the region tables, which the board's owner makes with `sextant places import`.
    ///
    /// The folder is not below /var/lib/sextant, because only the daemon can enter that folder.
    public static let regions = "/usr/local/share/sextant/places"
    /// The environment variable that names tables to use instead of the installed ones, as paths of files or folders
    /// with colons in between.
    public static let variable = "SEXTANT_PLACES"

    /// The paths of the existing tables, in the order of the given files and folders; the tables in a folder are sorted
    /// by name.
    public static func paths() -> [String] {
        // Safety: the text stays in place until the environment changes; it is copied at once.
        guard let named = unsafe getenv(variable).map({ unsafe String(cString: $0) }) else {
            return paths(in: [towns, regions])
        }
        return paths(in: named.split(separator: ":").map(String.init))
    }

    /// The paths of the existing tables among the given files and in the given folders.
    public static func paths(in names: [String]) -> [String] {
        names.flatMap { name in
            guard let status = FileStamp(name) else { return [String]() }
            return status.isFolder ? tables(in: name) : [name]
        }
    }

    /// The size of a file in bytes; nil if there is no such file.
    public static func size(of path: String) -> Int? { FileStamp(path)?.size }

    private static func tables(in folder: String) -> [String] {
        let names = (try? FolderListing.names(in: folder)) ?? []
        return names.filter { $0.hasSuffix(".sqlite") && !$0.hasPrefix(".") }.sorted().map { "\(folder)/\($0)" }
    }
}

/// Identifies the state of the file at a path: the value changes when the file is replaced or changed.
struct FileStamp: Equatable {
    private var device: UInt
    private var node: UInt
    let size: Int
    private var seconds: Int
    private var nanoseconds: Int
    let isFolder: Bool

    /// Nil if there is no file at the path.
    init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        device = UInt(status.st_dev)
        node = UInt(status.st_ino)
        size = Int(status.st_size)
        seconds = Int(status.st_mtim.tv_sec)
        nanoseconds = Int(status.st_mtim.tv_nsec)
        isFolder = status.st_mode & S_IFMT == S_IFDIR
    }
}
