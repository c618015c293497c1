public import Monitors
public import Units

/// What a watch says beside its settings: when reports may come at all.
public struct WatchOptions: Sendable, Hashable {
    /// Whether the rules of `CLLocationUpdate` hold: what is missing is told, and a pause is an update.
    public var isLive: Bool
    /// Whether reports go on in the background.
    public var inBackground: Bool
    /// Whether that is shown although the client is always authorized.
    public var showsIndicator: Bool

    public init(isLive: Bool = false, inBackground: Bool = false, showsIndicator: Bool = false) {
        self.isLive = isLive
        self.inBackground = inBackground
        self.showsIndicator = showsIndicator
    }
}

/// What a `CLServiceSession` or a `CLBackgroundActivitySession` is held for.
public struct SessionGoal: Sendable, Hashable {
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
        case service
        case backgroundActivity
    }

    /// What it asks the user for; a later one includes those before it.
    public enum Authorization: UInt8, Sendable, Hashable, Comparable, CaseIterable {
        case none
        case whenInUse
        case always

        public static func < (left: Authorization, right: Authorization) -> Bool { left.rawValue < right.rawValue }
    }

    public var kind: Kind
    public var authorization: Authorization
    public var fullAccuracyPurposeKey: String?
    /// Whether it is held for an iteration alone, and nobody asked for it by name.
    public var isImplicit: Bool

    public init(
        kind: Kind = .service, authorization: Authorization = .none, fullAccuracyPurposeKey: String? = nil,
        isImplicit: Bool = false
    ) {
        self.kind = kind
        self.authorization = authorization
        self.fullAccuracyPurposeKey = fullAccuracyPurposeKey
        self.isImplicit = isImplicit
    }
}

/// A region to be watched, or asked about.
public struct RegionRequest: Sendable, Hashable {
    public var identifier: String
    public var shape: RegionShape
    public var notifyOnEntry: Bool
    public var notifyOnExit: Bool
    /// Seconds of staying inside that are told of once a stay; nil where nobody asks.
    public var dwell: Double?
    /// Metres past the border before it counts; nil for the daemon's own rule.
    public var cushion: Double?
    /// The `CLMonitor` that it is a condition of; nil for a region of the client.
    public var monitor: String?
    /// What a `CLMonitor`'s condition is taken to be; nil for unknown.
    public var assumed: Bool?

    public init(
        identifier: String, _ shape: RegionShape, notifyOnEntry: Bool = true, notifyOnExit: Bool = true,
        dwell: Double? = nil, cushion: Double? = nil, monitor: String? = nil, assumed: Bool? = nil
    ) {
        self.identifier = identifier
        self.shape = shape
        self.notifyOnEntry = notifyOnEntry
        self.notifyOnExit = notifyOnExit
        self.dwell = dwell
        self.cushion = cushion
        self.monitor = monitor
        self.assumed = assumed
    }

    /// Whether it can be watched: a circle must have a radius above 0 and at most the maximum.
    public var isPossible: Bool {
        guard case .circle(_, _, let radius) = shape else { return true }
        return radius > 0 && radius <= ClientRequest.maximumRadius
    }
}

/// What only an operator may ask.
public enum OperatorRequest: Sendable, Equatable {
    /// How an operator answers a question, or sets what is known without one.
    public enum Answer: String, Sendable, CaseIterable {
        case allow, once, keep, deny, always, reset
    }

    case clients
    case answer(client: String, Answer?, reducesAccuracy: Bool?, mayBeWoken: Bool?)
    /// Nil asks how the master switch stands.
    case services(isEnabled: Bool?)
    case agent(isEnabled: Bool)
    /// Nil for every client.
    case privacy(client: String?)
    case erase(client: String, Stored)
    case track(TrackRequest)
    case visits(VisitRequest)
    case compass(CompassRequest)

    /// What is kept about a client.
    public enum Stored: String, Sendable, CaseIterable {
        case all, authorization, registrations, events, track
    }
}

/// What an operator asks of the track.
public enum TrackRequest: Sendable, Equatable {
    /// The points from a time to another, both included, oldest first, the first `limit` of them.
    case read(from: UTCInstant, to: UTCInstant, limit: Int)
    case erase

    /// Points that one answer has at most: what a client's queue has room for.
    public static let maximumPoints = 256
}

/// What an operator asks of the board's visits.
public enum VisitRequest: Sendable, Equatable {
    /// The newest so many, oldest first; where `before` is given, of those before the visit of that number.
    case list(before: UInt64? = nil, limit: Int)
    case erase

    /// Visits that one answer has at most: what a client's queue has room for.
    public static let maximumVisits = 256
}
