internal import SextantJSON

/// Strict access to JSON for the lines of the geocoder's own socket, where each member has exactly one type.
extension JSONValue {
    var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var number: Double? {
        guard case .number(let number) = self, number.isFinite else { return nil }
        return number
    }

    /// A list that contains only numbers; nil for any other value.
    var numbers: [Double]? {
        guard let elements else { return nil }
        let numbers = elements.compactMap { $0.number }
        return numbers.count == elements.count ? numbers : nil
    }
}
