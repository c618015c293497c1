/// The order of the places that have one name.
public enum ForwardRanking {
    /// The weight of a place's population where the text is only an alternative name of the place.
    ///
    /// Any factor from 0.05 to 0.2 orders a thousand names about alike. It keeps Köln before the Italian Cologne, and
    /// Islamabad before Chattogram, which was called that.
    public static let otherName = 0.1

    /// How many times more people an area must have than a town of the same name, to be listed before the town.
    ///
    /// A name alone is a town's more often than its namesake's state: Kochi in India, and not the Japanese prefecture; but
    /// Wyoming, and not its namesake in Michigan. Counties are asked for less often: York, and not York in Ontario.
    private static func leastRatio(of kind: Area.Kind) -> Double {
        switch kind {
        case .country: 1
        case .first: 3
        case .second: 10
        }
    }

    /// A place among those of a name.
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

        /// The most that the score can be while it is not known whether the name is the place's own.
        public static func bound(of record: PlaceRecord) -> Double { Double(record.population) + 1 }
    }

    /// Whether a candidate comes before another: those in the hint's circle, then those with more people.
    public static func isBefore(_ first: Candidate, _ second: Candidate) -> Bool {
        if first.isHinted != second.isHinted { return first.isHinted }
        if first.score != second.score { return first.score > second.score }
        return first.place < second.place
    }

    /// Whether an area comes before the best place of the same name.
    ///
    /// A town in the area that has its name comes first: New York, Zürich, Luxembourg. Otherwise an area with enough more
    /// people does, but for a place in the hint's circle; a country also where the name is only another one of its town,
    /// as Mexico is.
    public static func isBefore(_ area: Area, _ best: Candidate, isInArea: Bool) -> Bool {
        if isInArea, best.isOwnName || area.kind != .country { return false }
        if best.isHinted, area.kind != .country { return false }
        return Double(area.population) >= leastRatio(of: area.kind) * best.score
    }

    /// Whether an area is the only answer, because no place of the name is worth telling beside it.
    public static func isAlone(_ area: Area, _ best: Candidate?, isInArea: Bool) -> Bool {
        guard let best else { return true }
        return area.kind == .country && !(isInArea && best.isOwnName)
            && best.score * 100 < Double(area.population)
    }
}
