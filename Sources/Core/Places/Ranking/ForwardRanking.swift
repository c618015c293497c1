/// The order of places and areas that have the same name.
public enum ForwardRanking {
    /// The factor for a place's population if the searched text is only an alternative name of the place.
    ///
    /// Any factor from 0.05 to 0.2 gives nearly the same order for a thousand names. It puts Köln before the Italian
    /// town Cologne, and Islamabad before Chattogram, which was once called Islamabad.
    public static let otherName = 0.1

    /// The smallest ratio between the populations of an area and of a town with the same name for which the area is
    /// listed before the town.
    ///
    /// A name alone more often means a town than a state of that name: Kochi in India, and not the Japanese prefecture.
    /// But it means the state of Wyoming, and not Wyoming in Michigan. Counties are searched less often than states:
    /// York in England, and not York in Ontario.
    private static func minimumRatio(of kind: Area.Kind) -> Double {
        switch kind {
        case .country: 1
        case .first: 3
        case .second: 10
        }
    }

    /// One of the places that have the searched name.
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

        /// The highest score that a place can have while it is not known whether the searched name is its own or an
        /// alternative name.
        public static func bound(of record: PlaceRecord) -> Double { Double(record.population) + 1 }
    }

    /// Whether a candidate comes before another: those in the circle that the request prefers first, then those with
    /// more people.
    public static func isBefore(_ first: Candidate, _ second: Candidate) -> Bool {
        if first.isHinted != second.isHinted { return first.isHinted }
        if first.score != second.score { return first.score > second.score }
        return first.place < second.place
    }

    /// Whether an area comes before the best place of the same name.
    ///
    /// If the town lies in the area that has the same name, the town comes first: New York, Zürich, Luxembourg.
    /// Otherwise an area with enough more people comes first, unless the place is in the circle that the request
    /// prefers. A country with enough more people comes first even then, and also before a town in it for which the
    /// name is only an alternative name, such as Mexico.
    public static func isBefore(_ area: Area, _ best: Candidate, isInArea: Bool) -> Bool {
        if isInArea, best.isOwnName || area.kind != .country { return false }
        if best.isHinted, area.kind != .country { return false }
        return Double(area.population) >= minimumRatio(of: area.kind) * best.score
    }

    /// Whether an area is the only result, because no place with the name is large enough to be listed with it.
    public static func isAlone(_ area: Area, _ best: Candidate?, isInArea: Bool) -> Bool {
        guard let best else { return true }
        return area.kind == .country && !(isInArea && best.isOwnName)
            && best.score * 100 < Double(area.population)
    }
}
