enum Gravity {
    /// Standard gravity in m/s², by the third CGPM of 1901; gravity anywhere on the Earth is within 0.4 % of it.
    static let standard = 9.80665
    /// The largest difference from 1 g, as a share of 1 g, at which a force still counts as gravity alone.
    private static let tolerance = 0.15

    /// Whether a force of this norm, in m/s², can be gravity alone, without a movement.
    static func explains(_ norm: Double) -> Bool { abs(norm - standard) <= tolerance * standard }
}
