internal import Units

/// The field seen from a board whose tilt is known: what of it is horizontal, and where north is.
struct FieldView: Sendable {
    /// The direction up in the device's frame.
    let up: SIMD3<Double>
    /// The strength of the part that points down; µT.
    let down: Double
    /// The strength of the horizontal part; µT.
    let horizontal: Double
    /// The horizontal direction to magnetic north in the device's frame.
    let north: SIMD3<Double>

    /// Nil where nothing of the field is horizontal.
    init?(_ field: SIMD3<Double>, up: SIMD3<Double>) {
        let level = field - field.dot(up) * up
        guard let north = level.direction else { return nil }
        (self.up, self.north) = (up, north)
        (down, horizontal) = (-field.dot(up), level.norm)
    }

    /// Degrees below the horizontal.
    var inclination: Double { Trigonometry.arctangent(y: down, x: horizontal) * Trigonometry.degreesPerRadian }
    /// By how many degrees a degree of wrong tilt turns north: the tangent of the dip.
    var tiltLeverage: Double { abs(down) / horizontal }
    /// How many times the horizontal part the whole is.
    var normRatio: Double { (down * down + horizontal * horizontal).squareRoot() / horizontal }
}
