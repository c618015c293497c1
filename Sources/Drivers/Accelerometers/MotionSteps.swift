/// Unit: m/s².
let standardGravity = 9.80665

extension MotionThreshold {
    /// The acceleration in the steps of a threshold's register, at least one; beyond the last it is the last.
    func steps(ofMilligravities step: Double) -> UInt8 {
        let steps = (acceleration / standardGravity * 1000 / step).rounded()
        return steps >= 255 ? 255 : steps >= 1 ? UInt8(steps) : 1
    }
}
