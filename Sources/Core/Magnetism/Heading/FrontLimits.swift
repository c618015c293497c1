/// Whether the device's x and y axes can give a heading: an axis can unless it is too steep or its heading too
/// inaccurate.
///
/// There is hysteresis, because near a limit noise would otherwise make a heading come and go with every sample.
struct FrontLimits: Sendable, Hashable {
    private var isSteep = SIMDMask<SIMD2<Int64>>(repeating: false)
    private var isUnsure = SIMDMask<SIMD2<Int64>>(repeating: false)

    /// The angle in degrees above or below the horizontal beyond which an axis of the device gives no heading.
    private static let steepest = 75.0
    /// The standard deviation of a heading, in degrees, beyond which the heading is of no use.
    private static let hopeless = 60.0

    /// - Parameters:
    ///   - axis: 0 for x, 1 for y.
    ///   - elevation: The axis's angle above or below the horizontal; degrees, not negative.
    ///   - accuracy: The standard deviation of the axis's heading; degrees.
    mutating func judge(_ axis: Int, elevation: Double, accuracy: Double) {
        isSteep[axis] = Hysteresis.exceeds(elevation, FrontLimits.steepest, did: isSteep[axis])
        isUnsure[axis] = Hysteresis.exceeds(accuracy, FrontLimits.hopeless, did: isUnsure[axis])
    }

    func problem(ofAxis axis: Int) -> HeadingProblem? {
        isSteep[axis] ? .axisIsVertical : isUnsure[axis] ? .inaccurate : nil
    }
}

/// A limit with hysteresis: a value that has exceeded the limit must fall to 80 % of the limit to count as within it
/// again.
enum Hysteresis {
    private static let share = 0.8

    /// Whether a value exceeds a limit, or 80 % of the limit if it exceeded the limit before; NaN counts as exceeding.
    static func exceeds(_ value: Double, _ limit: Double, did: Bool) -> Bool {
        !(value <= (did ? share * limit : limit))
    }
}
