public import Beacons
public import ClientVocabulary
public import Monitors
public import SextantUnits

/// The options of a `watch` request for locations, beside the settings for accuracy and filters.
public struct WatchOptions: Sendable, Hashable {
    /// Whether the reports follow the rules of `CLLocationUpdate`: they tell why locations are missing, and a pause is
    /// reported as an update.
    public var isLive: Bool
    /// Whether reports go on while the client is in the background.
    public var inBackground: Bool
    /// Whether the location indicator is shown during reports in the background, even for a client that is always
    /// authorized.
    public var showsIndicator: Bool
    /// Whether the host is allowed to sleep while the request lasts.
    public var allowsHostSleep: Bool
    /// Whether the session only gets locations that the receiver gives because of other requests, and never switches
    /// the receiver on.
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

/// What a `CLServiceSession` or a `CLBackgroundActivitySession` requests from the daemon while the session exists.
public struct SessionGoal: Sendable, Hashable {
    public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
        case service
        case backgroundActivity
    }

    /// The authorization that a session asks the user for; each case includes the one listed before it.
    public enum Authorization: UInt8, Sendable, Hashable, Comparable, CaseIterable {
        case none
        case whenInUse
        case always

        public static func < (left: Authorization, right: Authorization) -> Bool { left.rawValue < right.rawValue }
    }

    public var kind: Kind
    public var authorization: Authorization
    public var fullAccuracyPurposeKey: String?
    /// Whether a loop over live updates made the session; if not, the program made it explicitly.
    public var isImplicit: Bool
    /// Whether the host is allowed to sleep while location updates run on the connection; for background activity
    /// sessions only.
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

/// What being in a region means: the board is in an area, or it receives matching beacons.
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
    /// Whether the client gets an event each time the board's display lights up while the board is inside; for beacon
    /// regions only.
    public var notifyEntryStateOnDisplay = false
    /// For beacon regions, the distance from a beacon, in metres, up to which the board is inside; nil if the board is
    /// inside wherever it receives the beacon.
    public var within: Double?
    /// The seconds of a stay inside the region after which one dwell event is sent; nil for no such event.
    public var dwell: Double?
    /// How far outside the border, in metres, the board must be at least before an exit counts; nil if the request adds
    /// no such distance to the daemon's own conditions.
    public var cushion: Double?
    /// The name of the `CLMonitor` that has this region as a condition; nil for a region without a monitor.
    public var monitor: String?
    /// The state that a `CLMonitor` assumes for its condition at first: true for inside, false for outside, nil for
    /// unknown.
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

    /// The accepted values of `within`, the distance from a beacon up to which the board is inside its region, in
    /// metres; a beacon's signal does not distinguish smaller or larger distances.
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
    /// Asks how much data of each kind is stored about a client; nil asks about every client.
    case privacy(client: String?)
    case erase(client: String, Stored)
    case track(TrackRequest)
    case visits(VisitRequest)
    /// Lists the regions of all clients except the first `offset`, and then reports each change of a region; if
    /// `isEnabled` is false, ends these reports instead.
    case regions(isEnabled: Bool, offset: Int)
    case compass(CompassRequest)
    case host(HostControl)
    /// Has the daemon act as if the board's display had lit up, because a person looks at the board.
    case display
    /// Lists the beacons that have a name or were calibrated, and the board's receiving gain.
    case knownBeacons
    /// Stores a beacon's name, the signal strength at 1 m with which this board receives it (dBm), or both; nil keeps
    /// the stored value.
    case keepBeacon(BeaconIdentity, name: String?, calibratedPower: Int8?)
    case forgetBeacon(BeaconIdentity)
    /// Sets the board's receiving gain: the decibels by which the board receives a beacon at 1 m more strongly than the
    /// beacon states in its advertisement.
    case setBeaconGain(Double)
    /// Sends the advertisement of this beacon until the connection ends or the next `advertise` request comes; nil
    /// stops sending.
    case advertise(BeaconIdentity?, measuredPower: Int8 = OperatorRequest.defaultPower)

    /// The signal strength at 1 m, in dBm, that an advertisement states by default; the real one must be measured for
    /// each board.
    public static let defaultPower: Int8 = -59

    /// The kinds of data that are stored about a client.
    public enum Stored: String, Sendable, CaseIterable {
        case all, authorization, registrations, events, track
    }
}

/// An operator's request about the board's track, the daemon's record of locations.
public enum TrackRequest: Sendable, Equatable {
    /// Reads the points of the track from one time to another, both included, the oldest first: at most `limit` points,
    /// which are the first of the range or, if `newest`, the last.
    case read(from: UTCInstant, to: UTCInstant, limit: Int, newest: Bool = false)
    case erase

    /// The largest number of track points in one answer, so that the answer fits into the queue of a client's output.
    public static let maximumPoints = 256
}

/// An operator's request about the board's past visits to places.
public enum VisitRequest: Sendable, Equatable {
    /// Lists the newest `limit` visits, the oldest of them first; if `before` is given, only visits with lower numbers
    /// than `before`.
    case list(before: UInt64? = nil, limit: Int)
    case erase

    /// The largest number of visits in one answer, so that the answer fits into the queue of a client's output.
    public static let maximumVisits = 256
}
