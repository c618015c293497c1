public import Beacons
public import ClientVocabulary
public import Monitors
public import SextantUnits

/// The options of a `watch` request that decide whether and when locations are reported.
public struct WatchOptions: Sendable, Hashable {
    /// Whether the rules of `CLLocationUpdate` apply: the reasons for missing locations are reported, and a pause is an
    /// update.
    public var isLive: Bool
    /// Whether reports go on while the client is in the background.
    public var inBackground: Bool
    /// Whether the location indicator is on during background reports even if the client is always authorized.
    public var showsIndicator: Bool
    /// Whether the host is allowed to sleep while the request lasts.
    public var allowsHostSleep: Bool
    /// Whether the request only gets locations that come for other clients, and never switches the receiver on itself.
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

/// What a `CLServiceSession` or a `CLBackgroundActivitySession` requests from the daemon for as long as it lives.
public struct SessionGoal: Sendable, Hashable {
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
        case service
        case backgroundActivity
    }

    /// The authorization that a session asks the user for; each case includes the cases listed before it.
    public enum Authorization: UInt8, Sendable, Hashable, Comparable, CaseIterable {
        case none
        case whenInUse
        case always

        public static func < (left: Authorization, right: Authorization) -> Bool { left.rawValue < right.rawValue }
    }

    public var kind: Kind
    public var authorization: Authorization
    public var fullAccuracyPurposeKey: String?
    /// Whether the session was made by a loop over updates, and not explicitly by the program.
    public var isImplicit: Bool
    /// Whether the host is allowed to sleep while the connection's updates run; for background activity sessions only.
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

/// What it means to be in a region: the board is in an area, or it receives matching beacons.
public enum RegionCondition: Sendable, Hashable {
    case area(RegionShape)
    case beacons(BeaconConstraint)
}

/// A region that a client wants to monitor, or about which it asks whether the board is inside.
public struct RegionRequest: Sendable, Hashable {
    public var identifier: String
    public var condition: RegionCondition
    public var notifyOnEntry: Bool
    public var notifyOnExit: Bool
    /// Whether the client gets an event each time the display lights up while the board is inside; for beacon regions
    /// only.
    public var notifyEntryStateOnDisplay = false
    /// For beacon regions, the distance in metres within which a beacon must be; nil for as far as the beacon is
    /// received.
    public var within: Double?
    /// Seconds inside the region after which a dwell event is sent, once in each stay; nil for no such event.
    public var dwell: Double?
    /// The distance in metres past the border at which a crossing counts; nil for the daemon's own rule.
    public var cushion: Double?
    /// The name of the `CLMonitor` to which the region belongs as a condition; nil for an ordinary region.
    public var monitor: String?
    /// The first state that a `CLMonitor` assumes for its condition, true for inside; nil for unknown.
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

    /// The range of `within`, in metres; smaller or larger distances cannot be told apart by a beacon's signal.
    public static let withinRange: ClosedRange<Double> = 0.3...50

    /// The area of the region; nil for a beacon region.
    public var shape: RegionShape? { if case .area(let shape) = condition { shape } else { nil } }

    /// The UUID, major and minor number of the region's beacons; nil for an area.
    public var beacons: BeaconConstraint? {
        if case .beacons(let constraint) = condition { constraint } else { nil }
    }

    /// Whether the region can be monitored: the radius of a circle must be above 0 and at most
    /// `ClientRequest.maximumRadius`.
    public var isPossible: Bool {
        guard case .circle(_, _, let radius)? = shape else { return true }
        return radius > 0 && radius <= ClientRequest.maximumRadius
    }
}

/// A request that only an operator is allowed to make.
public enum OperatorRequest: Sendable, Equatable {
    case clients
    case answer(client: String, OperatorAnswer?, reducesAccuracy: Bool?, mayBeWoken: Bool?)
    /// Switches location services on or off for all clients; nil asks whether they are on.
    case services(isEnabled: Bool?)
    case agent(isEnabled: Bool)
    /// Asks what is stored about a client; nil asks about every client.
    case privacy(client: String?)
    case erase(client: String, Stored)
    case track(TrackRequest)
    case visits(VisitRequest)
    /// Lists the regions of all clients, without the first `offset`, and then reports each change; false ends the
    /// reports.
    case regions(isEnabled: Bool, offset: Int)
    case compass(CompassRequest)
    case host(HostControl)
    /// Has the daemon act as if the board's display had lit up, because a person looks at the board.
    case display
    /// Lists the beacons that have a name or were calibrated, and the board's receiving gain.
    case knownBeacons
    /// Stores a beacon's name, its signal strength at 1 m as this board receives it (dBm), or both; nil leaves the
    /// stored value.
    case keepBeacon(BeaconIdentity, name: String?, calibratedPower: Int8?)
    case forgetBeacon(BeaconIdentity)
    /// Sets the board's receiving gain: by how many decibels it receives beacons at 1 m more strongly than they state.
    case setBeaconGain(Double)
    /// Sends this beacon's advertisement until the connection ends or another such request comes; nil stops sending.
    case advertise(BeaconIdentity?, measuredPower: Int8 = OperatorRequest.defaultPower)

    /// The default signal strength at 1 m that an advertisement states, in dBm; the real strength of a board must be
    /// measured.
    public static let defaultPower: Int8 = -59

    /// The kinds of data that are stored about a client.
    public enum Stored: String, Sendable, CaseIterable {
        case all, authorization, registrations, events, track
    }
}

/// An operator's request about the board's track, the daemon's record of locations.
public enum TrackRequest: Sendable, Equatable {
    /// Reads the first `limit` points (the last `limit` if `newest`) from one time to another, both included; oldest
    /// first.
    case read(from: UTCInstant, to: UTCInstant, limit: Int, newest: Bool = false)
    case erase

    /// The largest number of track points in one answer; a client's output queue has room for that many.
    public static let maximumPoints = 256
}

/// An operator's request about the board's past visits to places.
public enum VisitRequest: Sendable, Equatable {
    /// Lists the newest `limit` visits, oldest first; if `before` is given, only visits with lower numbers than
    /// `before`.
    case list(before: UInt64? = nil, limit: Int)
    case erase

    /// The largest number of visits in one answer; a client's output queue has room for that many.
    public static let maximumVisits = 256
}
