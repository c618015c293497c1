internal import SextantJSON

/// What the page's answers have in common: JSON texts, and the headers and types to send with them.
enum PageText {
    static let json = "application/json"
    static let noStore = [("Cache-Control", "no-store")]

    /// A JSON object whose values are strings.
    static func object(_ members: KeyValuePairs<String, String>) -> [UInt8] {
        let inner = members.map { "\(JSONValue.quoted($0.key)):\(JSONValue.quoted($0.value))" }
        return Array("{\(inner.joined(separator: ","))}".utf8)
    }

    /// A JSON object with an array, whose elements are the given JSON objects.
    static func list(_ name: String, _ lines: [[UInt8]], more: String = "") -> [UInt8] {
        var bytes = Array("{\"\(name)\":[".utf8)
        for (index, line) in lines.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += line
        }
        bytes += Array("]\(more)}".utf8)
        return bytes
    }
}
