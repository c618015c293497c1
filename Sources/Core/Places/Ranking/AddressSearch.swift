/// What the search for an address needs from a region table (of streets, houses and points of interest), in addition to
/// what the search for places needs.
public protocol AddressNames: PlaceNames {
    func streets(named key: NameKey) throws(Failure) -> [StoredStreet]
    /// The houses on a street, each with its number.
    func houses(of street: UInt32) throws(Failure) -> [(object: UInt32, number: String)]
    /// Whether a folded text (lower-case, without marks) is a postal code of a street.
    func isPostcode(_ text: [UInt8], of street: UInt32) throws(Failure) -> Bool
    /// The points of interest whose name has this key.
    func interests(named key: NameKey) throws(Failure) -> [StoredObject]
    /// The town of an object: that of its street or, if it has no street, the town that `PlaceRules` gives for its
    /// point.
    func town(of object: StoredObject) throws(Failure) -> UInt32?
}

/// The search for the street or the point of interest that a text names.
///
/// Each run of consecutive words of the text is tried as the name, the longest first. Beside a street's name can stand
/// a house number. All other words must name the town, a city near the town, an area that contains the town, or a
/// postal code.
public struct AddressSearch<Names: AddressNames> {
    public enum Result: Sendable, Hashable {
        /// The house with the wanted number, or a house near it on the same side of the street.
        case house(HouseNumber.Match)
        case street(UInt32)
        case interest(UInt32)
    }

    /// A street or a point of interest whose name is the searched one.
    private struct Candidate {
        var id: UInt32
        var place: UInt32?
        /// The street's postal code; nil if the street has several codes or none.
        var postcode: String?
        var record: PlaceRecord?
        var isHinted = false
        /// Whether the searched text may name a city near the candidate's town instead of the town itself.
        var allowsBeside = false
        var isStreet: Bool
    }

    private let names: Names
    private let text: FoldedText
    private let hint: PlaceQuestion.Hint?
    private let limit: Int
    private var placesOf: [Range<Int>: Set<UInt32>] = [:]
    private var recordsOf: [Range<Int>: [PlaceRecord]] = [:]
    private var areasOf: [Range<Int>: Set<UInt32>] = [:]

    public init(_ question: PlaceQuestion, in names: Names) {
        self.names = names
        text = FoldedText(question.text)
        hint = question.hint
        limit = question.limit
    }

    public mutating func search() throws(Names.Failure) -> [Result] {
        guard text.isQuestion else { return [] }
        let count = text.words.count
        for length in stride(from: min(count, NameRules.longestName), to: 0, by: -1) {
            for start in 0...(count - length) {
                let part = start..<(start + length)
                let streets = try streets(part)
                if !streets.isEmpty { return streets }
                let interests = try interests(part)
                if !interests.isEmpty { return interests }
            }
        }
        return []
    }

    // MARK: Streets

    private mutating func streets(_ part: Range<Int>) throws(Names.Failure) -> [Result] {
        let named = try names.streets(named: text.key(part))
        guard !named.isEmpty else { return [] }
        for number in numbers(beside: part) {
            let all = named.map { Candidate(id: $0.street, place: $0.place, postcode: $0.postcode, isStreet: true) }
            let found = try held(all, by: rest(of: part, number))
            if !found.isEmpty { return try results(ranked(found), number) }
        }
        return []
    }

    /// The ranges of words that can be the house number: one or two words after the street's name, or the word before
    /// it; the nil in the list stands for an address without a number.
    private func numbers(beside part: Range<Int>) -> [Range<Int>?] {
        var numbers: [Range<Int>?] = [nil]
        let (before, behind) = (part.lowerBound - 1, part.upperBound)
        if isNumber(behind) {
            if behind + 1 < text.words.count, text.words[behind + 1].count == 1 {
                numbers.append(behind..<(behind + 2))
            }
            numbers.append(behind..<(behind + 1))
        }
        if isNumber(before) { numbers.append(before..<part.lowerBound) }
        return numbers
    }

    private func isNumber(_ word: Int) -> Bool {
        text.words.indices.contains(word) && text.words[word].first.map(HouseNumber.isDigit) == true
    }

    private func rest(of part: Range<Int>, _ number: Range<Int>?) -> [Range<Int>] {
        let low = min(part.lowerBound, number?.lowerBound ?? part.lowerBound)
        let high = max(part.upperBound, number?.upperBound ?? part.upperBound)
        return [0..<low, high..<text.words.count].filter { !$0.isEmpty }
    }

    private func results(_ streets: [Candidate], _ number: Range<Int>?) throws(Names.Failure) -> [Result] {
        guard let number else { return streets.map { .street($0.id) } }
        let wanted = HouseNumber(words: text.words[number])
        var found: [(kind: HouseNumber.Match.Kind, result: Result)] = []
        for street in streets {
            let match = wanted.match(try names.houses(of: street.id))
            found.append((match?.kind ?? .near, match.map { .house($0) } ?? .street(street.id)))
        }
        // Only the streets whose houses match best are returned: a street that has exactly the wanted house displaces a
        // street of a larger town that lacks it.
        let best = found.map { $0.kind.rawValue }.min()
        return found.filter { $0.kind.rawValue == best }.map { $0.result }
    }

