internal import Glibc

/// A small file system of its own, where the test may mount one.
public final class SmallDisk {
    public let folder: String
    private var ballast: String { folder + "/ballast" }

    /// Whether one can be mounted here.
    public static let isPossible: Bool = {
        var path = Array("/tmp/sextant-disk-XXXXXX".utf8CString)
        // Safety: the array is zero-terminated, and its letters are replaced in place.
        guard unsafe mkdtemp(&path) != nil else { return false }
        let parent = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { _ = unsafe rmdir(parent) }
        let disk = SmallDisk(parent + "/disk", bytes: 65_536)
        defer { _ = unsafe rmdir(parent + "/disk") }
        return disk?.unmount() ?? false
    }()

    /// Mounts it at a folder that is not there yet.
    ///
    /// - Parameter kind: The file system's name for the kernel.
    public init?(_ folder: String, bytes: Int, kind: String = "tmpfs") {
        self.folder = folder
        guard unsafe mkdir(folder, 0o700) == 0, unsafe mount(kind, folder, kind, 0, "size=\(bytes)") == 0
        else {
            return nil
        }
    }

    public func makeReadOnly() -> Bool {
        unsafe mount("tmpfs", folder, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0
    }

    /// Leaves no byte free, as other programs may on a card.
    public func fill() {
        let file = unsafe open(ballast, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let bytes = [UInt8](repeating: 0, count: 65_536)
        for size in [65_536, 4096, 1] { while unsafe write(file, bytes, size) > 0 {} }
        _ = close(file)
    }

    /// Takes away what filled it.
    public func makeRoom() { _ = unsafe unlink(ballast) }

    private func unmount() -> Bool { unsafe umount2(folder, Int32(MNT_DETACH)) == 0 }

    deinit { _ = unmount() }
}
