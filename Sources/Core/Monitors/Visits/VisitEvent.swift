public import SextantUnits

/// The beginning or the end of a stay.
///
/// Each reported stay has one arrival and then one departure; neither is taken back or changed.
public struct VisitEvent: Sendable, Hashable {
    public enum Kind: UInt8, Sendable {
        case arrival
        case departure
    }

    public var kind: Kind
    /// The stay's own number, which is not used again even after a restart of the daemon.
    public var visit: UInt64
    /// The number of the place, which is the same for visits on different days.
    public var place: UInt64
    /// When the stay began; nil where it was under way when the monitor's first fix came.
    ///
    /// In this case Core Location gives the distant past, and reports the stay only when it ends: a service for Core
    /// Location's clients withholds an arrival event whose `arrival` is nil.
    public var arrival: MonotonicInstant?
    /// The time from which the stay is known: its arrival, or, where the arrival is not known, the first fix at the
    /// place.
    public var since: MonotonicInstant
    /// When the stay ended; nil in an arrival event.
    public var departure: MonotonicInstant?
    /// When the event could be known: the instant of the fix, or of the timer, that decided it.
    public var confirmed: MonotonicInstant
    /// The latitude of the place's middle, in degrees north, WGS 84.
    public var latitude: Double
    /// The longitude of the place's middle, in degrees east, WGS 84.
    public var longitude: Double
    /// The radius of the place in metres.
    public var horizontalAccuracy: Double
    /// The confidence that the stay is real, 0 to 1.
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
