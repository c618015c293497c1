internal import SextantJSON

extension JSONMembers {
    /// An object; empty if there is none.
    func part(_ key: String) -> JSONMembers { object(key) ?? [:] }

    /// The numbers in an array; empty if there is none.
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
