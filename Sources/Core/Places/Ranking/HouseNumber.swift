/// The number of a house, as a user writes it in an address.
public struct HouseNumber: Sendable, Hashable {
    /// The folded words (lower-case, without marks) of the number, written together, such as 1a.
    private let text: [UInt8]
    private let value: Int?

    /// - Parameter words: The words of the number in lower case, as `FoldedText` gives them.
    public init(words: some Sequence<[UInt8]>) {
        text = Array(words.joined())
        value = Int(String(decoding: text.prefix { HouseNumber.isDigit($0) }, as: UTF8.self))
    }

    static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// A house, and how well its number matches the wanted one.
    public struct Match: Sendable, Hashable {
        public enum Kind: Int, Sendable {
            case exact
            /// The house has the wanted number without its letter, such as 12 for 12a.
            case withoutLetter
            /// The house has another number, on the same side of the street.
            case near
        }

        public var object: UInt32
        public var kind: Kind
    }

    /// The house that matches this number best: the same number, the number without its letter, or the nearest number
    /// on the same side of the street (odd or even).
    ///
    /// - Parameter houses: The houses of a street, with their numbers.
    public func match(_ houses: [(object: UInt32, number: String)]) -> Match? {
        let read = houses.map { (object: $0.object, words: FoldedText($0.number).words) }
        let digits = Array(text.prefix { HouseNumber.isDigit($0) })
        for (wanted, kind) in [(text, Match.Kind.exact), (digits, .withoutLetter)] where !wanted.isEmpty {
            if let house = read.first(where: { Array($0.words.joined()) == wanted || $0.words.contains(wanted) }) {
                return Match(object: house.object, kind: kind)
            }
        }
        guard let value else { return nil }
        let sameSide = read.compactMap { house in
            HouseNumber(words: house.words).value.map { (object: house.object, away: abs(Int64($0) - Int64(value))) }
        }.filter { $0.away.isMultiple(of: 2) }
        return sameSide.min { ($0.away, $0.object) < ($1.away, $1.object) }.map {
            Match(object: $0.object, kind: .near)
        }
    }
}
