/// Standard gravity in m/s².
let standardGravity = 9.80665

extension MotionThreshold {
    /// The threshold's acceleration as a number of a register's steps, from 1 to the register's largest value.
    func steps(ofMilligravities step: Double, atMost last: UInt8 = 255) -> UInt8 {
        max(1, nearest(acceleration / standardGravity * 1000 / step, atMost: last))
    }

    /// The threshold's duration as a number of a register's steps, from 0 to the register's largest value.
    func steps(ofSeconds step: Double, atMost last: UInt8) -> UInt8 {
        nearest(duration / step, atMost: last)
    }

    private func nearest(_ value: Double, atMost last: UInt8) -> UInt8 {
        value.isNaN ? 0 : UInt8(min(max(value.rounded(), 0), Double(last)))
    }
}
