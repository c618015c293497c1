internal import ClientProtocol
internal import ClientVocabulary
internal import GNSS
internal import Parts
internal import Power
internal import SextantJSON
internal import SextantUnits

/// Requests for one position: answered by the first position that is good enough, or at the deadline by the best so
/// far.
extension Delivery {
    /// The shortest time, in seconds, that a session's request for one position waits; it applies while the receiver
    /// has a fix.
    private static let onceTimeout = 10.0
    /// The longest that a session's request for one position waits, in seconds.
    private static let longestOnceTimeout = 60.0
    /// The age, in nanoseconds, below which the last position shows that the receiver has a fix now.
    private static let presentFixNanoseconds: Int64 = 5_000_000_000
    /// The greatest age, in seconds, at which a known position that is accurate enough answers a request at once.
    ///
    /// A request for an accuracy of a kilometre or more is also answered by an older position, as long as the board
    /// cannot have moved farther than that accuracy.
    private static let freshAge = 15.0
    /// The greatest age, in seconds, at which a position known before the request answers it at its deadline, if no
    /// position came in the meantime.
    private static let usableAge = 60.0

    mutating func wait(_ wait: LocationWait, clientAt client: Int, _ now: DeliveryContext, _ turn: inout Turn) {
        let id = clients.local[client].id
        guard clients.local[client].session.wait(for: wait) else {
            return turn.send(id) {
                ClientEvent.appendError(
                    .tooMany, "at most \(LocalSession.maximumWaits) positions can be waited for", id: wait.id, to: &$0)
            }
        }
        let access = clients.local[client].access
        if access.isDenied { tellWaitsDenied(clientAt: client, &turn) }
        if wait.isOnce, let reason = access.whyUndecided {
            clients.local[client].session.cancelOnce(ofSession: wait.session)
            return turn.send(id) {
                ClientEvent.appendFailed(.denied, reason: reason, session: wait.session, id: wait.id, to: &$0)
            }
        }
        answerFromMemory(clientAt: client, now, &turn)
    }

    /// Handles a session's request for one position; it is ignored if the session already gets reports or waits for a
    /// position.
    mutating func locateOnce(
        _ accuracy: DesiredAccuracy, _ request: ClientRequest, clientAt client: Int, predictedStart: Double?,
        _ now: DeliveryContext, _ turn: inout Turn
    ) {
        let session = clients.local[client].session
        guard session.index(ofSession: request.session) == nil,
            !session.waits.contains(where: { $0.isOnce && $0.session == request.session })
        else { return }
        // With reduced accuracy the wait is always the longest, so that its length does not reveal whether the receiver
        // runs.
        let isReduced = session.grant == .reduced || accuracy == .reduced
        let timeout =
            isReduced
            ? Delivery.longestOnceTimeout
            : Delivery.timeout(predictedStart: predictedStart, since: now.whereabouts.last?.since, at: turn.instant)
        let awaitsAnswer = clients.local[client].access.isUndecided
        let deadline = turn.instant.advanced(bySeconds: awaitsAnswer ? LocationWait.answerPatience : timeout)
        wait(
            LocationWait(
                .once(accuracy), until: deadline, afterAnswer: awaitsAnswer ? timeout : nil, id: request.id,
                session: request.session),
            clientAt: client, now, &turn)
    }

    /// How many seconds a session's request for one position waits: long enough for a fix in nearly every case.
    static func timeout(predictedStart: Double?, since: MonotonicInstant?, at instant: MonotonicInstant) -> Double {
        if let since, instant.nanoseconds(since: since) < presentFixNanoseconds { return onceTimeout }
        return min(max(predictedStart ?? longestOnceTimeout, onceTimeout), longestOnceTimeout)
    }

    mutating func answerWaits(with estimate: ReducedAccuracy.Estimate, clientAt client: Int, _ turn: inout Turn) {
        for wait in clients.local[client].session.takeCoarseWaits(hasTime: estimate.fix.time != nil) {
            send(estimate, .init(id: wait.id, session: wait.session), clientAt: client, &turn)
        }
    }

    /// Refuses all requests for one position that wait on a connection, because its client is denied locations.
    mutating func tellWaitsDenied(clientAt client: Int, _ turn: inout Turn) {
        let id = clients.local[client].id
        for wait in clients.local[client].session.takeAllWaits() {
            turn.send(id) { Delivery.appendDenial(of: wait, to: &$0) }
        }
    }

    private static func appendDenial(of wait: LocationWait, to text: inout TextBuffer) {
        guard !wait.isOnce else {
            return ClientEvent.appendFailed(.denied, session: wait.session, id: wait.id, to: &text)
        }
        ClientEvent.appendError(
            .denied, "this client may not see locations; an operator can allow it: sextant clients", id: wait.id,
            to: &text)
    }

    /// Answers waiting requests at once with the last known position, where that position is fresh and accurate enough.
    private mutating func answerFromMemory(clientAt client: Int, _ now: DeliveryContext, _ turn: inout Turn) {
        if let estimate = now.whereabouts.estimate(at: turn.instant) {
            answerWaits(with: estimate, clientAt: client, &turn)
        }
        guard clients.local[client].session.grant == .full, let (fix, since) = now.whereabouts.last else { return }
        let isFresh = turn.instant.seconds(since: since) <= Delivery.freshAge
        let answered = clients.local[client].session.takeAnswered(by: fix, at: since) { wait in
            wait.isOnce && isFresh || wait.takesOld(withUncertainty: now.uncertainty)
        }
        for wait in answered { send(fix, since: since, wait, clientAt: client, &turn) }
    }

    /// Answers a request at its deadline: with the best position that came since the request; otherwise with the last
    /// known position, if that is not too old; otherwise with an error.
    func expire(_ wait: LocationWait, clientAt client: Int, _ now: DeliveryContext, _ turn: inout Turn) {
        if clients.local[client].session.grant == .full, wait.accuracy != .reduced,
            let (fix, since) = wait.best
                ?? Delivery.usableLocation(wait, now, at: turn.instant).map({ ($0.fix, $0.since) })
        {
            return send(fix, since: since, wait, clientAt: client, &turn)
        }
        let isUndecided = clients.local[client].access.isUndecided
        turn.send(clients.local[client].id) { text in
            guard !wait.isOnce else {
                if isUndecided {
                    return ClientEvent.appendFailed(
                        .denied, reason: .noAnswer, session: wait.session, id: wait.id, to: &text)
                }
                return ClientEvent.appendFailed(
                    .locationUnknown, reason: now.outageReason, session: wait.session, id: wait.id, to: &text)
            }
            ClientEvent.appendError(.timeout, "no fix in the time given", id: wait.id, to: &text)
        }
    }

    private static func usableLocation(
        _ wait: LocationWait, _ now: DeliveryContext, at instant: MonotonicInstant
    ) -> (fix: Fix, since: MonotonicInstant)? {
        guard wait.isOnce, let last = now.whereabouts.last,
            instant.seconds(since: last.since) <= usableAge
        else { return nil }
        return last
    }

    func send(
        _ fix: Fix, since: MonotonicInstant, _ wait: LocationWait, clientAt client: Int, _ turn: inout Turn
    ) {
        turn.send(clients.local[client].id) { [source, instant = turn.instant] text in
            let age = instant.seconds(since: since)
            LocationObject.append(
                fix, age: age, source: source, .init(id: wait.id, session: wait.session), to: &text)
        }
    }
}
