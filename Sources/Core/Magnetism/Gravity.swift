/// What an accelerometer measures of a board at rest.
enum Gravity {
    /// Standard gravity in m/s², by the third CGPM of 1901; the Earth's is within 0.4 % of it.
    static let standard = 9.80665
    /// By what share of 1 g a force may differ before it is of a movement.
    private static let tolerance = 0.15

    /// Whether a force may be gravity's alone, by its norm in m/s².
    static func explains(_ norm: Double) -> Bool { abs(norm - standard) <= tolerance * standard }
}
