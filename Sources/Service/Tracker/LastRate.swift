internal import Glibc
internal import JSONReading

/// The rate at which the receiver was last heard, kept across restarts.
///
/// A hint: losing it costs a hunt, so it is written without waiting for the card, and anything unreadable is nothing.
struct LastRate {
    private let path: String?
    private static let version = 1.0

    init(directory: String?) {
        path = directory.map { $0 + "/receiver.json" }
    }

    /// The rate kept for this device, if there is one.
    func load(for device: String) -> Int? {
        guard let path, let bytes = LastRate.read(path), case .object(let members)? = try? JSONValue(parsing: bytes),
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
        let temporary = path + ".new"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { return "\(temporary): \(LastRate.errorText())" }
        var bytes = text
        let written = bytes.withUTF8 { unsafe write(descriptor, $0.baseAddress, $0.count) }
        _ = close(descriptor)
        guard written == text.utf8.count, unsafe rename(temporary, path) == 0 else {
            return "\(path): \(LastRate.errorText())"
        }
        return nil
    }

    private static func read(_ path: String) -> [UInt8]? {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    private static func errorText() -> String { unsafe String(cString: strerror(errno)) }
}
