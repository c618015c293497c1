import GNSS
import SextantUnits

/// An instant so many seconds after boot.
func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(seconds * 1e9)) }

/// A fix so many metres north of 47° N 8° E.
func fix(_ metres: Double, accuracy: Double? = 5) -> Fix {
    var fix = Fix()
    fix.type = .threeD
    fix.quality = .differential
    fix.time = UTCInstant(nanoseconds: 1_795_176_000_123_000_000)
    fix.isTimeValidated = true
    fix.latitude = 47 + metres / 111_195.08
    fix.longitude = 8
    fix.horizontalAccuracy = accuracy
    return fix
}

/// Numbers that are the same on every run.
struct SeededNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 33
    }
}
