public import SextantJSON
public import SextantUnits

/// A position, as the daemon's event `location` gives it, with only the members that the uplink sends.
///
/// Frame WGS 84; degrees, metres, metres per second, degrees from true north.
public struct UplinkFix: Sendable, Equatable {
    public var time: UTCInstant?
    /// The time since boot at which the fix was measured: when the daemon's message came, minus the message's member
    /// `age`.
    public var measured: MonotonicInstant
    public var latitude: Double
    public var longitude: Double
    /// The radius in metres that contains 68 % of the position's errors; above 0.
    public var horizontalAccuracy: Double
    public var altitude: Double?
    public var verticalAccuracy: Double?
    public var speed: Double?
    public var course: Double?
    /// Whether this client is allowed only reduced accuracy; the fix then has no altitude, speed or course.
    public var isReduced = false
    /// The identifiers of the regions in which the board is, as far as they are known; for OwnTracks' member `inrids`.
    public var regions: [String] = []
    /// Whether software made the fix: a simulation, or a replayed recording.
    public var isSimulated = false

    public init(
        time: UTCInstant?, measured: MonotonicInstant, latitude: Double, longitude: Double, horizontalAccuracy: Double
    ) {
        self.time = time
        self.measured = measured
        self.latitude = latitude
        self.longitude = longitude
        self.horizontalAccuracy = horizontalAccuracy
    }
}

extension UplinkFix {
    /// Reads the daemon's event `location`.
    ///
    /// - Parameters:
    ///   - line: The members of one line (one JSON object) from the daemon.
    ///   - instant: When the line came.
    /// - Returns: Nil if the line is not a `location` with coordinates and an accuracy.
    public init?(daemonLine line: JSONMembers, at instant: MonotonicInstant) {
        guard line.text("event") == "location", let latitude = line.number("latitude"),
            let longitude = line.number("longitude"), let accuracy = line.number("horizontalAccuracy")
        else { return nil }
        self.init(
            time: line.instant("time"), measured: instant.advanced(bySeconds: -(line.number("age") ?? 0)),
            latitude: latitude, longitude: longitude, horizontalAccuracy: accuracy)
        altitude = line.number("altitudeAboveMeanSeaLevel")
        verticalAccuracy = line.number("verticalAccuracy")
        speed = line.number("speed")
        course = line.number("course")
        isSimulated = line.flag("simulated") ?? false
    }
}
