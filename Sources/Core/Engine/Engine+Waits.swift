internal import ClientProtocol
internal import GNSS
internal import JSONText
internal import Power
internal import Sessions
internal import Units

/// Requests for one position: answered by the first that is good enough, at their deadline by the best.
extension Engine {
    /// Seconds that a request of a session waits while the receiver tracks; else the time to a fix is waited for.
    private static let onceTimeout = 10.0
    /// The longest that it waits, in seconds.
    private static let longestOnceTimeout = 60.0
    /// Seconds for which a position that was known before may answer at once, where it is accurate enough.
    private static let freshAge = 15.0
    /// Seconds for which it may answer at the deadline, where nothing else came.
    private static let usableAge = 60.0

    mutating func wait(
        _ wait: LocationWait, clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let id = clients.local[client].id
        guard clients.local[client].session.wait(for: wait) else {
            return outputs.send(id) {
                ClientEvent.appendError(
                    "tooMany", "at most \(LocalSession.maximumWaits) positions can be waited for", id: wait.id, to: &$0)
            }
        }
        if isDenied(clientAt: client) { tellWaitsDenied(clientAt: client, into: &outputs) }
        answerFromMemory(clientAt: client, at: instant, into: &outputs)
    }

    /// A session asks for one position; nothing where it watches, or waits for one already.
    mutating func locateOnce(
        _ accuracy: DesiredAccuracy, _ request: ClientRequest, clientAt client: Int, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        let session = clients.local[client].session
        guard session.place(ofSession: request.session) == nil,
            !session.waits.contains(where: { $0.isOnce && $0.session == request.session })
        else { return }
        let deadline = instant.advanced(byNanoseconds: Int64(onceTimeout(at: instant) * 1e9))
        wait(
            LocationWait(.once(accuracy), until: deadline, id: request.id, session: request.session),
            clientAt: client, at: instant, into: &outputs)
    }

    /// By when one position can be had, in seconds: in nearly every case.
    private func onceTimeout(at instant: MonotonicInstant) -> Double {
        let isTracking = lastLocation.map { instant.nanoseconds(since: $0.instant) < 5_000_000_000 } ?? false
        guard !isTracking else { return Engine.onceTimeout }
        let start = managed?.predictedStart(at: instant) ?? Engine.longestOnceTimeout
        return min(max(start, Engine.onceTimeout), Engine.longestOnceTimeout)
    }

    /// Gives a position to those who wait for one, and may see it whole.
    mutating func answerWaits(
        _ fix: Fix, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        answer(.full, with: fix, since: instant, at: instant, into: &outputs)
    }

    /// Gives an estimate to those who wait for a position, and may not see one whole.
    mutating func answerWaits(
        _ estimate: ReducedAccuracy.Estimate, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        for client in clients.local.indices where clients.local[client].session.grant == .reduced {
            answer(with: estimate, clientAt: client, at: instant, into: &outputs)
        }
    }

    private mutating func answer(
        _ grant: LocationGrant, with fix: Fix, since: MonotonicInstant,
        at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        var hasAnswered = false
        for client in clients.local.indices where !clients.local[client].session.waits.isEmpty {
            guard clients.local[client].session.grant == grant else { continue }
            for wait in clients.local[client].session.takeAnswered(by: fix, at: since) {
                hasAnswered = true
                send(fix, since: since, wait, clientAt: client, at: instant, into: &outputs)
            }
        }
        if hasAnswered { demandChanged() }
    }

    private mutating func answer(
        with estimate: ReducedAccuracy.Estimate, clientAt client: Int, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        for wait in clients.local[client].session.takeAllWaits() {
            send(estimate, .init(id: wait.id, session: wait.session), clientAt: client, at: instant, into: &outputs)
        }
    }

    /// What is known, fresh and accurate enough answers at once.
    private mutating func answerFromMemory(
        clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        switch clients.local[client].session.grant {
        case .none: break
        case .reduced:
            guard let estimate = reduced.current(at: instant) else { return }
            answer(with: estimate, clientAt: client, at: instant, into: &outputs)
        case .full:
            guard let (fix, since) = lastLocation, Double(instant.nanoseconds(since: since)) * 1e-9 <= Engine.freshAge
            else { return }
            for wait in clients.local[client].session.takeAnswered(by: fix, at: since, onlyOnce: true) {
                send(fix, since: since, wait, clientAt: client, at: instant, into: &outputs)
            }
        }
    }

    mutating func expireWaits(at instant: MonotonicInstant, into outputs: inout Outputs) {
        var hasExpired = false
        for client in clients.local.indices where !clients.local[client].session.waits.isEmpty {
            for wait in clients.local[client].session.takeExpired(at: instant) {
                hasExpired = true
                expire(wait, clientAt: client, at: instant, into: &outputs)
            }
        }
        if hasExpired { demandChanged() }
    }

    /// The best position that came, else the last that was known and is not too old, else that none did.
    private mutating func expire(
        _ wait: LocationWait, clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        if clients.local[client].session.grant == .full,
            let (fix, since) = wait.best ?? usableLocation(wait, at: instant)
        {
            return send(fix, since: since, wait, clientAt: client, at: instant, into: &outputs)
        }
        let reason = outageReason
        outputs.send(clients.local[client].id) { text in
            guard !wait.isOnce else {
                return ClientEvent.appendFailed(0, reason: reason, session: wait.session, id: wait.id, to: &text)
            }
            ClientEvent.appendError("timeout", "no fix in the time given", id: wait.id, to: &text)
        }
    }

    private func usableLocation(
        _ wait: LocationWait, at instant: MonotonicInstant
    ) -> (fix: Fix, instant: MonotonicInstant)? {
        guard wait.isOnce, let lastLocation,
            Double(instant.nanoseconds(since: lastLocation.instant)) * 1e-9 <= Engine.usableAge
        else { return nil }
        return lastLocation
    }

    private mutating func send(
        _ fix: Fix, since: MonotonicInstant, _ wait: LocationWait, clientAt client: Int,
        at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        outputs.send(clients.local[client].id) { [source = configuration.source] text in
            let age = Double(instant.nanoseconds(since: since)) * 1e-9
            LocationObject.append(
                fix, age: age, source: source, .init(id: wait.id, session: wait.session), to: &text)
        }
    }
}
