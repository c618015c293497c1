internal import Receivers
internal import Store

/// What was learned about the receiver, kept across restarts: for one model at one device.
///
/// The file is a line that names both, and then the Engine's own bytes. A hint, as `LastRate` is: losing it costs
/// learning anew, so it is written without waiting for the card, and anything unreadable is nothing.
struct LearnedFile {
    private let path: String?
    private let head: [UInt8]
    /// The longest file that is read: some times what is ever kept.
    private static let maximumBytes = 65_536

    init(directory: String?, model: ReceiverModel, device: String) {
        path = directory.map { $0 + "/learned" }
        head = Array("sextant learned 1: \(model.rawValue) at \(device.filter { $0 != "\n" })\n".utf8)
    }

    /// What was kept for this receiver, if anything was.
    func load() -> [UInt8]? {
        guard let path, let bytes = try? AtomicFile.read(path, upTo: LearnedFile.maximumBytes),
            bytes.starts(with: head)
        else { return nil }
        return Array(bytes.dropFirst(head.count))
    }

    /// Keeps it; the file is replaced whole.
    ///
    /// - Returns: Why it could not be kept.
    func save(_ learned: borrowing Span<UInt8>) -> String? {
        guard let path else { return nil }
        var bytes = head
        bytes.reserveCapacity(head.count + learned.count)
        for index in learned.indices { bytes.append(learned[index]) }
        do {
            try AtomicFile.replace(path, with: bytes.span, .eventually)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
