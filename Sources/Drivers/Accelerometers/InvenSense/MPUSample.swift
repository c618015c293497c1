internal import Hardware

extension RegisterBytes {
    /// The acceleration from three 16-bit values, each with its high byte first, at 16384 counts per g (the range ±2
    /// g).
    ///
    /// Unit: m/s².
    func acceleration(at index: Int) -> SIMD3<Double> {
        let counts = SIMD3(
            Double(signedBigEndian(at: index)), Double(signedBigEndian(at: index + 2)),
            Double(signedBigEndian(at: index + 4)))
        return counts * (standardGravity / 16384)
    }
}
