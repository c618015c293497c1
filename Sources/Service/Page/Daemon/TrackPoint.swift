internal import ClientVocabulary
internal import DaemonClient
internal import Glibc
internal import SextantUnits

/// A point of the track, as the page is told of it.
struct TrackPoint {
    /// Milliseconds since 1970, UTC.
    let milliseconds: Int64
    /// Degrees, WGS 84; north and east positive.
    let latitude: Double
    let longitude: Double
    /// Metres per second over ground; nil where it is not known.
    let speed: Double?
    /// Metres above mean sea level; nil where it is not known.
    let altitude: Double?
    /// Whether nothing was recorded for a time between this point and the one after it.
    var isBeforeGap = false
    /// Whether the board slept before this point, so that no line leads to it.
    let isAfterSleep: Bool

    /// Decodes a `trackPoint` of the daemon; nil where it has no time or no place.
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

    /// The point in a third of the daemon's bytes: an array of seconds, latitude, longitude, speed, altitude, and 1 where
    /// a gap follows, else 0.
    var text: [UInt8] {
        let optional = [speed, altitude].map { $0.map { "\($0)" } ?? "null" }.joined(separator: ",")
        return Array("[\(seconds),\(latitude),\(longitude),\(optional),\(isBeforeGap ? 1 : 0)]".utf8)
    }

    /// Metres from the middle of a sphere of the Earth's mean radius: without an edge at 180 degrees or at the poles.
    var position: SIMD3<Double> {
        let (north, east) = (latitude * .pi / 180, longitude * .pi / 180)
        return 6_371_008.8 * SIMD3(cos(north) * cos(east), cos(north) * sin(east), sin(north))
    }
}
