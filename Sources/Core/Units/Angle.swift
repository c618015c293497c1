/// Angles on the circle.
public enum Angle {
    /// The same angle from 0 up to 360 degrees.
    public static func turn(_ degrees: Double) -> Double {
        let rest = degrees - 360 * (degrees / 360).rounded(.down)
        // A very small negative angle rounds up to the whole turn.
        return rest == 360 ? 0 : rest
    }
}
