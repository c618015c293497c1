public import GNSS
internal import SextantUnits

/// A fix so many metres north of 47° N 8° E.
public func fix(_ metres: Double, accuracy: Double? = 5) -> Fix {
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
