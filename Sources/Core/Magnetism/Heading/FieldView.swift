internal import SextantUnits

/// The field's vertical and horizontal parts on a board whose tilt is known, with the direction of north.
struct FieldView: Sendable {
    /// The direction up in the device's frame.
    let up: SIMD3<Double>
    /// The field's downward component; µT, negative if the field points up.
    let down: Double
    /// The strength of the field's horizontal part; µT.
    let horizontal: Double
    /// The horizontal direction to magnetic north in the device's frame.
    let north: SIMD3<Double>

    /// Splits a field into its parts; nil if the field has no horizontal part.
    init?(_ field: SIMD3<Double>, up: SIMD3<Double>) {
        let level = field - field.dot(up) * up
        guard let north = level.direction else { return nil }
        (self.up, self.north) = (up, north)
        (down, horizontal) = (-field.dot(up), level.norm)
    }

    /// The field's dip; degrees below the horizontal.
    var inclination: Double { Trigonometry.arctangent(y: down, x: horizontal) * Trigonometry.degreesPerRadian }
    /// Degrees by which a tilt error of one degree rotates magnetic north: the tangent of the dip.
    var tiltLeverage: Double { abs(down) / horizontal }
    /// The ratio of the whole field's strength to that of its horizontal part.
    var normRatio: Double { (down * down + horizontal * horizontal).squareRoot() / horizontal }
}
