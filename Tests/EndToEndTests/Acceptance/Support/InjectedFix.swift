import Foundation

/// A navigation solution that a test has the receiver send, as UBX NAV-PVT.
struct InjectedFix {
    /// Degrees; Zurich unless moved.
    var latitude = 47.3769
    var longitude = 8.5417
    /// Metres, 68 %.
    var accuracy = 5.0
    var verticalAccuracy = 8.0
    /// Metres above mean sea level, and how far that lies above the ellipsoid.
    var altitude = 408.0
    var geoidSeparation = 47.5
    /// Metres per second, and degrees from true north; the receiver vouches for a course with its accuracy.
    var speed = 0.0
    var speedAccuracy = 0.3
    var course = 0.0
    var courseAccuracy = 180.0
    /// 0 none, 2 two-dimensional, 3 three-dimensional.
    var type: UInt8 = 3
    /// Whether the receiver vouches for it (`gnssFixOK`).
    var isTrusted = true
    /// Seconds since 1970; nil for the bench's present.
    var time: Double?

    init(accuracy: Double = 5, time: Double? = nil) {
        self.accuracy = accuracy
        self.time = time
    }

    /// So many metres north and east of where a fix is unless moved.
    ///
    /// A degree of latitude is 111.18 km there, and one of longitude 75.51 km (WGS 84).
    init(north: Double, east: Double = 0, accuracy: Double = 5, time: Double? = nil) {
        self.init(accuracy: accuracy, time: time)
        latitude += north / InjectedFix.metresPerDegreeNorth
        longitude += east / InjectedFix.metresPerDegreeEast
    }

    /// WGS 84 at 47.3769 degrees north: a·(1 − e²)/W³ and a·cos φ/W, with W = √(1 − e² sin² φ), each times π/180.
    static let metresPerDegreeNorth = 111_181.0
    static let metresPerDegreeEast = 75_513.0

    /// The receiver is searching.
    static var none: InjectedFix {
        var fix = InjectedFix()
        fix.type = 0
        return fix
    }

    /// Changes what has no parameter of its own.
    func with(_ change: (inout InjectedFix) -> Void) -> InjectedFix {
        var fix = self
        change(&fix)
        return fix
    }

    /// NAV-PVT and NAV-EOE, which closes the epoch.
    ///
    /// Source: u-blox 8 / M8 receiver description (UBX-13003221), 32.17.14 and 32.17.6.
    ///
    /// - Parameter seconds: Since 1970.
    func frames(at seconds: Double) -> [UInt8] {
        let milliseconds = Int64((seconds * 1000).rounded())
        // GPS time began on 1980-01-06 and was 18 s ahead of UTC from 2017 on.
        let timeOfWeek = UInt32((milliseconds - 315_964_800_000 + 18_000) % 604_800_000)
        return UBXBytes.frame(0x07, payload(timeOfWeek, milliseconds))
            + UBXBytes.frame(0x61, UBXBytes.bytes(timeOfWeek))
    }

    private func payload(_ timeOfWeek: UInt32, _ milliseconds: Int64) -> [UInt8] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let date = Date(timeIntervalSince1970: Double(milliseconds / 1000))
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        var bytes = UBXBytes.bytes(timeOfWeek) + UBXBytes.bytes(UInt16(parts.year ?? 0))
        bytes += [parts.month, parts.day, parts.hour, parts.minute, parts.second].map { UInt8($0 ?? 0) }
        bytes += [0x07] + UBXBytes.bytes(UInt32(300)) + UBXBytes.bytes(Int32(milliseconds % 1000 * 1_000_000))
        bytes += [type, type == 0 || !isTrusted ? 0x00 : 0x01, 0xE0, type == 0 ? 0 : 9]
        bytes += position + motion
        bytes += UBXBytes.bytes(UInt16(140)) + [UInt8](repeating: 0, count: 14)
        return bytes
    }

    private var position: [UInt8] {
        UBXBytes.scaled(longitude, 1e7) + UBXBytes.scaled(latitude, 1e7)
            + UBXBytes.scaled(altitude + geoidSeparation, 1000) + UBXBytes.scaled(altitude, 1000)
            + UBXBytes.scaled(accuracy, 1000) + UBXBytes.scaled(verticalAccuracy, 1000)
    }

    private var motion: [UInt8] {
        let radians = course * .pi / 180
        return UBXBytes.scaled(speed * cos(radians), 1000) + UBXBytes.scaled(speed * sin(radians), 1000)
            + UBXBytes.scaled(0, 1000) + UBXBytes.scaled(speed, 1000) + UBXBytes.scaled(course, 1e5)
            + UBXBytes.scaled(speedAccuracy, 1000) + UBXBytes.scaled(courseAccuracy, 1e5)
    }
}

/// UBX framing with no part in common with the product's own.
private enum UBXBytes {
    static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        stride(from: 0, to: value.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    static func scaled(_ value: Double, _ factor: Double) -> [UInt8] { bytes(Int32((value * factor).rounded())) }

    /// A frame of the class NAV.
    static func frame(_ id: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let body = [0x01, id] + bytes(UInt16(payload.count)) + payload
        var (a, b): (UInt8, UInt8) = (0, 0)
        for byte in body {
            a &+= byte
            b &+= a
        }
        return [0xB5, 0x62] + body + [a, b]
    }
}
