internal import SextantJSON

/// How the socket's own lines are read: each member has one type, unlike those of foreign files and servers.
extension JSONValue {
    /// A text as it stands.
    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var number: Double? {
        guard case .number(let number) = self, number.isFinite else { return nil }
        return number
    }

    /// A list of numbers and of nothing else.
    var numbers: [Double]? {
        guard let elements else { return nil }
        let numbers = elements.compactMap { $0.number }
        return numbers.count == elements.count ? numbers : nil
    }
}
