internal import SextantJSON

extension JSONMembers {
    /// The members of the object under a key; empty if there is no such object.
    func part(_ key: String) -> JSONMembers { object(key) ?? [:] }

    /// The numbers in the array under a key; empty if there is no such array.
    func list(_ key: String) -> [Double] {
        (array(key) ?? []).compactMap { if case .number(let value) = $0 { value } else { nil } }
    }

    /// All members that are numbers, in the order of their keys.
    var numbers: [(key: String, value: Double)] {
        compactMap { key, value in
            if case .number(let number) = value { (key: key, value: number) } else { nil }
        }.sorted { $0.key < $1.key }
    }
}
