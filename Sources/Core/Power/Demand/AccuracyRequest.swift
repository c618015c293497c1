public import SextantUnits

/// One client's need for positions.
public struct AccuracyRequest: Sendable, Equatable {
    public enum Service: Sendable, Equatable {
        /// Continuous reports of the standard location service, with the client's settings.
        case standard(LocationSettings)
        /// Every epoch as it comes, for a plain `watch` request or gpsd's WATCH.
        case everyEpoch
        /// One position as soon as possible; at the deadline, the best position so far.
        case singleLocation(DesiredAccuracy, deadline: MonotonicInstant)
        /// A report for each move of 500 m, at most one per 5 minutes; finer positions come only where other clients
        /// need them.
        case significantChange
        /// Reports of stays of at least 5 minutes; an occasional fix must show whether the board is still at the same
        /// place.
        case visits
        /// Region monitoring; the required accuracy is the distance to the nearest region boundary, less the margin
        /// `slack` that the confirmation of a crossing needs, both in metres.
        case region(distanceToBoundary: Double, slack: Double)
    }

    /// The state of the client's reports: running, paused, or paused while a fix is awaited.
    public enum State: Sendable, Equatable {
        case running
        /// The client's reports are paused, and the client does not need the receiver.
        case paused
        /// The client's reports are paused, but a fix is needed before this instant, to show whether the board is still
        /// at the same place.
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

    /// The shortest distance between two significant changes, in metres.
    ///
    /// Source: Apple, `startMonitoringSignificantLocationChanges()`: 500 m or more, and at most every five minutes.
    public static let significantDistance = 500.0
    /// The shortest time between two significant changes, in seconds.
    public static let significantInterval = 300.0
    /// The accuracy in metres that the detection of visits needs to tell two places apart.
    public static let visitAccuracy = 100.0
    /// The time between two fixes for visits, in seconds: short enough that the board gets two fixes during the
    /// shortest stay that counts as a visit, 5 minutes.
    public static let visitInterval = 120.0
    /// The smallest accuracy in metres that region monitoring asks for, however near the boundary is.
    public static let finestRegionAccuracy = 50.0
    /// The smallest accuracy in metres asked of a probe, a fix that shows if the board moved during a pause.
    public static let finestProbeAccuracy = 25.0

    /// The largest error in metres that the request allows for the last reported position; 0 for the receiver's best.
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

    /// The shortest time between two reports for the request, in seconds; nil for a request that takes every fix.
    var minimumInterval: Double? {
        switch service {
        case .standard(let settings): settings.minimumInterval
        case .significantChange: AccuracyRequest.significantInterval
        case .visits: AccuracyRequest.visitInterval
        case .everyEpoch, .singleLocation, .region: nil
        }
    }
}
