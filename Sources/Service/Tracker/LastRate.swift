internal import JSONReading
internal import Store

/// The rate at which the receiver was last heard, kept across restarts.
///
/// A hint: losing it costs a hunt, so it is written without waiting for the card, and anything unreadable is nothing.
struct LastRate {
    private let path: String?
    private static let version = 1.0
    private static let maximumBytes = 1024

    init(directory: String?) {
        path = directory.map { $0 + "/receiver.json" }
    }

    /// The rate kept for this device, if there is one.
    func load(for device: String) -> Int? {
        guard let path, let bytes = try? AtomicFile.read(path, upTo: LastRate.maximumBytes),
            case .object(let members)? = try? JSONValue(parsing: bytes),
            members["version"] == .number(LastRate.version), members["device"] == .string(device),
            case .number(let baud)? = members["baud"]
        else { return nil }
        return Int(exactly: baud).flatMap { (4800...921_600).contains($0) ? $0 : nil }
    }

    /// Keeps a rate; the file is replaced whole.
    ///
    /// - Returns: Why it could not be kept.
    func save(_ baud: Int, for device: String) -> String? {
        guard let path else { return nil }
        let escaped = device.filter { $0 != "\"" && $0 != "\\" }
        let text = "{\"version\":\(Int(LastRate.version)),\"device\":\"\(escaped)\",\"baud\":\(baud)}\n"
        do {
            try AtomicFile.replace(path, with: Array(text.utf8).span, .eventually)
            return nil
        } catch {
            return "\(error)"
        }
    }
}
