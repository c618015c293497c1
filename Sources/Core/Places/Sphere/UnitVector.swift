internal import SextantUnits

/// A place as a point of the unit sphere.
///
/// On the sphere neither the poles nor the antimeridian are special, and the nearest place is the one with the shortest
/// chord.
public struct UnitVector: Sendable, Hashable {
    public var x: Double
    public var y: Double
    public var z: Double

    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// - Parameters:
    ///   - latitude: Degrees north.
    ///   - longitude: Degrees east.
    public init(latitude: Double, longitude: Double) {
        let (sine, cosine) = Trigonometry.sineAndCosine(latitude / Trigonometry.degreesPerRadian)
        let (east, along) = Trigonometry.sineAndCosine(longitude / Trigonometry.degreesPerRadian)
        self.init(x: cosine * along, y: cosine * east, z: sine)
    }

    /// The square of the chord to another point, in units of the sphere's radius.
    @inlinable
    public func squaredChord(to other: UnitVector) -> Double {
        let (x, y, z) = (other.x - x, other.y - y, other.z - z)
        return x * x + y * y + z * z
    }

    /// Metres over the ground to another point.
    public func distance(to other: UnitVector) -> Double { UnitVector.metres(squaredChord: squaredChord(to: other)) }

    /// The distance over the ground, in metres, that belongs to the square of a chord in units of the sphere's radius.
    public static func metres(squaredChord: Double) -> Double {
        2 * GreatCircle.meanRadius * Trigonometry.arcsine(squaredChord.squareRoot() / 2)
    }

    /// The square of the chord, in units of the sphere's radius, that belongs to a distance over the ground in metres.
    public static func squaredChord(metres: Double) -> Double {
        let (sine, _) = Trigonometry.sineAndCosine(min(metres / GreatCircle.meanRadius, .pi) / 2)
        return 4 * sine * sine
    }
}

/// A box in three dimensions that contains some of the places on the unit sphere.
public struct UnitBox: Sendable, Hashable {
    public var lower: UnitVector
    public var upper: UnitVector

    public init(lower: UnitVector, upper: UnitVector) {
        self.lower = lower
        self.upper = upper
    }

    /// The square of the shortest distance from a point to the box, in units of the sphere's radius; 0 inside the box.
    ///
    /// The chord from the point to any place in the box is at least as long as this distance.
    @inlinable
    public func squaredDistance(from point: UnitVector) -> Double {
        let x = max(lower.x - point.x, 0, point.x - upper.x)
        let y = max(lower.y - point.y, 0, point.y - upper.y)
        let z = max(lower.z - point.z, 0, point.z - upper.z)
        return x * x + y * y + z * z
    }

    public var middle: UnitVector {
        UnitVector(x: (lower.x + upper.x) / 2, y: (lower.y + upper.y) / 2, z: (lower.z + upper.z) / 2)
    }

    /// Extends the box so that it contains a point.
    public mutating func add(_ point: UnitVector) {
        lower = UnitVector(x: min(lower.x, point.x), y: min(lower.y, point.y), z: min(lower.z, point.z))
        upper = UnitVector(x: max(upper.x, point.x), y: max(upper.y, point.y), z: max(upper.z, point.z))
    }
}
