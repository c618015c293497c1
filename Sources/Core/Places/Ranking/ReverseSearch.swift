internal import SextantUnits

/// The search for the place nearest to a point, and then for the point's town; the table gives it the places in blocks.
///
/// The caller computes the score of the box around each block, passes the places of the block with the lowest score
/// first, and ends when no box that is left can contain a better place. See `PlaceRules`.
public struct ReverseSearch: Sendable {
    /// A place, and the square of the chord between it and the point, in units of the sphere's radius.
    public struct Found: Sendable, Hashable {
        public var place: UInt32
        public var record: PlaceRecord
        public var squaredChord: Double

        /// The distance over the ground from the point to the place, in metres.
        public var distance: Double { UnitVector.metres(squaredChord: squaredChord) }
    }

    public let point: UnitVector
    private let latitude: Double
    public private(set) var nearest: Found?
    /// The town of the point; nil while none was found within `PlaceRules.localityReach`.
    public private(set) var town: Found?
    /// The country in which the town is searched; nil during the search for the nearest place.
    private var country: UInt16?
    /// The only country in which the nearest place is searched; nil for any country.
    private let onlyCountry: UInt16?
    private var best: Double
    private static let reach = UnitVector.squaredChord(metres: PlaceRules.reach)
    private static let localityReach = UnitVector.squaredChord(metres: PlaceRules.localityReach)

    /// - Parameter country: The only country in which places are searched, as the id of its area; nil for any country.
    public init(latitude: Double, longitude: Double, inCountry country: UInt16? = nil) {
        onlyCountry = country
        point = UnitVector(latitude: latitude, longitude: longitude)
        self.latitude = latitude
        best = ReverseSearch.reach
    }

    /// Begins the search for the town; the nearest place must have been found.
    ///
    /// - Returns: False if there is no nearest place, so that the search is over.
    public mutating func lookForTown() -> Bool {
        guard let nearest else { return false }
        country = nearest.record.country
        best = .infinity
        if !nearest.record.isSection, nearest.squaredChord <= ReverseSearch.localityReach { note(town: nearest) }
        return true
    }

    /// The lowest score, which is the best one, that a place in the box can have; nil if that is not better than the
    /// best place found.
    ///
    /// The score is the squared chord to the point; in the search for the town, the square of the distance as a share
    /// of the urban radius.
    ///
    /// - Parameter radius: The largest urban radius of a place in the box, in units of the sphere's radius.
    @inlinable
    public func score(of box: UnitBox, radius: Double) -> Double? {
        score(squaredDistance: box.squaredDistance(from: point), radius: radius)
    }

    @usableFromInline
    func score(squaredDistance: Double, radius: Double) -> Double? {
        guard country != nil else { return squaredDistance < best ? squaredDistance : nil }
        guard squaredDistance <= ReverseSearch.localityReach else { return nil }
        let ratio = squaredDistance / ReverseSearch.squaredRadius(metres: radius * GreatCircle.meanRadius)
        return ratio < best ? ratio : nil
    }

    /// Compares one place of a box with the best place found so far.
    public mutating func consider(_ place: UInt32, _ record: PlaceRecord) {
        guard let country else {
            if let onlyCountry, record.country != onlyCountry { return }
            guard minimumSquaredChord(to: record) <= best else { return }
            let found = found(place, record)
            if found.squaredChord < best || (found.squaredChord == best && place < nearest?.place ?? 0) {
                nearest = found
                best = found.squaredChord
            }
            return
        }
        guard record.country == country, !record.isSection else { return }
        guard minimumSquaredChord(to: record) <= best * ReverseSearch.squaredRadius(metres: record.radius) else {
            return
        }
        let found = found(place, record)
        if found.squaredChord <= ReverseSearch.localityReach { note(town: found) }
    }

    private func found(_ place: UInt32, _ record: PlaceRecord) -> Found {
        Found(place: place, record: record, squaredChord: record.point.squaredChord(to: point))
    }

    /// A lower bound of the square of the chord from the point to a place, from the difference of the latitudes alone.
    ///
    /// The angle between two points is at least the difference of their latitudes, and the chord 2 sin(a / 2) of an
    /// angle a is at least a - a³ / 24. This bound excludes most places of a box without computing the sines and
    /// cosines of their coordinates. The factor just below 1 allows for rounding.
    private func minimumSquaredChord(to record: PlaceRecord) -> Double {
        let angle = abs(record.latitude - latitude) * Double.pi / 180
        let chord = angle - angle * angle * angle / 24
        return chord * chord * 0.999_999
    }

    /// The square of a town's urban radius as it is used to compare towns, in units of the sphere's radius.
    private static func squaredRadius(metres radius: Double) -> Double {
        let counted = PlaceRules.countedRadius(radius) / GreatCircle.meanRadius
        return counted * counted
    }

    private mutating func note(town found: Found) {
        let ratio = found.squaredChord / ReverseSearch.squaredRadius(metres: found.record.radius)
        guard ratio < best || (ratio == best && found.place < town?.place ?? 0) else { return }
        town = found
        best = ratio
    }
}
