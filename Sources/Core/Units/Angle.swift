/// Angles on the circle.
public enum Angle {
    /// The equivalent angle that is at least 0 and below 360 degrees.
    public static func turn(_ degrees: Double) -> Double {
        let rest = degrees - 360 * (degrees / 360).rounded(.down)
        // For a negative angle very close to 0, the sum with 360 is rounded to 360 itself.
        return rest == 360 ? 0 : rest
    }
}
