internal import SextantUnits

/// One of the eight points of the compass.
public enum CompassPoint: String, Sendable, CaseIterable {
    case north = "N"
    case northEast = "NE"
    case east = "E"
    case southEast = "SE"
    case south = "S"
    case southWest = "SW"
    case west = "W"
    case northWest = "NW"

    /// The compass point nearest to the initial direction of the great circle from one place to another; both places
    /// are in degrees.
    public init(
        fromLatitude latitude: Double, longitude: Double, toLatitude otherLatitude: Double,
        longitude otherLongitude: Double
    ) {
        let radians = 1 / Trigonometry.degreesPerRadian
        let (sine, cosine) = Trigonometry.sineAndCosine(latitude * radians)
        let (otherSine, otherCosine) = Trigonometry.sineAndCosine(otherLatitude * radians)
        let (east, along) = Trigonometry.sineAndCosine((otherLongitude - longitude) * radians)
        let bearing = Trigonometry.arctangent(
            y: east * otherCosine, x: cosine * otherSine - sine * otherCosine * along)
        let eighth = Int((bearing / (.pi / 4)).rounded())
        self = CompassPoint.allCases[(eighth + 8) % 8]
    }
}
