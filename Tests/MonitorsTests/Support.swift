import GNSS
import SextantUnits

/// An instant so many seconds after boot.
func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }

/// A fix so many metres north of 47° N 8° E.
func fix(_ metres: Double, accuracy: Double? = 5, time: Int64 = 1_795_176_000_000_000_000) -> Fix {
    var fix = Fix()
    fix.type = .threeD
    fix.quality = .autonomous
    fix.time = UTCInstant(nanoseconds: time)
    fix.isTimeValidated = true
    fix.latitude = 47 + metres / 111_195.08
    fix.longitude = 8
    fix.horizontalAccuracy = accuracy
    return fix
}

/// Numbers that are the same on every run.
struct Noise {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func uniform() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) / Double(UInt64(1) << 53)
    }

    /// Metres along one axis, of a 68 % radius of `accuracy`: the sum of twelve uniform numbers is nearly normal.
    mutating func error(accuracy: Double) -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + uniform() } * accuracy / 1.51
    }
}
