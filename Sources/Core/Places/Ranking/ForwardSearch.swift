/// The search for the places that a text names.
///
/// First the whole text is tried as a name. Then the text is split in every way into the name of a place and names of
/// areas that contain it, or into the name of a place and that of a city near it. If nothing is found, the longest
/// beginning or end of the text that names a place in one of these ways is used, and the other words are reported as
/// unused.
public struct ForwardSearch<Names: PlaceNames> {
    /// What a search has found.
    public enum Found: Sendable, Hashable {
        /// Places and areas, best first.
        case results([Result])
        /// The places and areas that only a part of the text names, best first, and the ranges of the words that are
        /// left over.
        case partial([Result], rest: [Range<Int>])
        case nothing
    }

    public enum Result: Sendable, Hashable {
        case place(UInt32, PlaceRecord)
        case area(UInt32, Area)
    }

    private let names: Names
    public let text: FoldedText
    private let hint: (point: UnitVector, squaredChord: Double)?
    private let limit: Int
    private var placesOf: [Range<Int>: [UInt32]] = [:]
    private var areasOf: [Range<Int>: [NamedArea]] = [:]

    public init(_ question: PlaceQuestion, in names: Names) {
        self.names = names
        text = FoldedText(question.text)
        limit = question.limit
        hint = question.hint.map {
            (UnitVector(latitude: $0.latitude, longitude: $0.longitude), UnitVector.squaredChord(metres: $0.radius))
        }
    }

    public mutating func search() throws(Names.Failure) -> Found {
        guard text.isQuestion else { return .nothing }
        let all = text.words.indices
        let found = try results(of: all)
        if !found.isEmpty { return .results(found) }
        for count in stride(from: all.count - 1, to: 0, by: -1) {
            for part in [(all.count - count)..<all.count, 0..<count] {
                let found = try results(of: part)
                guard !found.isEmpty else { continue }
                let rest = [0..<part.lowerBound, part.upperBound..<all.count].filter { !$0.isEmpty }
                return .partial(found, rest: rest)
            }
        }
        return .nothing
    }

    /// The places and areas that a part of the text names; empty unless every word of the part is used.
    private mutating func results(of part: Range<Int>) throws(Names.Failure) -> [Result] {
        let whole = try results(named: part)
        if !whole.isEmpty { return whole }
        let commas = text.commas.filter { $0 > part.lowerBound && $0 < part.upperBound }
        for cuts in [commas, Array(part.dropFirst())] where !cuts.isEmpty {
            var candidates: [UInt32: PlaceRecord] = [:]
            for cut in cuts {
                let (left, right) = (part.lowerBound..<cut, cut..<part.upperBound)
                for (name, rest) in [(left, right), (right, left)] {
                    for (place, record) in try places(named: name, inAreas: rest) { candidates[place] = record }
                }
            }
            if candidates.isEmpty {
                for cut in cuts {
                    let (left, right) = (part.lowerBound..<cut, cut..<part.upperBound)
                    for (name, rest) in [(left, right), (right, left)] {
                        for (place, record) in try places(named: name, near: rest) { candidates[place] = record }
                    }
                }
            }
            if !candidates.isEmpty {
                return try ranked(candidates, key: nil).map { .place($0.place, $0.record) }
            }
        }
        return []
    }
}

// MARK: One name

extension ForwardSearch {
    private mutating func results(named part: Range<Int>) throws(Names.Failure) -> [Result] {
        var candidates: [UInt32: PlaceRecord] = [:]
        for place in try places(part) {
            if let record = try names.record(of: place) { candidates[place] = record }
        }
        let key = text.key(part)
        let ranked = try ranked(candidates, key: key)
        var results = ranked.map { Result.place($0.place, $0.record) }
        let best = ranked.first
        let holders = try best.map { best throws(Names.Failure) in try names.areas(of: best.record) } ?? []
        var found: [(area: UInt32, value: Area, use: NamedArea.Use)] = []
        for named in try areas(part) where named.use != .besidePlace {
            if let area = try names.area(named.area) { found.append((named.area, area, named.use)) }
        }
        // The areas are inserted at the front in ascending order of population, so that the largest area comes first in
        // the end.
        for (id, area, use) in found.sorted(by: { $0.value.population < $1.value.population }) {
            let isInArea = holders.contains(id)
            // A county with the name of a town in it adds nothing to the results, so it is left out.
            if isInArea, area.kind == .second { continue }
            if use == .code {
                if best?.isOwnName == true { continue }
                return [.area(id, area)]
            }
            if area.kind == .country, ForwardRanking.isAlone(area, best, isInArea: isInArea) {
                return [.area(id, area)]
            }
            guard let best else {
                results.insert(.area(id, area), at: 0)
                continue
            }
            let isFirst = ForwardRanking.isBefore(area, best, isInArea: isInArea)
            results.insert(.area(id, area), at: isFirst ? 0 : min(1, results.count))
        }
        return Array(results.prefix(limit))
    }

