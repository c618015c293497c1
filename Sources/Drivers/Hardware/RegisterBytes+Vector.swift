extension RegisterBytes {
    /// Three values of 16 bits from `index` on, X, Y and Z, each with its low byte first.
    public func vector(at index: Int) -> SIMD3<Double> {
        SIMD3(
            Double(signedLittleEndian(at: index)), Double(signedLittleEndian(at: index + 2)),
            Double(signedLittleEndian(at: index + 4)))
    }

    /// Whether one of these three values stands at an end of its 16 bits.
    public func isAtEnd(at index: Int) -> Bool {
        for axis in 0..<3 {
            let value = signedLittleEndian(at: index + 2 * axis)
            if value == Int(Int16.max) || value == Int(Int16.min) { return true }
        }
        return false
    }
}
