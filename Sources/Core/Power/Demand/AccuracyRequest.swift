public import SextantUnits

/// One client's need for positions.
public struct AccuracyRequest: Sendable, Equatable {
    public enum Service: Sendable, Equatable {
        /// Reports for as long as the client watches them.
        case standard(LocationSettings)
        /// Every epoch as it comes: a plain `watch`, a gpsd WATCH.
        case everyEpoch
        /// One position now; at the deadline, the best one so far.
        case singleLocation(DesiredAccuracy, deadline: MonotonicInstant)
        /// Moves of 500 m, at most one in 5 minutes; finer positions are used only where other clients cause them.
        case significantChange
        /// Stays of minutes: now and then a fix shows whether the board is still where it was.
        case visits
        /// Distance in metres to the nearest boundary of a region, and the slack of its radius, which is subtracted.
        case region(distanceToBoundary: Double, slack: Double)
    }

    /// The state of the client's reports.
    public enum State: Sendable, Equatable {
        case running
        /// Paused: the receiver is not needed.
        case paused
        /// Paused, with a fix wanted until this instant, to see whether the board is still where it was.
        case probing(until: MonotonicInstant)
    }

    public var client: UInt32
    public var service: Service
    public var activity: ActivityType
    public var state: State

    public init(client: UInt32, _ service: Service, state: State = .running) {
        self.client = client
        self.service = service
        self.state = state
        activity = if case .standard(let settings) = service { settings.activity } else { .other }
    }

    /// Metres between two significant changes.
    ///
    /// Source: Apple, `startMonitoringSignificantLocationChanges()`: 500 m or more, and at most every five minutes.
    public static let significantDistance = 500.0
    /// Least seconds between two significant changes.
    public static let significantInterval = 300.0
    /// Accuracy in metres for visits, which tells one place from the next.
    public static let visitAccuracy = 100.0
    /// Least seconds between two fixes for visits: at least two in the shortest stay, of 5 minutes.
    public static let visitInterval = 120.0
    /// The finest accuracy with which a region is watched; metres.
    public static let finestRegionAccuracy = 50.0
    /// The finest accuracy of a probe during a pause, which compares two places and shows neither; metres.
    public static let finestProbeAccuracy = 25.0

    /// Accuracy in metres that a power plan must hold for the request; 0 for the receiver's best.
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

    /// Whether the receiver must stay on for the request.
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

    /// Least seconds between two reports for the request; nil where it takes every fix.
    var minimumInterval: Double? {
        switch service {
        case .standard(let settings): settings.minimumInterval
        case .significantChange: AccuracyRequest.significantInterval
        case .visits: AccuracyRequest.visitInterval
        case .everyEpoch, .singleLocation, .region: nil
        }
    }
}
