/// The force that an accelerometer measures on a board at rest.
enum Gravity {
    /// Standard gravity in m/s², by the third CGPM of 1901; gravity anywhere on the Earth is within 0.4 % of it.
    static let standard = 9.80665
    /// The share of 1 g by which a force may differ before it counts as movement.
    private static let tolerance = 0.15

    /// Whether a force of this norm, in m/s², may be gravity alone.
    static func explains(_ norm: Double) -> Bool { abs(norm - standard) <= tolerance * standard }
}
