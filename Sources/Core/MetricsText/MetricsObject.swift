internal import SextantJSON

/// A JSON object from the daemon's answers; a member that is absent or has another type than requested is nil or empty.
struct MetricsObject {
    private let members: [String: JSONValue]

    init(_ members: [String: JSONValue]) { self.members = members }

    func text(_ key: String) -> String? {
        if case .string(let value)? = members[key] { return value }
        return nil
    }

    func number(_ key: String) -> Double? {
        if case .number(let value)? = members[key] { return value }
        return nil
    }

    func flag(_ key: String) -> Bool? {
        if case .bool(let value)? = members[key] { return value }
        return nil
    }

    func object(_ key: String) -> MetricsObject {
        if case .object(let inner)? = members[key] { return MetricsObject(inner) }
        return MetricsObject([:])
    }

    func objects(_ key: String) -> [MetricsObject] {
        guard case .array(let elements)? = members[key] else { return [] }
        return elements.compactMap { if case .object(let inner) = $0 { MetricsObject(inner) } else { nil } }
    }

    /// The numbers in an array.
    func list(_ key: String) -> [Double] {
        guard case .array(let elements)? = members[key] else { return [] }
        return elements.compactMap { if case .number(let value) = $0 { value } else { nil } }
    }

    /// All members that are numbers, in the order of their keys.
    var numbers: [(key: String, value: Double)] {
        members.compactMap { key, value in
            if case .number(let number) = value { (key: key, value: number) } else { nil }
        }.sorted { $0.key < $1.key }
    }
}
