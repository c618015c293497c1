internal import GNSS
internal import Parts
internal import Power
internal import SextantUnits

/// What one connection of the daemon's local socket has requested.
struct LocalSession: Sendable, Equatable {
    /// The user ID of the connected process, as the kernel reports it; nil where it is unknown.
    let userID: UInt32?
    /// The accuracy with which the connection is allowed to see positions now.
    var grant = LocationGrant.none
    /// The connection's request for whole epochs; nil if it made none.
    var epochs: EpochWatch?
    /// The location sessions, in the order in which they began.
    var locations: [LocationSession] = []
    /// The connection's requests for one position that are not answered yet.
    private(set) var waits: [LocationWait] = []

    /// The largest number of unanswered requests for one position on one connection.
    static let maximumWaits = 16

    init(userID: UInt32? = nil) { self.userID = userID }

    func index(ofSession number: UInt8) -> Int? { locations.firstIndex { $0.number == number } }

    /// Adds a request for one position; returns false where the connection has too many.
    mutating func wait(for wait: LocationWait) -> Bool {
        guard waits.count < LocalSession.maximumWaits else { return false }
        waits.append(wait)
        return true
    }

    /// Ends a session's request for its one position.
    ///
    /// - Returns: Whether there was such a request.
    @discardableResult
    mutating func cancelOnce(ofSession number: UInt8) -> Bool {
        let count = waits.count
        waits.removeAll { $0.isOnce && $0.session == number }
        return waits.count < count
    }

    /// Removes and returns the requests that a position answers; every other request keeps the position if it is the
    /// best so far.
    ///
    /// No fix answers a request for reduced accuracy.
    ///
    /// - Parameter mayTake: Whether a request accepts the position, which can be an old one.
    mutating func takeAnswered(
        by fix: Fix, at instant: MonotonicInstant, where mayTake: (LocationWait) -> Bool = { _ in true }
    ) -> [LocationWait] {
        var answered: [LocationWait] = []
        var open: [LocationWait] = []
        for var wait in waits {
            if !mayTake(wait) || wait.accuracy == .reduced {
                open.append(wait)
            } else if wait.heard(fix, at: instant) {
                answered.append(wait)
            } else {
                open.append(wait)
            }
        }
        waits = open
        return answered
    }

    /// Handles the user's answer to whether the client may see locations: requests that waited for the answer begin to
    /// wait for a position.
    mutating func noteAnswer(at instant: MonotonicInstant) {
        for index in waits.indices { waits[index].answered(at: instant) }
    }

    /// Removes and returns the requests for one position whose deadline has passed.
    mutating func takeExpired(at instant: MonotonicInstant) -> [LocationWait] {
        let expired = waits.filter { $0.deadline <= instant }
        waits.removeAll { $0.deadline <= instant }
        return expired
    }

    /// The accuracy with which a request is answered: what the connection is allowed, but reduced at most where the
    /// request asks for reduced accuracy.
    private func grant(of wait: LocationWait) -> LocationGrant {
        wait.accuracy == .reduced ? min(grant, .reduced) : grant
    }

    /// Whether the connection, one of its sessions or one of its requests gets estimates of reduced accuracy.
    var hearsEstimates: Bool {
        grant == .reduced || locations.contains { $0.grant == .reduced } || waits.contains { grant(of: $0) == .reduced }
    }

    /// Removes and returns the requests that an estimate of reduced accuracy answers.
    ///
    /// - Parameter hasTime: Whether the estimate has a time; a session's request for one position waits for one that has.
    mutating func takeCoarseWaits(hasTime: Bool) -> [LocationWait] {
        let coarse = waits.filter { grant(of: $0) == .reduced && (hasTime || !$0.isOnce) }
        waits.removeAll { wait in coarse.contains(wait) }
        return coarse
    }

    /// Removes and returns all requests, because the client is no longer allowed any position.
    mutating func takeAllWaits() -> [LocationWait] {
        let all = waits
        waits = []
        return all
    }
}

extension LocalSession {
    /// Appends to `requests` what the connection asks of the receiver, without positions that its client may not see.
    func appendRequests(of client: ClientID, to requests: inout [AccuracyRequest]) {
        if let epochs, !epochs.isPassive, grant == .full {
            requests.append(AccuracyRequest(client: client.rawValue, .everyEpoch))
        }
        for location in locations {
            guard let request = location.request(of: client) else { continue }
            requests.append(request)
        }
        guard grant > .none else { return }
        for wait in waits {
            let accuracy = grant(of: wait) == .full ? wait.accuracy : .reduced
            requests.append(
                AccuracyRequest(client: client.rawValue, .singleLocation(accuracy, deadline: wait.deadline)))
        }
    }
}

extension LocationSettings {
    /// The settings that a session with reduced accuracy has, whatever settings its client requests.
    ///
    /// The interval is that of the estimates of reduced accuracy, of which there are at most four per hour.
    static let reduced = LocationSettings(accuracy: .reduced, minimumInterval: 900)
}
