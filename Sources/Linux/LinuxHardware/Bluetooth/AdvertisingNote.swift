public import Beacons
internal import SextantReactor

/// The file that keeps the number of the daemon's own advertisement past a crash.
///
/// It is in the daemon's folder, and on a file system that a reboot empties: so is the kernel's memory of it.
public struct AdvertisingNote: Sendable {
    private let folder: String

    public init(folder: String) { self.folder = folder }

    private var path: String { folder + "/advertising" }

    /// The advertisement in the file; nil where the file is not there, does not hold one, or belongs to another user.
    func read() -> SentAdvertisement? {
        guard let bytes = try? GuardedFile.read(path, ownerOf: folder) else { return nil }
        return SentAdvertisement(parsing: String(decoding: bytes, as: UTF8.self))
    }

    /// Keeps an advertisement, or none.
    ///
    /// A file that cannot be written is not told: it is missed only after a crash, whose advertisement then goes on.
    public func keep(_ advertisement: SentAdvertisement?) {
        if let advertisement {
            try? GuardedFile.write(advertisement.text, to: path)
        } else {
            try? GuardedFile.remove(path)
        }
    }
}
