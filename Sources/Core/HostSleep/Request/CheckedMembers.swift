internal import SextantJSON
internal import SextantUnits

/// The members of a small JSON object, read one after the other; the member `digest` is a checksum of all others.
///
/// The checksum is the CRC-32, as eight hexadecimal digits, of the other members in the order of their keys. It detects
/// a damaged file, but not a forged one: against that, the file's owner is checked.
struct CheckedMembers {
    private static let digestKey = "digest"

    private var members: [String: JSONValue]
    let digest: String

    init(parsing bytes: [UInt8]) throws(HostFileError) {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw .notJSON(error.detail)
        }
        guard case .object(var members) = value else { throw .notJSON("another value") }
        guard let given = members.removeValue(forKey: CheckedMembers.digestKey) else {
            throw .missing(CheckedMembers.digestKey)
        }
        digest = CheckedMembers.digest(of: members)
        guard given == .string(digest) else { throw .wrongDigest }
        self.members = members
    }

    static func digest(of members: [String: JSONValue]) -> String {
        let digits = String(CRC32.of(Array(JSONValue.object(members).text.utf8).span), radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }

    /// The content of a file with these members and their checksum: one line of JSON.
    static func text(of members: [String: JSONValue]) -> String {
        var whole = members
        whole[digestKey] = .string(digest(of: members))
        return JSONValue.object(whole).text + "\n"
    }

    mutating func text(_ key: String) throws(HostFileError) -> String {
        guard let text = try optionalText(key) else { throw .missing(key) }
        return text
    }

    mutating func optionalText(_ key: String) throws(HostFileError) -> String? {
        guard let value = members.removeValue(forKey: key) else { return nil }
        guard case .string(let text) = value else { throw .wrong(key: key, expected: "a text") }
        return text
    }

    mutating func bool(_ key: String) throws(HostFileError) -> Bool {
        guard let value = members.removeValue(forKey: key) else { throw .missing(key) }
        guard case .bool(let flag) = value else { throw .wrong(key: key, expected: "true or false") }
        return flag
    }

    mutating func whole(_ key: String, in range: ClosedRange<Int64>) throws(HostFileError) -> Int64 {
        guard let number = try optionalWhole(key, in: range) else { throw .missing(key) }
        return number
    }

    mutating func optionalWhole(_ key: String, in range: ClosedRange<Int64>) throws(HostFileError) -> Int64? {
        guard let value = members.removeValue(forKey: key) else { return nil }
        guard case .number(let number) = value, let whole = Int64(exactly: number), range.contains(whole) else {
            throw .wrong(key: key, expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return whole
    }

    mutating func texts(_ key: String) throws(HostFileError) -> [String] {
        guard let value = members.removeValue(forKey: key) else { throw .missing(key) }
        guard case .array(let values) = value else { throw .wrong(key: key, expected: "a list of texts") }
        var texts: [String] = []
        for value in values {
            guard case .string(let text) = value else { throw .wrong(key: key, expected: "a list of texts") }
            texts.append(text)
        }
        return texts
    }

    /// Throws if the object has members that were not read.
    func finish() throws(HostFileError) {
        if let key = members.keys.min() { throw .unknown(key: key) }
    }
}
