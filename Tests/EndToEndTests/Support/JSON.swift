import Foundation

/// One decoded JSON object.
struct JSON {
    var members: [String: Any]

    init(_ members: [String: Any]) { self.members = members }

    /// Nil where the line is no object.
    init?(line: String) {
        let value = try? JSONSerialization.jsonObject(with: Data(line.utf8))
        guard let members = value as? [String: Any] else { return nil }
        self.members = members
    }

    func text(_ key: String) -> String? { members[key] as? String }
    func number(_ key: String) -> Double? { (members[key] as? NSNumber)?.doubleValue }
    func bool(_ key: String) -> Bool? { members[key] as? Bool }
    func object(_ key: String) -> JSON? { (members[key] as? [String: Any]).map(JSON.init) }
    func objects(_ key: String) -> [JSON]? { (members[key] as? [[String: Any]])?.map(JSON.init) }
    var keys: [String] { members.keys.sorted() }
}
