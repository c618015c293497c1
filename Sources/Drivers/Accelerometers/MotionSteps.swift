/// Unit: m/s².
let standardGravity = 9.80665

extension MotionThreshold {
    /// The acceleration in the steps of a threshold's register, at least one.
    ///
    /// Beyond the last that the register holds it is the last.
    func steps(ofMilligravities step: Double, atMost last: UInt8 = 255) -> UInt8 {
        max(1, nearest(acceleration / standardGravity * 1000 / step, atMost: last))
    }

    /// The duration in the steps of its register; 0 where the duration is 0.
    ///
    /// Beyond the last that the register holds it is the last.
    func steps(ofSeconds step: Double, atMost last: UInt8) -> UInt8 {
        nearest(duration / step, atMost: last)
    }

    private func nearest(_ value: Double, atMost last: UInt8) -> UInt8 {
        value.isNaN ? 0 : UInt8(min(max(value.rounded(), 0), Double(last)))
    }
}
