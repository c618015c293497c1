internal import Hardware

extension RegisterBytes {
    /// Three axes of 16 bits, the high byte first, 16384 counts to g: the range ±2 g.
    ///
    /// Unit: m/s².
    func acceleration(at index: Int) -> SIMD3<Double> {
        let counts = SIMD3(
            Double(signedBigEndian(at: index)), Double(signedBigEndian(at: index + 2)),
            Double(signedBigEndian(at: index + 4)))
        return counts * (standardGravity / 16384)
    }
}
