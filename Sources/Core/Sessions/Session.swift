public import GNSS
public import GPSDProtocol
public import Power
public import Units

/// A connected client's number; never used again while the daemon runs.
public struct ClientID: Sendable, Hashable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

/// What one client of the local socket asked for.
public struct LocalSession: Sendable, Equatable {
    /// The user, by the kernel's word; nil where it is not known.
    public let userID: UInt32?
    /// Nil while it does not watch epochs; else whether it wants satellites.
    public var watchesSatellites: Bool?
    /// Nil while it does not watch locations.
    public var location: LocationSession?
    /// Positions it still waits for.
    public private(set) var waits: [Wait] = []

    /// A request for one position.
    public struct Wait: Sendable, Equatable {
        public var deadline: MonotonicInstant
        /// What the client called it.
        public var id: String?
        /// Metres that answer it at once; nil for the next position, whatever its accuracy.
        public var accuracy: Double?
        /// The most accurate position so far that does not answer it at once, and when it came.
        public var best: Fix?
        public var bestAt: MonotonicInstant?

        public init(deadline: MonotonicInstant, id: String?, accuracy: Double?) {
            self.deadline = deadline
            self.id = id
            self.accuracy = accuracy
        }

        /// Takes a position.
        ///
        /// - Returns: Whether it is what was waited for.
        mutating func follow(_ fix: Fix, at instant: MonotonicInstant) -> Bool {
            let isBetter = best == nil || fix.horizontalAccuracy ?? .infinity <= best?.horizontalAccuracy ?? .infinity
            if isBetter {
                best = fix
                bestAt = instant
            }
            guard let accuracy else { return true }
            return fix.horizontalAccuracy ?? .infinity <= accuracy
        }
    }

    /// Requests for a position that one client may have open.
    public static let maximumWaits = 16

    public init(userID: UInt32? = nil) { self.userID = userID }

    /// Adds a request for a position; false where there are too many.
    public mutating func wait(until deadline: MonotonicInstant, id: String?, accuracy: Double? = nil) -> Bool {
        guard waits.count < LocalSession.maximumWaits else { return false }
        waits.append(Wait(deadline: deadline, id: id, accuracy: accuracy))
        return true
    }

    /// Takes the requests that a position answers; in the others it is the best so far, if it is.
    public mutating func takeAnswered(by fix: Fix, at instant: MonotonicInstant) -> [Wait] {
        var answered: [Wait] = []
        var open: [Wait] = []
        for var wait in waits {
            if wait.follow(fix, at: instant) { answered.append(wait) } else { open.append(wait) }
        }
        waits = open
        return answered
    }

    /// Takes the requests whose time is over.
    public mutating func takeExpired(at instant: MonotonicInstant) -> [Wait] {
        let expired = waits.filter { $0.deadline <= instant }
        waits.removeAll { $0.deadline <= instant }
        return expired
    }
}

extension LocalSession {
    /// Appends what it needs positions for.
    public func appendRequests(of client: ClientID, to requests: inout [AccuracyRequest]) {
        if watchesSatellites != nil { requests.append(AccuracyRequest(client: client.rawValue, .everyEpoch)) }
        if let location {
            requests.append(
                AccuracyRequest(
                    client: client.rawValue, .standard(location.settings), standing: location.standing))
        }
        for wait in waits {
            let accuracy = wait.accuracy.map { DesiredAccuracy.metres($0) } ?? .best
            requests.append(
                AccuracyRequest(client: client.rawValue, .singleLocation(accuracy, deadline: wait.deadline)))
        }
    }
}

/// What one gpsd client asked for.
public struct GPSDSession: Sendable, Equatable {
    public private(set) var policy = GPSDPolicy()

    public init() {}

    public var isWatching: Bool { policy.enable == true }
    public var wantsReports: Bool { policy.enable == true && policy.json == true }
    public var wantsNMEA: Bool { policy.enable == true && policy.nmea == true }
    /// 0 none, 1 hexadecimal, 2 as received.
    public var raw: Int { policy.enable == true ? policy.raw ?? 0 : 0 }

    /// Applies the members that a WATCH request names.
    ///
    /// `enable` is true where it is left out, as gpsd has it, and a client that enables nothing in particular gets JSON.
    public mutating func watch(_ request: GPSDPolicy) {
        guard request.enable != false else {
            policy = GPSDPolicy()
            return
        }
        policy.enable = true
        policy.json = request.json ?? policy.json
        policy.nmea = request.nmea ?? policy.nmea
        policy.raw = request.raw ?? policy.raw
        policy.scaled = request.scaled ?? policy.scaled
        policy.timing = request.timing ?? policy.timing
        policy.split24 = request.split24 ?? policy.split24
        policy.pps = request.pps ?? policy.pps
        policy.device = request.device ?? policy.device
        if policy.json == nil, policy.nmea == nil, policy.raw == nil { policy.json = true }
    }

    /// Whether reports of `path` concern it.
    public func concerns(_ path: String) -> Bool { policy.device == nil || policy.device == path }
}