    // MARK: Points of interest

    private mutating func interests(_ part: Range<Int>) throws(Names.Failure) -> [Result] {
        var all: [Candidate] = []
        for object in try names.interests(named: text.key(part)).prefix(NameRules.closest) {
            all.append(Candidate(id: object.object, place: try names.town(of: object), isStreet: false))
        }
        return ranked(try held(all, by: rest(of: part, nil))).map { .interest($0.id) }
    }

    // MARK: Order and the rest of the words

    /// Sorts candidates and keeps the first `limit`: those in the circle that the request prefers come first, then
    /// those of towns with more people.
    private func ranked(_ candidates: [Candidate]) -> [Candidate] {
        let ordered = candidates.sorted { first, second in
            if first.isHinted != second.isHinted { return first.isHinted }
            let people = (first.record?.population ?? 0, second.record?.population ?? 0)
            return people.0 != people.1 ? people.0 > people.1 : first.id < second.id
        }
        return Array(ordered.prefix(limit))
    }

    /// The streets or points of interest whose town, areas or postal code the remaining words of the text name.
    ///
    /// If there are none, a candidate also counts if the words name a city near its town.
    private mutating func held(
        _ candidates: [Candidate], by rest: [Range<Int>]
    ) throws(Names.Failure) -> [Candidate] {
        for allowsBeside in [false, true] {
            var found: [Candidate] = []
            for var candidate in candidates {
                candidate.allowsBeside = allowsBeside
                if try holds(rest, &candidate) { found.append(candidate) }
            }
            if !found.isEmpty { return found }
        }
        return []
    }

    /// Whether the remaining words of the text match a candidate's town, areas or postal code; if they do, the
    /// candidate's `record` and `isHinted` are set.
    private mutating func holds(_ rest: [Range<Int>], _ candidate: inout Candidate) throws(Names.Failure) -> Bool {
        for part in rest where try !isRead(part, candidate) { return false }
        if let place = candidate.place { candidate.record = try names.record(of: place) }
        if let hint, let record = candidate.record {
            let centre = UnitVector(latitude: hint.latitude, longitude: hint.longitude)
            candidate.isHinted = record.point.distance(to: centre) <= hint.radius
        }
        return true
    }

    /// Whether the words can be read as one or several consecutive names, each of them the candidate's town, an area
    /// that contains it, its postal code, or a city near it.
    private mutating func isRead(_ part: Range<Int>, _ candidate: Candidate) throws(Names.Failure) -> Bool {
        guard !part.isEmpty else { return true }
        for end in stride(from: min(part.upperBound, part.lowerBound + 8), to: part.lowerBound, by: -1) {
            guard try isName(part.lowerBound..<end, candidate) else { continue }
            if try isRead(end..<part.upperBound, candidate) { return true }
        }
        return false
    }

    private mutating func isName(_ part: Range<Int>, _ candidate: Candidate) throws(Names.Failure) -> Bool {
        let places = try places(part)
        if let place = candidate.place, places.contains(place) { return true }
        if candidate.isStreet, isNumber(part.lowerBound), part.count <= 2, try isPostcode(part, of: candidate) {
            return true
        }
        let areas = try areas(part)
        // Thousands of streets may have one name, so the record of a street's town is read only if the words name an
        // area or a city that can be near.
        guard let place = candidate.place, !areas.isEmpty || candidate.allowsBeside && !places.isEmpty,
            let record = try names.record(of: place)
        else { return false }
        if !areas.isEmpty, try names.areas(of: record).contains(where: areas.contains) { return true }
        guard candidate.allowsBeside else { return false }
        if let city = record.city, places.contains(city) { return true }
        return try records(part).contains { AddressSearch.isBeside($0, record) }
    }

    private func isPostcode(_ part: Range<Int>, of candidate: Candidate) throws(Names.Failure) -> Bool {
        let wanted = Array(text.words[part].joined())
        guard let postcode = candidate.postcode else { return try names.isPostcode(wanted, of: candidate.id) }
        return Array(FoldedText(postcode).words.joined()) == wanted
    }

    private static func isBeside(_ city: PlaceRecord, _ record: PlaceRecord) -> Bool {
        city.country == record.country && city.population >= record.population
            && city.point.distance(to: record.point) <= max(NameRules.besideReach, city.radius)
    }

    private mutating func places(_ part: Range<Int>) throws(Names.Failure) -> Set<UInt32> {
        if let known = placesOf[part] { return known }
        let found = Set(try names.places(named: text.key(part)))
        placesOf[part] = found
        return found
    }

    private mutating func records(_ part: Range<Int>) throws(Names.Failure) -> [PlaceRecord] {
        if let known = recordsOf[part] { return known }
        var found: [PlaceRecord] = []
        for place in try places(part).sorted().prefix(NameRules.closest) {
            if let record = try names.record(of: place) { found.append(record) }
        }
        recordsOf[part] = found
        return found
    }

    private mutating func areas(_ part: Range<Int>) throws(Names.Failure) -> Set<UInt32> {
        if let known = areasOf[part] { return known }
        let found = Set(try names.areas(named: text.key(part)).map { $0.area })
        areasOf[part] = found
        return found
    }
}
