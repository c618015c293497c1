internal import GNSS
internal import Parts
internal import Power
internal import SextantUnits

/// The requests of one connection of the local socket.
struct LocalSession: Sendable, Equatable {
    /// The process's user as the kernel reports it; nil where it is unknown.
    let userID: UInt32?
    /// The accuracy with which the connection is allowed to see positions now.
    var grant = LocationGrant.none
    /// The connection's request for whole epochs; nil where there is none.
    var epochs: EpochWatch?
    /// The location sessions, in the order in which they began.
    var locations: [LocationSession] = []
    /// The connection's requests for one position that are not answered yet.
    private(set) var waits: [LocationWait] = []

    /// The largest number of open requests for one position on one connection.
    static let maximumWaits = 16

    init(userID: UInt32? = nil) { self.userID = userID }

    func index(ofSession number: UInt8) -> Int? { locations.firstIndex { $0.number == number } }

    /// Adds a request for one position; false where the connection has too many.
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

    /// Removes and returns the requests that a position answers; the others remember it if it is their best so far.
    ///
    /// No fix answers a request for reduced accuracy.
    ///
    /// - Parameter mayTake: Whether the position, which can be an old one, is allowed to answer a request.
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

    /// Notes that the user has answered the question about the client: requests that waited for this now wait for a
    /// position.
    mutating func noteAnswer(at instant: MonotonicInstant) {
        for index in waits.indices { waits[index].answered(at: instant) }
    }

    /// Removes and returns the requests whose time is over.
    mutating func takeExpired(at instant: MonotonicInstant) -> [LocationWait] {
        let expired = waits.filter { $0.deadline <= instant }
        waits.removeAll { $0.deadline <= instant }
        return expired
    }

    /// The grant for a request's answer: the connection's grant, reduced where the request asks for reduced accuracy.
    private func grant(of wait: LocationWait) -> LocationGrant {
        wait.accuracy == .reduced ? min(grant, .reduced) : grant
    }

    /// Whether the connection, a session or a request gets reduced-accuracy estimates.
    var hearsEstimates: Bool {
        grant == .reduced || locations.contains { $0.grant == .reduced } || waits.contains { grant(of: $0) == .reduced }
    }

    /// Removes and returns the requests that an estimate answers.
    mutating func takeCoarseWaits() -> [LocationWait] {
        let (coarse, others) = (waits.filter { grant(of: $0) == .reduced }, waits.filter { grant(of: $0) != .reduced })
        waits = others
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
    /// Appends the connection's position requests, except those that its grant does not allow.
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
    /// The settings that replace those of every request of a client with reduced accuracy.
    ///
    /// The interval is that of the estimates, of which there are at most four an hour.
    static let reduced = LocationSettings(accuracy: .reduced, minimumInterval: 900)
}
