/// Trigonometric functions and their inverses, in radians, without a C library.
///
/// Core is not allowed to import a C library, so that the same source gives the same bits on every board: a recording
/// must replay to the byte. Errors stay under 2 units in the last place for the arguments used here (tested against the
/// C library's).
public enum Trigonometry {
    public static let degreesPerRadian = 180 / Double.pi

    /// The angle of the point (x, y) from the x axis, in radians, -π to π; 0 for the origin, NaN if x or y is NaN.
    public static func arctangent(y: Double, x: Double) -> Double {
        guard x != 0 || y != 0 else { return 0 }
        guard !x.isNaN, !y.isNaN else { return .nan }
        let larger = max(abs(x), abs(y))
        let smaller = min(abs(x), abs(y))
        var angle = arctangentOfUnit(smaller / larger)
        if abs(y) > abs(x) { angle = .pi / 2 - angle }
        if x < 0 { angle = .pi - angle }
        return y < 0 ? -angle : angle
    }

    /// The arc whose sine is `value`, in radians; `value` is clamped to -1...1.
    public static func arcsine(_ value: Double) -> Double {
        let clamped = min(1, max(-1, value))
        return arctangent(y: clamped, x: (1 - clamped * clamped).squareRoot())
    }

    /// Sine and cosine of an angle in radians of at most a few turns; NaN beyond 2³¹ quarter turns.
    public static func sineAndCosine(_ angle: Double) -> (sine: Double, cosine: Double) {
        let quarter = (angle * (2 / .pi)).rounded()
        guard abs(quarter) < 0x1p31 else { return (.nan, .nan) }
        // π/2 is subtracted in two parts, so that the reduction to |x| up to π/4 loses no digits: fdlibm, e_rem_pio2.
        let reduced = (angle - quarter * 1.570_796_326_734_125_614_17) - quarter * 6.077_100_506_506_192_249_32e-11
        let square = reduced * reduced
        let sine = reduced * Polynomial.value(at: square, sineTerms)
        let cosine = Polynomial.value(at: square, cosineTerms)
        switch Int(quarter) & 3 {
        case 0: return (sine, cosine)
        case 1: return (cosine, -sine)
        case 2: return (-sine, -cosine)
        default: return (-cosine, sine)
        }
    }

    /// Taylor terms of sin(x)/x and cos(x) in x², enough for |x| up to π/4.
    private static let sineTerms: InlineArray<9, Double> = [
        1, -1 / 6, 1 / 120, -1 / 5040, 1 / 362_880, -1 / 39_916_800, 1 / 6_227_020_800, -1 / 1_307_674_368_000,
        1 / 355_687_428_096_000,
    ]
    private static let cosineTerms: InlineArray<9, Double> = [
        1, -1 / 2, 1 / 24, -1 / 720, 1 / 40_320, -1 / 3_628_800, 1 / 479_001_600, -1 / 87_178_291_200,
        1 / 20_922_789_888_000,
    ]

    /// The arctangent of a number from 0 to 1, by a table of nine arctangents and the Taylor series of the remainder.
    private static func arctangentOfUnit(_ tangent: Double) -> Double {
        guard tangent <= 1 else { return .nan }
        // arctan t = arctan c + arctan((t - c) / (1 + t c)), where c is the nearest to t of 0, 1/8 … 1.
        let index = Int((tangent * 8).rounded())
        let centre = Double(index) / 8
        let rest = (tangent - centre) / (1 + tangent * centre)
        return centres[index] + rest * Polynomial.value(at: rest * rest, arctangentTerms)
    }

    private static let arctangentTerms: InlineArray<8, Double> = [
        1, -1 / 3, 1 / 5, -1 / 7, 1 / 9, -1 / 11, 1 / 13, -1 / 15,
    ]

    /// The arctangents of 0, 1/8 … 1.
    private static let centres: InlineArray<9, Double> = [
        0, 0.124354994546761435, 0.244978663126864154, 0.358770670270572220, 0.463647609000806116,
        0.558599315343562436, 0.643501108793284387, 0.718829999621624506, 0.785398163397448310,
    ]
}
