public import GPSDProtocol
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
    /// Nil while it does not watch; else whether it wants satellites.
    public var watchesSatellites: Bool?
    /// Positions it still waits for: their deadline and what it called the request.
    public private(set) var waits: [Wait] = []

    public struct Wait: Sendable, Equatable {
        public var deadline: MonotonicInstant
        public var id: String?
    }

    /// Requests for a position that one client may have open.
    public static let maximumWaits = 16

    public init() {}

    /// Adds a request for a position; false where there are too many.
    public mutating func wait(until deadline: MonotonicInstant, id: String?) -> Bool {
        guard waits.count < LocalSession.maximumWaits else { return false }
        waits.append(Wait(deadline: deadline, id: id))
        return true
    }

    /// Takes the requests that a position answers: all.
    public mutating func takeWaits() -> [Wait] {
        let taken = waits
        waits = []
        return taken
    }

    /// Takes the requests whose time is over.
    public mutating func takeExpired(at instant: MonotonicInstant) -> [Wait] {
        let expired = waits.filter { $0.deadline <= instant }
        waits.removeAll { $0.deadline <= instant }
        return expired
    }
}

/// What one gpsd client asked for.
public struct GPSDSession: Sendable, Equatable {
    public private(set) var policy = GPSDPolicy()

    public init() {}

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
