public import Beacons
public import Monitors
public import SextantUnits

/// The options of a watch that decide when it gets reports at all.
public struct WatchOptions: Sendable, Hashable {
    /// Whether the watch follows the rules of `CLLocationUpdate`: it is told what is missing, and a pause is an update.
    public var isLive: Bool
    /// Whether reports go on in the background.
    public var inBackground: Bool
    /// Whether the indicator shows background reports even where the client is always authorized.
    public var showsIndicator: Bool
    /// Whether the host may be switched off while the watch lasts.
    public var allowsHostSleep: Bool
    /// Whether the watch only gets what other clients' requests bring, and itself asks nothing of the receiver.
    public var isPassive: Bool

    public init(
        isLive: Bool = false, inBackground: Bool = false, showsIndicator: Bool = false, allowsHostSleep: Bool = false,
        isPassive: Bool = false
    ) {
        self.isLive = isLive
        self.inBackground = inBackground
        self.showsIndicator = showsIndicator
        self.allowsHostSleep = allowsHostSleep
        self.isPassive = isPassive
    }
}

/// The purpose for which a `CLServiceSession` or a `CLBackgroundActivitySession` is held.
public struct SessionGoal: Sendable, Hashable {
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
        case service
        case backgroundActivity
    }

    /// The authorization that a session asks the user for; each case includes those before it.
    public enum Authorization: UInt8, Sendable, Hashable, Comparable, CaseIterable {
        case none
        case whenInUse
        case always

        public static func < (left: Authorization, right: Authorization) -> Bool { left.rawValue < right.rawValue }
    }

    public var kind: Kind
    public var authorization: Authorization
    public var fullAccuracyPurposeKey: String?
    /// Whether the session exists only because of an iteration over updates, without an explicit request.
    public var isImplicit: Bool
    /// Whether the host may be switched off while the connection's updates run; of background activity alone.
    public var allowsHostSleep: Bool

    public init(
        kind: Kind = .service, authorization: Authorization = .none, fullAccuracyPurposeKey: String? = nil,
        isImplicit: Bool = false, allowsHostSleep: Bool = false
    ) {
        self.kind = kind
        self.authorization = authorization
        self.fullAccuracyPurposeKey = fullAccuracyPurposeKey
        self.isImplicit = isImplicit
        self.allowsHostSleep = allowsHostSleep
    }
}

/// The condition of a region: an area, or the reach of beacons.
public enum RegionCondition: Sendable, Hashable {
    case area(RegionShape)
    case beacons(BeaconConstraint)
}

/// A region that a client wants monitored, or asks about.
public struct RegionRequest: Sendable, Hashable {
    public var identifier: String
    public var condition: RegionCondition
    public var notifyOnEntry: Bool
    public var notifyOnExit: Bool
    /// Whether the client is told each time the display lights up inside the region; of beacons alone.
    public var notifyEntryStateOnDisplay = false
    /// Metres within which a beacon must be; nil for as far as it is heard; of beacons alone.
    public var within: Double?
    /// Seconds inside the region after which a stay is reported, once a stay; nil for no such report.
    public var dwell: Double?
    /// Metres past the border at which a crossing counts; nil for the daemon's own rule.
    public var cushion: Double?
    /// The name of the `CLMonitor` whose condition the region is; nil for a region outside monitors.
    public var monitor: String?
    /// The assumed first state of a `CLMonitor`'s condition, true for inside; nil for unknown.
    public var assumed: Bool?

    public init(identifier: String, _ condition: RegionCondition) {
        self.identifier = identifier
        self.condition = condition
        notifyOnEntry = true
        notifyOnExit = true
    }

    public init(
        identifier: String, _ shape: RegionShape, notifyOnEntry: Bool = true, notifyOnExit: Bool = true,
        dwell: Double? = nil, cushion: Double? = nil, monitor: String? = nil, assumed: Bool? = nil
    ) {
        self.identifier = identifier
        condition = .area(shape)
        self.notifyOnEntry = notifyOnEntry
        self.notifyOnExit = notifyOnExit
        self.dwell = dwell
        self.cushion = cushion
        self.monitor = monitor
        self.assumed = assumed
    }

    /// Metres within which a beacon can be wanted: nearer and farther no estimate tells apart.
    public static let withinRange: ClosedRange<Double> = 0.3...50

    /// The area; nil for the reach of beacons.
    public var shape: RegionShape? { if case .area(let shape) = condition { shape } else { nil } }

    /// Which beacons; nil for an area.
    public var beacons: BeaconConstraint? {
        if case .beacons(let constraint) = condition { constraint } else { nil }
    }

    /// Whether the region can be monitored: a circle's radius must be above 0 and at most the maximum.
    public var isPossible: Bool {
        guard case .circle(_, _, let radius)? = shape else { return true }
        return radius > 0 && radius <= ClientRequest.maximumRadius
    }
}

/// A request that only an operator may make.
public enum OperatorRequest: Sendable, Equatable {
    /// An operator's answer to a question, or a decision without one.
    public enum Answer: String, Sendable, CaseIterable {
        case allow, once, keep, deny, always, on, off, reset
    }

    case clients
    case answer(client: String, Answer?, reducesAccuracy: Bool?, mayBeWoken: Bool?)
    /// Sets the master switch of location services; nil asks for its state.
    case services(isEnabled: Bool?)
    case agent(isEnabled: Bool)
    /// Asks what is stored about a client; nil for every client.
    case privacy(client: String?)
    case erase(client: String, Stored)
    case track(TrackRequest)
    case visits(VisitRequest)
    /// Lists the regions of all clients behind the first `offset`, and tells each change from then on; or ends that.
    case regions(isEnabled: Bool, offset: Int)
    case compass(CompassRequest)
    case host(HostControl)
    /// Says that a person looks at the board now, as if its display had lit up.
    case display
    /// Asks about the beacons that have a name or were calibrated, and for the board's gain.
    case knownBeacons
    /// Keeps a beacon's name, its strength at 1 m on this board in dBm, or both; what is nil stays as it was.
    case keepBeacon(BeaconIdentity, name: String?, calibratedPower: Int8?)
    case forgetBeacon(BeaconIdentity)
    /// Sets by how many decibels more than what beacons state the board hears them at 1 m.
    case setBeaconGain(Double)
    /// Sends the advertisement of a beacon until the connection ends or another request; nil ends it.
    case advertise(BeaconIdentity?, measuredPower: Int8 = OperatorRequest.defaultPower)

    /// The strength at 1 m that an advertisement states where none is given, in dBm; a board's own must be measured.
    public static let defaultPower: Int8 = -59

    /// The kinds of data that are stored about a client.
    public enum Stored: String, Sendable, CaseIterable {
        case all, authorization, registrations, events, track
    }
}

/// An operator's request about the track.
public enum TrackRequest: Sendable, Equatable {
    /// The first `limit` points between two times, both included, or the last ones where `newest`; oldest first.
    case read(from: UTCInstant, to: UTCInstant, limit: Int, newest: Bool = false)
    case erase

    /// The most points in one answer, which a client's queue has room for.
    public static let maximumPoints = 256
}

/// An operator's request about the board's visits.
public enum VisitRequest: Sendable, Equatable {
    /// The newest `limit` visits, oldest first; where `before` is given, only visits with lower numbers.
    case list(before: UInt64? = nil, limit: Int)
    case erase

    /// The most visits in one answer, which a client's queue has room for.
    public static let maximumVisits = 256
}
