import Glibc
public import SextantUnits

extension SplitMix64 {
    /// A number of the standard normal distribution, by Box and Muller's transform.
    public mutating func nextGaussian() -> Double {
        let radius = (-2 * log(1 - nextUnit())).squareRoot()
        return radius * cos(2 * .pi * nextUnit())
    }
}
