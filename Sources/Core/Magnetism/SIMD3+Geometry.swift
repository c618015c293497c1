extension SIMD3<Double> {
    func dot(_ other: SIMD3<Double>) -> Double { x * other.x + y * other.y + z * other.z }

    /// The cross product with another vector: right-handed, at right angles to both.
    func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    var norm: Double { dot(self).squareRoot() }

    /// The vector of length 1 in this vector's direction; nil if this vector is zero or not finite.
    var direction: SIMD3<Double>? {
        let norm = norm
        return norm > 0 && norm.isFinite ? self / norm : nil
    }
}
