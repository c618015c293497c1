/// Whether the device's x and y axes serve as fronts: not too steep, and not too unsure.
///
/// With hysteresis: at a limit noise would have a heading come and go with every sample.
struct FrontLimits: Sendable, Hashable {
    private var isSteep = SIMDMask<SIMD2<Int64>>(repeating: false)
    private var isUnsure = SIMDMask<SIMD2<Int64>>(repeating: false)

    /// Degrees of elevation beyond which a front points nowhere.
    private static let steepest = 75.0
    /// Degrees beyond which a heading tells nothing: half of it is then as likely behind as before.
    private static let hopeless = 60.0

    /// - Parameters:
    ///   - axis: 0 for x, 1 for y.
    ///   - elevation: Degrees above or below the horizontal.
    ///   - accuracy: Of its heading; degrees.
    mutating func judge(_ axis: Int, elevation: Double, accuracy: Double) {
        isSteep[axis] = Hysteresis.exceeds(elevation, FrontLimits.steepest, did: isSteep[axis])
        isUnsure[axis] = Hysteresis.exceeds(accuracy, FrontLimits.hopeless, did: isUnsure[axis])
    }

    func problem(ofAxis axis: Int) -> HeadingProblem? {
        isSteep[axis] ? .axisIsVertical : isUnsure[axis] ? .inaccurate : nil
    }
}

/// A limit that is only kept again well within it.
enum Hysteresis {
    private static let share = 0.8

    /// Whether a value is beyond a limit, or was and is not well within it since; what is no number is beyond it.
    static func exceeds(_ value: Double, _ limit: Double, did: Bool) -> Bool {
        !(value <= (did ? share * limit : limit))
    }
}
