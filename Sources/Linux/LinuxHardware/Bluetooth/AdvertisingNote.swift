public import Beacons
internal import SextantReactor

/// The file that keeps the number of the daemon's own advertisement past a crash.
///
/// It is in the daemon's folder, and on a file system that a reboot empties: so is the kernel's memory of it.
public struct AdvertisingNote: Sendable {
    private let folder: String

    public init(folder: String) { self.folder = folder }

    private var path: String { folder + "/advertising" }

    /// The advertisement that was kept last; nil where there is none, or the file is not the daemon's own.
    func read() -> SentAdvertisement? {
        guard let bytes = try? GuardedFile.read(path, ownerOf: folder) else { return nil }
        return SentAdvertisement(parsing: String(decoding: bytes, as: UTF8.self))
    }

    /// Keeps an advertisement, or none.
    ///
    /// Where the file cannot be written all works but what a crash would need, so that a failure is not told.
    public func keep(_ advertisement: SentAdvertisement?) {
        if let advertisement {
            try? GuardedFile.write(advertisement.text, to: path)
        } else {
            try? GuardedFile.remove(path)
        }
    }
}
