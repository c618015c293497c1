extension RegisterBytes {
    /// Three 16-bit values X, Y and Z from `index` on, each with its low byte first.
    public func vector(at index: Int) -> SIMD3<Double> {
        SIMD3(
            Double(signedLittleEndian(at: index)), Double(signedLittleEndian(at: index + 2)),
            Double(signedLittleEndian(at: index + 4)))
    }

    /// Whether one of the three 16-bit values from `index` on is the largest or smallest possible, so that it can be
    /// clipped.
    public func isAtEnd(at index: Int) -> Bool {
        for axis in 0..<3 {
            let value = signedLittleEndian(at: index + 2 * axis)
            if value == Int(Int16.max) || value == Int(Int16.min) { return true }
        }
        return false
    }
}
