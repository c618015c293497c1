internal import ClientVocabulary
internal import SextantJSON

/// The members of a JSON request, or of an object in it; decoding removes each member that it knows, so what is left
/// over is an error.
struct RequestMembers {
    private var members: [String: JSONValue]
    /// What stands before a key in error messages: for an object in a request, the object's own key and a dot; for the
    /// request itself, nothing.
    private let prefix: String

    init(_ members: [String: JSONValue], prefix: String = "") {
        self.members = members
        self.prefix = prefix
    }

    /// The key as error messages show it, with the keys of the objects around it, such as `deferral.distance`.
    private func path(_ key: MemberKey) -> String { prefix + key.name }

    func contains(_ key: MemberKey) -> Bool { members[key.name] != nil }

    mutating func take(_ key: MemberKey) -> JSONValue? { members.removeValue(forKey: key.name) }

    mutating func bool(_ key: MemberKey) throws(ClientRequestError) -> Bool? {
        guard let value = take(key) else { return nil }
        guard case .bool(let bool) = value else { throw .badValue(key: path(key), expected: "true or false") }
        return bool
    }

    mutating func number(
        _ key: MemberKey, in range: ClosedRange<Double>, _ unit: String
    ) throws(ClientRequestError) -> Double? {
        guard let value = take(key) else { return nil }
        guard case .number(let number) = value, range.contains(number) else {
            throw .badValue(key: path(key), expected: RequestMembers.expectation(range, unit))
        }
        return number
    }

    mutating func text(_ key: MemberKey, maximumBytes: Int) throws(ClientRequestError) -> String? {
        guard let value = take(key) else { return nil }
        guard case .string(let text) = value, text.utf8.count <= maximumBytes else {
            throw .badValue(key: path(key), expected: "a string of at most \(maximumBytes) bytes")
        }
        return text
    }

    /// Removes a member of the request and returns its text, which a terminal will show; throws if it has control
    /// characters.
    mutating func line(_ key: MemberKey, maximumBytes: Int) throws(ClientRequestError) -> String? {
        guard let text = try text(key, maximumBytes: maximumBytes) else { return nil }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .badValue(key: path(key), expected: "a string without line breaks and other control characters")
        }
        return text
    }

    mutating func integer(_ key: MemberKey, in range: ClosedRange<UInt64>) throws(ClientRequestError) -> UInt64? {
        guard let value = take(key) else { return nil }
        guard case .number(let number) = value, let integer = UInt64(exactly: number), range.contains(integer) else {
            throw .badValue(
                key: path(key), expected: "an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    /// Removes a member of the request and returns its string; throws if the string is not one of the given words.
    mutating func word(_ key: MemberKey, of words: [String]) throws(ClientRequestError) -> String? {
        guard let value = take(key) else { return nil }
        guard case .string(let word) = value, words.contains(word) else {
            throw .badValue(
                key: path(key), expected: "one of " + words.map { "\"\($0)\"" }.joined(separator: ", "))
        }
        return word
    }

    mutating func word<Word: RawRepresentable<String>>(
        _ key: MemberKey, of words: [Word]
    ) throws(ClientRequestError) -> Word? {
        try word(key, of: words.map { $0.rawValue }).flatMap { Word(rawValue: $0) }
    }

    /// Removes a member of the request and returns its array; throws if it is not an array of `count` numbers in the
    /// range.
    mutating func numbers(
        _ key: MemberKey, count: Int, in range: ClosedRange<Double>, _ unit: String
    ) throws(ClientRequestError) -> [Double]? {
        guard let value = take(key) else { return nil }
        if let numbers = RequestMembers.numbers(value, count: count, in: range) { return numbers }
        throw .badValue(
            key: path(key), expected: "an array of \(count), each \(RequestMembers.expectation(range, unit))")
    }

    private static func numbers(_ value: JSONValue, count: Int, in range: ClosedRange<Double>) -> [Double]? {
        guard case .array(let elements) = value, elements.count == count else { return nil }
        var numbers: [Double] = []
        for case .number(let number) in elements where range.contains(number) { numbers.append(number) }
        return numbers.count == count ? numbers : nil
    }

    mutating func object(_ key: MemberKey, holding members: String) throws(ClientRequestError) -> RequestMembers? {
        guard let value = take(key) else { return nil }
        guard case .object(let inner) = value else {
            throw .badValue(key: path(key), expected: "an object with \(members)")
        }
        return RequestMembers(inner, prefix: path(key) + ".")
    }

    // MARK: Required members

    mutating func needed(_ key: MemberKey, word words: [String]) throws(ClientRequestError) -> String {
        guard let word = try word(key, of: words) else { throw .missing(key: path(key)) }
        return word
    }

    mutating func needed(_ key: MemberKey) throws(ClientRequestError) -> Bool {
        guard let value = try bool(key) else { throw .missing(key: path(key)) }
        return value
    }

    mutating func needed(_ key: MemberKey, maximumBytes: Int) throws(ClientRequestError) -> String {
        guard let text = try text(key, maximumBytes: maximumBytes) else { throw .missing(key: path(key)) }
        return text
    }

    mutating func needed(_ key: MemberKey, in range: ClosedRange<UInt64>) throws(ClientRequestError) -> UInt64 {
        guard let number = try integer(key, in: range) else { throw .missing(key: path(key)) }
        return number
    }

    mutating func needed(
        _ key: MemberKey, in range: ClosedRange<Double>, _ unit: String
    ) throws(ClientRequestError) -> Double {
        guard let number = try number(key, in: range, unit) else { throw .missing(key: path(key)) }
        return number
    }

    mutating func needed(
        _ key: MemberKey, count: Int, in range: ClosedRange<Double>, _ unit: String
    ) throws(ClientRequestError) -> [Double] {
        guard let numbers = try numbers(key, count: count, in: range, unit) else { throw .missing(key: path(key)) }
        return numbers
    }

    /// Removes a member of the request and returns its rows; throws if it is missing or no square matrix of numbers.
    mutating func neededRows(
        _ key: MemberKey, count: Int, in range: ClosedRange<Double>, _ unit: String
    ) throws(ClientRequestError) -> [[Double]] {
        guard let value = take(key) else { throw .missing(key: path(key)) }
        if case .array(let elements) = value, elements.count == count {
            let rows = elements.compactMap { RequestMembers.numbers($0, count: count, in: range) }
            if rows.count == count { return rows }
        }
        throw .badValue(
            key: path(key),
            expected: "\(count) arrays of \(count), each \(RequestMembers.expectation(range, unit))")
    }

    /// Throws if the request has a member that the decoding did not know.
    func finish() throws(ClientRequestError) {
        if let key = members.keys.min() { throw .unknownKey(prefix + key) }
    }

    /// The range and the unit of a number in words, for an error message.
    static func expectation(_ range: ClosedRange<Double>, _ unit: String) -> String {
        "\(unit) from \(short(range.lowerBound)) to \(short(range.upperBound))"
    }

    private static func short(_ number: Double) -> String {
        number == number.rounded() ? "\(Int64(number))" : "\(number)"
    }
}
