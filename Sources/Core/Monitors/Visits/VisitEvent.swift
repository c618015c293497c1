public import Units

/// That a stay began, or that it ended.
///
/// There is one of each a stay, the arrival first, and neither is taken back or changed.
public struct VisitEvent: Sendable, Hashable {
    public enum Kind: UInt8, Sendable {
        case arrival
        case departure
    }

    public var kind: Kind
    /// The stay's own number; a restored monitor goes on counting.
    public var visit: UInt64
    /// The place's number: the same on another day.
    public var place: UInt64
    /// When the stay began; nil where it was under way when the monitor's first fix came.
    ///
    /// Core Location calls nil the distant past, and tells of such a stay only when it ends: who serves its clients
    /// withholds an arrival without this.
    public var arrival: MonotonicInstant?
    /// From when on it is known: the arrival, or where that is nil the first fix at the place.
    public var since: MonotonicInstant
    /// When it ended; nil in an arrival.
    public var departure: MonotonicInstant?
    /// When it could be known: the instant of the fix or the timer that decided.
    public var confirmed: MonotonicInstant
    /// Degrees north, WGS 84; the place's middle.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double
    /// The place's radius; metres.
    public var horizontalAccuracy: Double
    /// How sure it is that there is such a stay, 0 to 1.
    public var confidence: Double

    public init(
        kind: Kind, visit: UInt64, place: UInt64, arrival: MonotonicInstant?, since: MonotonicInstant,
        departure: MonotonicInstant?, confirmed: MonotonicInstant, latitude: Double, longitude: Double,
        horizontalAccuracy: Double, confidence: Double
    ) {
        self.kind = kind
        self.visit = visit
        self.place = place
        self.arrival = arrival
        self.since = since
        self.departure = departure
        self.confirmed = confirmed
        self.latitude = latitude
        self.longitude = longitude
        self.horizontalAccuracy = horizontalAccuracy
        self.confidence = confidence
    }
}
