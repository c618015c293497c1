/// The order in which places and areas with one name are listed.
public enum ForwardRanking {
    /// The factor by which a place's population is multiplied for the order if the searched text is only an alternative
    /// name of the place.
    ///
    /// Any factor from 0.05 to 0.2 gives nearly the same order for a thousand names. It puts Köln before the Italian
    /// town Cologne, and Islamabad before Chattogram, which was once called Islamabad.
    public static let otherName = 0.1

    /// The smallest ratio of an area's population to that of a town with its name at which the area is listed first.
    ///
    /// A name alone more often means a town than a state: Kochi is the town in India, and not the Japanese prefecture.
    /// But Wyoming is the state, and not the town in Michigan, because the state is so much larger. Counties are
    /// searched less often than states: York is the town in England, and not the county in Ontario.
    private static func minimumRatio(of kind: Area.Kind) -> Double {
        switch kind {
        case .country: 1
        case .first: 3
        case .second: 10
        }
    }

    /// A place that has the searched name.
    public struct Candidate: Sendable, Hashable {
        public var place: UInt32
        public var record: PlaceRecord
        public var isOwnName: Bool
        public var isHinted: Bool

        public init(place: UInt32, record: PlaceRecord, isOwnName: Bool, isHinted: Bool) {
            self.place = place
            self.record = record
            self.isOwnName = isOwnName
            self.isHinted = isHinted
        }

        public var score: Double { (Double(record.population) + 1) * (isOwnName ? 1 : otherName) }

        /// The score of a place if the searched name is its own; the score is lower if it is an alternative name.
        public static func bound(of record: PlaceRecord) -> Double { Double(record.population) + 1 }
    }

    /// Whether one candidate is listed before another: those in the circle that the request prefers first, then those
    /// with the higher score (the population, or a tenth of it under an alternative name).
    public static func isBefore(_ first: Candidate, _ second: Candidate) -> Bool {
        if first.isHinted != second.isHinted { return first.isHinted }
        if first.score != second.score { return first.score > second.score }
        return first.place < second.place
    }

    /// Whether an area is listed before the best place that has its name.
    ///
    /// If that place is a town in the area, the town comes first: New York, Zürich, Luxembourg. Otherwise the area
    /// comes first if it has enough more people and the town is not in the circle that the request prefers. For a
    /// country this circle does not count, and a town in the country comes first only if the name is the town's own:
    /// Mexico is the country, because the name is only an alternative one of its capital.
    public static func isBefore(_ area: Area, _ best: Candidate, isInArea: Bool) -> Bool {
        if isInArea, best.isOwnName || area.kind != .country { return false }
        if best.isHinted, area.kind != .country { return false }
        return Double(area.population) >= minimumRatio(of: area.kind) * best.score
    }

    /// Whether an area is listed without the places that have its name: there is no such place, or the area is a
    /// country with more than a hundred times the best place's score (its population, or a tenth of it under an
    /// alternative name).
    ///
    /// A country is listed with the best place if that place lies in the country and has the name as its own.
    public static func isAlone(_ area: Area, _ best: Candidate?, isInArea: Bool) -> Bool {
        guard let best else { return true }
        return area.kind == .country && !(isInArea && best.isOwnName)
            && best.score * 100 < Double(area.population)
    }
}
