internal import JSON

/// Writes requests to the daemon, with the user's words quoted.
enum DaemonRequest {
    /// - Parameter members: Further members, written as JSON.
    static func text(_ name: String, client: String? = nil, _ members: [String] = []) -> String {
        let parts = ["\"request\":\(quoted(name))"] + [client.map { "\"client\":\(quoted($0))" }].compactMap(\.self)
        return "{\((parts + members).joined(separator: ","))}"
    }

    static func quoted(_ text: String) -> String {
        var buffer = TextBuffer(capacity: text.utf8.count + 16)
        buffer.string(text)
        return buffer.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }
}
