internal import ClientVocabulary
internal import DaemonClient
internal import Glibc
internal import SextantUnits

/// A point of the track in the form in which the page gets it.
struct DrawnPoint {
    /// Milliseconds since 1970, UTC.
    let milliseconds: Int64
    /// Degrees, WGS 84; north and east positive.
    let latitude: Double
    let longitude: Double
    /// Metres per second over ground; nil if unknown.
    let speed: Double?
    /// Metres above mean sea level; nil if unknown.
    let altitude: Double?
    /// Whether the recording has a gap between this point and the one that follows it in time.
    var isBeforeGap = false
    /// Whether the board slept before this point, so that no line is drawn from the previous point to this one.
    let isAfterSleep: Bool

    /// Decodes a `trackPoint` event of the daemon; nil if it has no time or no position.
    init?(_ bytes: [UInt8]) {
        guard let line = DaemonLine(bytes), let time = line.instant(.time), let latitude = line.number(.latitude),
            let longitude = line.number(.longitude)
        else { return nil }
        milliseconds = time.nanoseconds / 1_000_000
        (self.latitude, self.longitude) = (latitude, longitude)
        (speed, altitude) = (line.number(.speed), line.number(.altitude))
        isAfterSleep = line.flag(.afterSleep) == true
    }

    /// Seconds since 1970.
    var seconds: Double { Double(milliseconds) / 1000 }

    /// The point as an array of seconds, latitude, longitude, speed, altitude, and 1 if a gap follows, otherwise 0.
    ///
    /// This form takes a third of the bytes of the daemon's JSON object.
    var text: [UInt8] {
        let optional = [speed, altitude].map { $0.map { "\($0)" } ?? "null" }.joined(separator: ",")
        return Array("[\(seconds),\(latitude),\(longitude),\(optional),\(isBeforeGap ? 1 : 0)]".utf8)
    }

    /// The position on a sphere of the Earth's mean radius, in metres from its centre; such coordinates have no jump at
    /// 180 degrees of longitude or at the poles.
    var position: SIMD3<Double> {
        let (north, east) = (latitude * .pi / 180, longitude * .pi / 180)
        return GreatCircle.meanRadius * SIMD3(cos(north) * cos(east), cos(north) * sin(east), sin(north))
    }
}
