internal import SextantUnits

extension Logarithm {
    static func cubeRoot(_ value: Double) -> Double { exponential(natural(value) / 3) }
}

extension Trigonometry {
    static func sine(degrees: Double) -> Double { sineAndCosine(degrees / degreesPerRadian).sine }

    static func degrees(ofSine sine: Double) -> Double { arcsine(sine) * degreesPerRadian }
}

/// The axis of a rotation by less than a quarter turn; the length of the vector is the sine of the rotation's angle.
func turnVector(_ matrix: Matrix3) -> SIMD3<Double> {
    let (first, second, third) = matrix.columns
    return SIMD3(second.z - third.y, third.x - first.z, first.y - second.x) / 2
}

/// The root mean square of those residuals whose weight is not 0.
func rootMeanSquare(_ residuals: [Double], _ weights: [Double]) -> Double {
    var (sum, count) = (0.0, 0.0)
    for (residual, weight) in zip(residuals, weights) where weight > 0 {
        sum += residual * residual
        count += 1
    }
    return (sum / max(1, count)).squareRoot()
}
