public import GNSS
public import Power
public import Units

/// What one connection of the local socket asked for.
public struct LocalSession: Sendable, Equatable {
    /// The user, by the kernel's word; nil where it is not known.
    public let userID: UInt32?
    /// What it may see now.
    public var grant = LocationGrant.none
    /// Nil while it does not watch epochs; else whether it wants satellites.
    public var watchesSatellites: Bool?
    /// Those that watch locations, in the order in which they began.
    public var locations: [LocationSession] = []
    /// Positions it still waits for.
    public private(set) var waits: [LocationWait] = []

    /// Requests for a position that one connection may have open.
    public static let maximumWaits = 16

    public init(userID: UInt32? = nil) { self.userID = userID }

    public func place(ofSession number: UInt8) -> Int? { locations.firstIndex { $0.number == number } }

    /// Adds a request for a position; false where there are too many.
    public mutating func wait(for wait: LocationWait) -> Bool {
        guard waits.count < LocalSession.maximumWaits else { return false }
        waits.append(wait)
        return true
    }

    /// Forgets the one position that a session waits for.
    ///
    /// - Returns: Whether it waited for one.
    @discardableResult
    public mutating func cancelOnce(ofSession number: UInt8) -> Bool {
        let count = waits.count
        waits.removeAll { $0.isOnce && $0.session == number }
        return waits.count < count
    }

    /// Takes the requests that a position answers; in the others it is the best so far, if it is.
    ///
    /// - Parameter onlyOnce: Whether it is for the one position of a session alone: it was known before.
    public mutating func takeAnswered(
        by fix: Fix, at instant: MonotonicInstant, onlyOnce: Bool = false
    ) -> [LocationWait] {
        var answered: [LocationWait] = []
        var open: [LocationWait] = []
        for var wait in waits {
            if onlyOnce, !wait.isOnce {
                open.append(wait)
            } else if wait.follow(fix, at: instant) {
                answered.append(wait)
            } else {
                open.append(wait)
            }
        }
        waits = open
        return answered
    }

    /// Takes the requests whose time is over.
    public mutating func takeExpired(at instant: MonotonicInstant) -> [LocationWait] {
        let expired = waits.filter { $0.deadline <= instant }
        waits.removeAll { $0.deadline <= instant }
        return expired
    }

    /// Takes all requests, because nothing may be seen any more.
    public mutating func takeAllWaits() -> [LocationWait] {
        let all = waits
        waits = []
        return all
    }
}

/// How much of where the board is may be seen.
public enum LocationGrant: UInt8, Sendable, Comparable {
    case none
    /// A place that stands for its surroundings.
    case reduced
    case full

    public static func < (left: LocationGrant, right: LocationGrant) -> Bool { left.rawValue < right.rawValue }
}

extension LocalSession {
    /// Appends what it needs positions for; what it may not see it needs no receiver for.
    public func appendRequests(of client: ClientID, to requests: inout [AccuracyRequest]) {
        if watchesSatellites != nil, grant == .full {
            requests.append(AccuracyRequest(client: client.rawValue, .everyEpoch))
        }
        for location in locations {
            guard let request = location.request(of: client) else { continue }
            requests.append(request)
        }
        guard grant > .none else { return }
        for wait in waits {
            let accuracy = grant == .full ? wait.accuracy : LocationSettings.reduced.accuracy
            requests.append(
                AccuracyRequest(client: client.rawValue, .singleLocation(accuracy, deadline: wait.deadline)))
        }
    }
}

extension LocationSettings {
    /// What is needed of the receiver where the accuracy is reduced, whatever was asked for.
    ///
    /// A kilometre is less than the cell that is shown; four estimates an hour are made.
    public static let reduced = LocationSettings(accuracy: .metres(1000), minimumInterval: 900)
}
