/// The natural logarithm and its inverse, without a C library.
///
/// Core is not allowed to import a C library, so that the same source gives the same bits on every board: a recording
/// must replay to the byte. Errors stay under 4 units in the last place (tested against the C library's).
public enum Logarithm {
    /// The natural logarithm of a positive, finite number; -infinity for 0, and NaN for a negative number.
    public static func natural(_ value: Double) -> Double {
        guard value > 0, value.isFinite else {
            return value == 0 ? -.infinity : value > 0 ? value : .nan
        }
        var significand = value.significand
        var exponent = Double(value.exponent)
        if significand > 1.414_213_562_373_095_1 {
            significand /= 2
            exponent += 1
        }
        // ln(m) = 2 artanh((m - 1) / (m + 1)), whose argument is at most 0.1716 here.
        let ratio = (significand - 1) / (significand + 1)
        let square = ratio * ratio
        let sum = Polynomial.value(at: square, oddInverses) * square
        return exponent * highLn2 + (2 * ratio + (2 * ratio * sum + exponent * lowLn2))
    }

    /// e to the power of a number; infinity from 710 on, 0 below -745.
    public static func exponential(_ value: Double) -> Double {
        guard !value.isNaN else { return value }
        guard value < 709.8 else { return .infinity }
        guard value > -745 else { return 0 }
        let count = (value * (1 / (highLn2 + lowLn2))).rounded()
        let rest = (value - count * highLn2) - count * lowLn2
        // One factor 2ⁿ reaches down only to n = -1022; the product of two such factors also reaches subnormal results.
        let half = Int(count) / 2
        return Polynomial.value(at: rest, inverseFactorials) * power(half) * power(Int(count) - half)
    }

    /// 2 to a power from -1022 to 1023.
    private static func power(_ exponent: Int) -> Double {
        Double(bitPattern: UInt64(1023 + exponent) << 52)
    }

    /// The coefficients of the power series of artanh(x)/x in x², without the first, which is 1; they suffice for |x|
    /// up to 0.1716.
    private static let oddInverses: InlineArray<11, Double> = [
        1 / 3, 1 / 5, 1 / 7, 1 / 9, 1 / 11, 1 / 13, 1 / 15, 1 / 17, 1 / 19, 1 / 21, 1 / 23,
    ]

    /// Taylor terms of e to the power of x, enough for |x| up to half of ln 2.
    private static let inverseFactorials: InlineArray<14, Double> = [
        1, 1, 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 720, 1 / 5040, 1 / 40_320, 1 / 362_880, 1 / 3_628_800, 1 / 39_916_800,
        1 / 479_001_600, 1 / 6_227_020_800,
    ]

    // ln 2 in two parts, so that a whole multiple of the first is exact: fdlibm, e_log.c.
    private static let highLn2 = 6.931_471_803_691_238_164_90e-01
    private static let lowLn2 = 1.908_214_929_270_587_700_02e-10
}
