/// The natural logarithm and its inverse, without a C library.
///
/// Core may not import a C library, so that the same source gives the same bits on every board: a recording must replay
/// to the byte. Errors stay under 4 units in the last place (tested against the C library's).
public enum Logarithm {
    /// The natural logarithm of a positive, finite number; -infinity for 0, and not a number below it.
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
        var sum = 0.0
        var odd = 23.0
        while odd > 1 {
            sum = (sum + 1 / odd) * square
            odd -= 2
        }
        return exponent * highLn2 + (2 * ratio + (2 * ratio * sum + exponent * lowLn2))
    }

    /// e to the power of a number; infinity from 710 on, 0 below -745.
    public static func exponential(_ value: Double) -> Double {
        guard !value.isNaN else { return value }
        guard value < 709.8 else { return .infinity }
        guard value > -745 else { return 0 }
        let count = (value / (highLn2 + lowLn2)).rounded()
        let rest = (value - count * highLn2) - count * lowLn2
        var sum = 1.0
        var term = 17.0
        while term >= 1 {
            sum = 1 + rest / term * sum
            term -= 1
        }
        // In two steps, so that a result below the normal numbers comes out.
        let half = Int(count / 2)
        return sum * power(half) * power(Int(count) - half)
    }

    /// 2 to a power from -1022 to 1023.
    private static func power(_ exponent: Int) -> Double {
        Double(sign: .plus, exponent: exponent, significand: 1)
    }

    // ln 2 in two parts, so that a whole multiple of the first is exact: fdlibm, e_log.c.
    private static let highLn2 = 6.931_471_803_691_238_164_90e-01
    private static let lowLn2 = 1.908_214_929_270_587_700_02e-10
}
