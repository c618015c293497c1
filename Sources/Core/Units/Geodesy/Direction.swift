/// An angle stored as its sine and cosine, so that no digits are lost near a quarter turn.
struct Direction: Sendable, Equatable {
    var sine: Double
    var cosine: Double

    init(sine: Double, cosine: Double) {
        self.sine = sine
        self.cosine = cosine
    }

    /// The direction of the point (x, y), which must not be the origin.
    init(y: Double, x: Double) {
        // Both coordinates are scaled first, because the squares of very small coordinates would underflow to 0.
        let scale = max(abs(x), abs(y))
        let (y, x) = (y / scale, x / scale)
        let length = (x * x + y * y).squareRoot()
        self.init(sine: y / length, cosine: x / length)
    }

    init(radians: Double) {
        let (sine, cosine) = Trigonometry.sineAndCosine(radians.remainder(dividingBy: 2 * .pi))
        self.init(sine: sine, cosine: cosine)
    }

    /// Makes the direction of an angle in degrees; multiples of 90 are exact.
    init(degrees: Double) {
        let turned = degrees.remainder(dividingBy: 360)
        let quarter = (turned / 90).rounded()
        // The subtraction is exact, because the angle and the multiple of 90 are of similar size.
        let (sine, cosine) = Trigonometry.sineAndCosine((turned - quarter * 90) / Trigonometry.degreesPerRadian)
        switch Int(quarter) & 3 {
        case 0: self.init(sine: sine, cosine: cosine)
        case 1: self.init(sine: cosine, cosine: -sine)
        case 2: self.init(sine: -sine, cosine: -cosine)
        default: self.init(sine: -cosine, cosine: sine)
        }
    }

    /// The angle in radians, from -π to π.
    var radians: Double { Trigonometry.arctangent(y: sine, x: cosine) }
    /// The angle in degrees, from -180 to 180.
    var degrees: Double { radians * Trigonometry.degreesPerRadian }

    /// This angle minus another.
    func minus(_ other: Direction) -> Direction {
        Direction(
            sine: sine * other.cosine - cosine * other.sine, cosine: cosine * other.cosine + sine * other.sine)
    }

    /// The sum of this angle and another.
    func plus(_ other: Direction) -> Direction {
        Direction(
            sine: sine * other.cosine + cosine * other.sine, cosine: cosine * other.cosine - sine * other.sine)
    }

    /// The reduced latitude β of a place whose latitude φ is given in degrees north: tan β = (1 - f) tan φ, with the
    /// ellipsoid's flattening f.
    static func reducedLatitude(_ latitude: Double) -> Direction {
        let geodetic = Direction(degrees: latitude)
        return Direction(y: (1 - WGS84.flattening) * geodetic.sine, x: geodetic.cosine)
    }

    /// A tiny number in place of a sine or cosine of 0, so that the direction of a point that would be (0, 0) stays
    /// defined; its square is still a normal number.
    static let tiny = 1.5e-154
}
