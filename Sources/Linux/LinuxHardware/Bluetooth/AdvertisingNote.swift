public import Beacons
internal import Programs

/// The file from which a daemon learns, after a crash, the number of the Bluetooth advertisement that the crashed
/// daemon sent.
///
/// The file is in the daemon's folder, on a file system that a reboot empties; the kernel forgets the advertisement at
/// a reboot too.
public struct AdvertisingNote: Sendable {
    private let folder: String

    public init(folder: String) { self.folder = folder }

    private var path: String { folder + "/advertising" }

    /// The advertisement that the file names; nil if the file is missing, names none, or belongs to another user.
    func read() -> SentAdvertisement? {
        guard let bytes = try? GuardedFile.read(path, ownerOf: folder) else { return nil }
        return SentAdvertisement(parsing: String(decoding: bytes, as: UTF8.self))
    }

    /// Stores an advertisement, or removes the file if there is no advertisement.
    ///
    /// A write error is ignored: the file is needed only after a crash, and without it the crashed daemon's
    /// advertisement continues.
    public func keep(_ advertisement: SentAdvertisement?) {
        if let advertisement {
            try? GuardedFile.write(advertisement.text, to: path)
        } else {
            try? GuardedFile.remove(path)
        }
    }
}
