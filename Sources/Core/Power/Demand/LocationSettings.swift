/// A client's request to the standard location service.
public struct LocationSettings: Sendable, Hashable {
    public var accuracy: DesiredAccuracy
    /// The metres that the board must move before the next report; nil for no such minimum.
    public var distanceFilter: Double?
    /// The shortest time between two reports, in seconds; nil for no such minimum.
    public var minimumInterval: Double?
    public var activity: ActivityType
    /// Whether reports are allowed to pause while the board does not move or finds no position.
    public var pausesAutomatically: Bool
    public var deferral: Deferral?

    public init(
        accuracy: DesiredAccuracy, distanceFilter: Double? = nil, minimumInterval: Double? = nil,
        activity: ActivityType = .other, pausesAutomatically: Bool = true, deferral: Deferral? = nil
    ) {
        self.accuracy = accuracy
        self.distanceFilter = distanceFilter
        self.minimumInterval = minimumInterval
        self.activity = activity
        self.pausesAutomatically = pausesAutomatically
        self.deferral = deferral
    }

    /// The largest error in metres allowed for the last reported position: `accuracy` or, if larger, half of the
    /// distance filter.
    ///
    /// A report is due only after the filter's distance, and half of that distance is allowed as error. The half is our
    /// own choice.
    public var effectiveAccuracy: Double { max(accuracy.effectiveMetres, (distanceFilter ?? 0) / 2) }

    /// Whether the receiver must stay on: for `best` without a distance filter, and always for `bestForNavigation`.
    public var keepsOn: Bool {
        switch accuracy {
        case .bestForNavigation: true
        case .best: effectiveAccuracy == 0
        case .metres, .reduced: false
        }
    }
}

/// The limits of distance and time up to which reports are held back, to be delivered together.
///
/// A deferral holds back delivery, not sampling. Source: Core Location,
/// `allowDeferredLocationUpdates(untilTraveled:timeout:)`.
public struct Deferral: Sendable, Hashable {
    /// The distance in metres from `origin` up to which reports are held back; nil for no limit.
    public var distance: Double?
    /// The time in seconds from the request up to which reports are held back; nil for no limit.
    public var timeout: Double?
    /// The place from which `distance` is measured; nil for the board's position at the request.
    public var origin: Place?

    /// A place in degrees, WGS 84.
    public struct Place: Sendable, Hashable {
        public var latitude: Double
        public var longitude: Double

        public init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    public init(distance: Double?, timeout: Double?, from origin: Place? = nil) {
        self.distance = distance
        self.timeout = timeout
        self.origin = origin
    }
}
