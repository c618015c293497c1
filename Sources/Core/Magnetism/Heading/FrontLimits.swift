/// Whether the device's x and y axes can give a heading: they are neither too steep nor too inaccurate.
///
/// There is hysteresis, because near a limit noise would otherwise make a heading come and go with every sample.
struct FrontLimits: Sendable, Hashable {
    private var isSteep = SIMDMask<SIMD2<Int64>>(repeating: false)
    private var isUnsure = SIMDMask<SIMD2<Int64>>(repeating: false)

    /// Degrees above or below the horizontal beyond which the device's axis gives no heading.
    private static let steepest = 75.0
    /// Degrees of error beyond which a heading is of no use.
    private static let hopeless = 60.0

    /// - Parameters:
    ///   - axis: 0 for x, 1 for y.
    ///   - elevation: The axis's angle above or below the horizontal; degrees.
    ///   - accuracy: The accuracy of the axis's heading; degrees.
    mutating func judge(_ axis: Int, elevation: Double, accuracy: Double) {
        isSteep[axis] = Hysteresis.exceeds(elevation, FrontLimits.steepest, did: isSteep[axis])
        isUnsure[axis] = Hysteresis.exceeds(accuracy, FrontLimits.hopeless, did: isUnsure[axis])
    }

    func problem(ofAxis axis: Int) -> HeadingProblem? {
        isSteep[axis] ? .axisIsVertical : isUnsure[axis] ? .inaccurate : nil
    }
}

/// A limit with hysteresis: a value that exceeded the limit must fall to 80 % of it to count as within it again.
enum Hysteresis {
    private static let share = 0.8

    /// Whether a value exceeds a limit, or exceeded it before and is still above 80 % of it; NaN counts as exceeding.
    static func exceeds(_ value: Double, _ limit: Double, did: Bool) -> Bool {
        !(value <= (did ? share * limit : limit))
    }
}