    /// The best of the candidates in the order in which they are listed, at most `limit`.
    ///
    /// - Parameter key: The key of the searched name; nil if the places were found under different parts of the text.
    private mutating func ranked(
        _ candidates: [UInt32: PlaceRecord], key: NameKey?
    ) throws(Names.Failure) -> [ForwardRanking.Candidate] {
        let bounded = candidates.map { place, record in
            ForwardRanking.Candidate(place: place, record: record, isOwnName: true, isHinted: isHinted(record))
        }.sorted(by: ForwardRanking.isBefore)
        var ranked: [ForwardRanking.Candidate] = []
        for var candidate in bounded {
            // The candidates come in descending order of their highest possible score. So once `limit` candidates have
            // a higher score than this one can have, neither this one nor any later one can be in the result.
            let sure = ranked.count { ForwardRanking.isBefore($0, candidate) }
            if sure >= limit || ranked.count >= NameRules.closest { break }
            candidate.isOwnName = try isOwnName(candidate.place, key)
            ranked.append(candidate)
        }
        return Array(ranked.sorted(by: ForwardRanking.isBefore).prefix(limit))
    }

    private func isHinted(_ record: PlaceRecord) -> Bool {
        guard let hint else { return false }
        return record.point.squaredChord(to: hint.point) <= hint.squaredChord
    }

    private func isOwnName(_ place: UInt32, _ key: NameKey?) throws(Names.Failure) -> Bool {
        guard let name = try names.name(of: place) else { return false }
        let own = NameKey.keys(of: name)
        if let key { return own.contains(key) }
        return placesOf.contains { $0.value.contains(place) && own.contains(text.key($0.key)) }
    }
}

// MARK: A name and what stands beside it

extension ForwardSearch {
    /// The places with a name that lie in the areas that the rest of the text names.
    private mutating func places(
        named name: Range<Int>, inAreas rest: Range<Int>
    ) throws(Names.Failure) -> [(UInt32, PlaceRecord)] {
        let readings = try areaReadings(of: rest)
        guard !readings.isEmpty else { return [] }
        var found: [(UInt32, PlaceRecord)] = []
        for place in try places(name) {
            guard let record = try names.record(of: place) else { continue }
            let holders = try names.areas(of: record)
            if readings.contains(where: { $0.allSatisfy { $0.contains { holders.contains($0) } } }) {
                found.append((place, record))
            }
        }
        return found
    }

    /// The places with a name that lie in or near a city which the rest of the text names, or that are this city.
    private mutating func places(
        named name: Range<Int>, near rest: Range<Int>
    ) throws(Names.Failure) -> [(UInt32, PlaceRecord)] {
        let (inner, outer) = (try places(name), try places(rest))
        guard !inner.isEmpty, !outer.isEmpty else { return [] }
        var cities: [(place: UInt32, record: PlaceRecord)] = []
        for place in outer.prefix(NameRules.closest) {
            if let record = try names.record(of: place) { cities.append((place, record)) }
        }
        var found: [(UInt32, PlaceRecord)] = []
        for place in inner {
            guard let record = try names.record(of: place) else { continue }
            let isBeside = cities.contains { city in
                city.place == place
                    || city.record.country == record.country && city.record.population >= record.population
                        && city.record.point.squaredChord(to: record.point)
                            <= UnitVector.squaredChord(metres: max(NameRules.besideReach, city.record.radius))
            }
            if isBeside { found.append((place, record)) }
        }
        return found
    }

    /// All ways to read the words as consecutive names of areas; each way is a list with, for each name, the areas that
    /// have it.
    private mutating func areaReadings(of words: Range<Int>) throws(Names.Failure) -> [[[UInt32]]] {
        guard !words.isEmpty else { return [[]] }
        var readings: [[[UInt32]]] = []
        for end in (words.lowerBound + 1)...words.upperBound where end - words.lowerBound <= NameRules.longestName {
            let named = try areas(words.lowerBound..<end).map { $0.area }
            guard !named.isEmpty else { continue }
            for reading in try areaReadings(of: end..<words.upperBound) { readings.append([named] + reading) }
            // No place lies in more than four areas, so ways to read the words as more than four names are dropped.
            if readings.count >= 16 { break }
        }
        return readings.filter { $0.count <= 4 }
    }

    private mutating func places(_ part: Range<Int>) throws(Names.Failure) -> [UInt32] {
        guard part.count <= NameRules.longestName else { return [] }
        if let known = placesOf[part] { return known }
        let found = try names.places(named: text.key(part))
        placesOf[part] = found
        return found
    }

    private mutating func areas(_ part: Range<Int>) throws(Names.Failure) -> [NamedArea] {
        guard part.count <= NameRules.longestName else { return [] }
        if let known = areasOf[part] { return known }
        let found = try names.areas(named: text.key(part))
        areasOf[part] = found
        return found
    }
}
