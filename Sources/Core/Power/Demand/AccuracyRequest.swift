public import Units

/// One thing that one client needs positions for.
public struct AccuracyRequest: Sendable, Equatable {
    public enum Service: Sendable, Equatable {
        /// Reports for as long as they are watched.
        case standard(LocationSettings)
        /// Every epoch as it comes: a plain `watch`, a gpsd WATCH.
        case everyEpoch
        /// One position, now, and by the deadline the best there is.
        case singleLocation(DesiredAccuracy, deadline: MonotonicInstant)
        /// Moves of 500 m, at most one in 5 minutes; everything finer is had for nothing when others ask for it.
        case significantChange
        /// Stays of minutes: a look every so often whether the board still is where it was.
        case visits
        /// Metres to the nearest boundary of a region, less the slack of its radius.
        case region(distanceToBoundary: Double, slack: Double)
    }

    /// How the client's reports stand.
    public enum Standing: Sendable, Equatable {
        case running
        /// Paused: nothing is asked of the receiver.
        case paused
        /// Paused, and looking whether the board still is where it was, until then at the latest.
        case probing(until: MonotonicInstant)
    }

    public var client: UInt32
    public var service: Service
    public var activity: ActivityType
    public var standing: Standing

    public init(client: UInt32, _ service: Service, standing: Standing = .running) {
        self.client = client
        self.service = service
        self.standing = standing
        activity = if case .standard(let settings) = service { settings.activity } else { .other }
    }

    /// Metres of the significant-change service.
    ///
    /// This and the next two: `spec/power.md` section 5.
    public static let significantDistance = 500.0
    /// Seconds at least between two significant changes.
    public static let significantInterval = 300.0
    /// Metres of visits: what tells one place from the next.
    public static let visitAccuracy = 100.0
    /// Seconds at least between two looks for visits: two and more in the shortest stay, of 5 minutes.
    public static let visitInterval = 120.0
    /// Metres: no region is watched more finely.
    public static let finestRegionAccuracy = 50.0
    /// Metres: no probe of a pause looks more finely, because it compares two places and shows neither.
    public static let finestProbeAccuracy = 25.0

    /// Metres that a plan must hold for it while it runs; 0 for the receiver's best.
    public var effectiveAccuracy: Double {
        switch service {
        case .standard(let settings): settings.effectiveAccuracy
        case .everyEpoch: 0
        case .singleLocation(let accuracy, _): accuracy.effectiveMetres
        case .significantChange: AccuracyRequest.significantDistance
        case .visits: AccuracyRequest.visitAccuracy
        case .region(let distance, let slack): max(AccuracyRequest.finestRegionAccuracy, distance - slack)
        }
    }

    /// Whether the receiver may not sleep while it runs.
    var keepsOn: Bool {
        switch service {
        case .standard(let settings): settings.keepsOn
        case .everyEpoch, .singleLocation: true
        case .significantChange, .visits, .region: false
        }
    }

    var deadline: MonotonicInstant? {
        if case .singleLocation(_, let deadline) = service { return deadline }
        return nil
    }

    /// Seconds at least between two of its reports; nil where it takes every one.
    var minimumInterval: Double? {
        switch service {
        case .standard(let settings): settings.minimumInterval
        case .significantChange: AccuracyRequest.significantInterval
        case .visits: AccuracyRequest.visitInterval
        case .everyEpoch, .singleLocation, .region: nil
        }
    }
}
