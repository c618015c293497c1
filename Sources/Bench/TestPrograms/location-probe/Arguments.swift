/// The words of a command.
struct Arguments: Sendable {
    private var words: ArraySlice<String>

    init(_ words: [String]) { self.words = words[...] }

    var peek: String? { words.first }
    var all: [String] { Array(words) }

    func optional() -> String? { words.first }

    mutating func next(_ what: String) throws -> String {
        guard let word = words.popFirst() else { throw CommandError("\(what) is missing") }
        return word
    }

    mutating func number(_ what: String) throws -> Double {
        let word = try next(what)
        guard let number = Double(word) else { throw CommandError("\(what): \(word) is not a number") }
        return number
    }

    /// Reads a command's next word as a number, or as one of the given names that stand for a number.
    mutating func number(_ what: String, or names: [String: Double]) throws -> Double {
        if let name = peek, let value = names[name] {
            words.removeFirst()
            return value
        }
        return try number(what)
    }

    mutating func isTrue() throws -> Bool {
        let word = try next("true or false")
        guard let value = Bool(word) else { throw CommandError("\(word) is neither true nor false") }
        return value
    }
}
