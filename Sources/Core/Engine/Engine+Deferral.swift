internal import ClientProtocol
internal import GNSS
internal import JSONText
internal import Power
internal import Sessions
internal import Units

/// Reports that are held back, and delivered together: durable before they count as taken.
extension Engine {
    /// Takes a record that was durable when the daemon started.
    mutating func restore(_ record: [UInt8], into outputs: inout Outputs) {
        guard let (key, fix) = DeferredFix.decode(record.span) else {
            outputs.actions.append(.log(.unreadableDeferredFix(byteCount: record.count)))
            return
        }
        deferred.restore(fix, for: key) { outputs.actions.append(.acknowledge(.deferred($0), through: $1)) }
    }

    /// Makes a client the one for whom fixes are held back under a key, or tells it why not.
    mutating func claim(_ key: DeferredKey, for client: ClientID, id: String?, into outputs: inout Outputs) -> Bool {
        let claim = deferred.claim(key, for: client) {
            outputs.actions.append(.acknowledge(.deferred($0), through: $1))
        }
        switch claim {
        case .granted: return true
        case .taken:
            outputs.send(client) {
                ClientEvent.appendError(
                    "labelInUse", "another connection of this user defers under this label; give each its own",
                    id: id, to: &$0)
            }
        case .full:
            outputs.send(client) {
                ClientEvent.appendError(
                    "tooMany", "at most \(DeferredQueues.maximumQueues) clients can defer", id: id, to: &$0)
            }
        }
        return false
    }

    mutating func beginTerm(
        _ deferral: Deferral, _ settings: LocationSettings, id: String?, clientAt place: Int,
        at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        if let refusal = DeferralEnd.refusal(of: settings) {
            outputs.send(clients.local[place].id) { Engine.appendFinished(refusal, id: id, to: &$0) }
            return
        }
        clients.local[place].session.location?.term = DeferralTerm(
            deferral, id: id, from: lastLocation?.fix, at: instant)
    }

    /// Holds a fix back, and delivers what is held where a bound is met or the room runs out.
    mutating func hold(_ fix: Fix, clientAt place: Int, at instant: MonotonicInstant, into outputs: inout Outputs) {
        guard let key = clients.local[place].session.location?.key, let queue = deferred.place(of: key),
            let held = deferred.update(queue, { $0.append(fix) })
        else { return }
        outputs.persist(held, for: key)
        if let end = clients.local[place].session.location?.term?.follow(fix) {
            endTerm(end, clientAt: place, at: instant, into: &outputs)
        } else if deferred.queues[queue].isNearlyFull {
            deliverHeld(clientAt: place, at: instant, into: &outputs) { _ in }
        }
    }

    /// Ends the deferrals whose time is over.
    mutating func endTerms(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for place in clients.local.indices {
            guard let deadline = clients.local[place].session.location?.term?.deadline, deadline <= instant else {
                continue
            }
            endTerm(.timeout, clientAt: place, at: instant, into: &outputs)
        }
    }

    /// Ends a client's deferral, if one is under way: its end, then all that was held, in one write.
    mutating func endTerm(
        _ end: DeferralEnd, clientAt place: Int, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        guard let term = clients.local[place].session.location?.term else { return }
        clients.local[place].session.location?.term = nil
        deliverHeld(clientAt: place, at: instant, into: &outputs) { Engine.appendFinished(end, id: term.id, to: &$0) }
    }

    /// Delivers what is held, because the client asks; its deferral goes on.
    mutating func flush(id: String?, clientAt place: Int, at instant: MonotonicInstant, into outputs: inout Outputs) {
        let key = clients.local[place].session.location?.key
        let count = key.flatMap { deferred.place(of: $0) }.map { deferred.queues[$0].fixes.count } ?? 0
        deliverHeld(clientAt: place, at: instant, into: &outputs) {
            ClientEvent.appendFlushed(locations: count, id: id, to: &$0)
        }
    }

    /// Sends what a client is told first, and all that is held for it, in one write; then it need not be durable.
    mutating func deliverHeld(
        clientAt place: Int, at instant: MonotonicInstant, into outputs: inout Outputs,
        after head: (inout TextBuffer) -> Void
    ) {
        let start = outputs.text.count
        head(&outputs.text)
        var acknowledged: Action?
        if let key = clients.local[place].session.location?.key, let queue = deferred.place(of: key),
            deferred.queues[queue].owner == nil || deferred.queues[queue].owner == clients.local[place].id
        {
            for held in deferred.queues[queue].fixes { append(held.fix, at: instant, to: &outputs.text) }
            let last = deferred.empty(queue)
            acknowledged = last.map { .acknowledge(.deferred(key), through: $0) }
        }
        guard outputs.text.count > start else { return }
        outputs.actions.append(.send(clients.local[place].id, start..<outputs.text.count))
        if let acknowledged { outputs.actions.append(acknowledged) }
    }

    private func append(_ fix: Fix, at instant: MonotonicInstant, to text: inout TextBuffer) {
        LocationObject.append(fix, errors: nil, age: age(of: fix, at: instant), id: nil, to: &text)
    }

    /// Seconds since a fix by the receiver's own clock, which outlives the daemon and the board's.
    private func age(of fix: Fix, at instant: MonotonicInstant) -> Double? {
        guard let time = fix.time, let latest = lastEpoch.fix.time, let since = lastEpochAt else { return nil }
        return Double(latest.nanoseconds - time.nanoseconds + instant.nanoseconds(since: since)) * 1e-9
    }

    private static func appendFinished(_ end: DeferralEnd, id: String?, to text: inout TextBuffer) {
        ClientEvent.appendDeferredFinished(reason: end.name, errorCode: end.errorCode, id: id, to: &text)
    }
}
