internal import SextantUnits

/// The connection: when it is tried, and what happens at its beginning and its end.
extension Uplink {
    /// Seconds without CONNACK, and without any PUBACK, after which a connection is given up.
    private static let connackSeconds = 30.0
    private static let pubackSeconds = 120.0
    private static let refusalSeconds = 600.0

    mutating func steer(at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput]) {
        guard let authorization else { return }
        if case .denied(let reason) = authorization {
            status.lastError = reason
            close(into: &outputs)
            if case .waiting = link { status.state = .denied }
            return
        }
        switch link {
        case .waiting(let until):
            if configuration.usesTLS, utc == nil {
                status.state = .waitingForTime
            } else if until.map({ $0 <= now }) ?? true {
                connect(at: now, utc, into: &outputs)
            } else {
                status.state = .waiting
            }
        case .connecting(let since):
            if now >= since.advanced(bySeconds: Uplink.connackSeconds) {
                status.lastError = "the broker did not answer in 30 s"
                close(into: &outputs)
            }
        case .connected:
            if !inFlight.isEmpty, now >= lastProgress.advanced(bySeconds: Uplink.pubackSeconds) {
                status.lastError = "the broker acknowledged nothing in 120 s"
                close(into: &outputs)
            }
        case .closing: break
        }
    }

    private mutating func connect(at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput]) {
        link = .connecting(since: now)
        status.state = .connecting
        status.nextAttempt = nil
        burstBegan = now
        outputs.append(.connect(will: will(utc)))
    }

    private func will(_ utc: UTCInstant?) -> UplinkMessage? {
        guard configuration.connection == .kept else { return nil }
        if tellsOwn { return own.availability(false) }
        return utc.map(owntracks.lastWill)
    }

    /// Whether the own topics of the newest location and of availability are used.
    var tellsOwn: Bool { configuration.format == .own || configuration.homeAssistant }

    mutating func close(into outputs: inout [UplinkOutput]) {
        switch link {
        case .connecting, .connected:
            link = .closing
            outputs.append(.disconnect)
        case .waiting, .closing: break
        }
    }

    mutating func didConnect(
        _ hadSession: Bool, at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput]
    ) {
        guard case .connecting = link else { return }
        link = .connected(since: now)
        status.state = .connected
        status.lastError = nil
        status.lastSuccess = utc ?? status.lastSuccess
        lastProgress = now
        (lastLive, lastBatch, lastReport, awaitingSince) = (nil, nil, nil, nil)
        isNewestDue = newest != nil
        outbox = []
        rewind()
        subscribe(into: &outputs)
        if tellsOwn, configuration.connection == .kept { queue(own.availability(true)) }
        if configuration.format == .owntracks { queue(owntracks.card(configuration.name)) }
        if configuration.homeAssistant { discoveryAt = now }
        if wasConnected, !hadSession, configuration.delivery == .broker { repeatKept(at: now) }
        wasConnected = true
    }

    private func subscribe(into outputs: inout [UplinkOutput]) {
        if tellsOwn { outputs.append(.subscribe(topic: topics.do)) }
        if configuration.format == .owntracks { outputs.append(.subscribe(topic: owntracks.command)) }
        if deliversByReceiver { outputs.append(.subscribe(topic: topics.ack)) }
        if configuration.homeAssistant { outputs.append(.subscribe(topic: HomeAssistantDiscovery.birth)) }
    }

    var deliversByReceiver: Bool { configuration.delivery == .receiver && configuration.format == .own }

    /// The records that a broker acknowledged and forgot with its session go back to the lanes.
    private mutating func repeatKept(at now: MonotonicInstant) {
        forgetKept(at: now)
        let again = kept.map { $0.record }.sorted { $0.n < $1.n }
        kept = []
        status.repeated += again.count
        // They are in no queue any more, so that the lanes' reading does not find them.
        events.waiting = again.filter { $0.kind == .event }
        history.waiting = again.filter { $0.kind == .fix }
    }

    mutating func didEnd(_ end: UplinkEnd, at now: MonotonicInstant) {
        let began = burstBegan ?? now
        for message in inFlight {
            if case .other = message.content { continue }
            status.repeated += 1
        }
        inFlight = []
        outbox = []
        rewind()
        let seconds: Double
        switch end {
        case .asked:
            if case .every(let interval) = configuration.connection, status.lastError == nil {
                link = .waiting(until: max(now, began.advanced(bySeconds: interval)))
                status.nextAttempt = began.advanced(bySeconds: interval)
                status.state = .waiting
                return
            }
            seconds = backoff()
        case .lost(let words):
            status.lastError = words
            seconds = backoff()
        case .refused(let words):
            status.lastError = words
            seconds = Uplink.refusalSeconds
        }
        let until = now.advanced(bySeconds: seconds)
        link = isDenied ? .waiting(until: nil) : .waiting(until: until)
        status.nextAttempt = isDenied ? nil : until
        status.state = isDenied ? .denied : .waiting
    }

    private mutating func backoff() -> Double {
        let bound =
            attempts == 0 ? configuration.spread : min(600, 15 * Double(UInt64(1) << UInt64(min(attempts, 6))))
        attempts += 1
        return random.below(bound)
    }

    /// Ends a burst once everything is sent.
    mutating func endBurst(at now: MonotonicInstant, into outputs: inout [UplinkOutput]) {
        guard case .connected(let since) = link, case .every = configuration.connection, inFlight.isEmpty,
            outbox.isEmpty, events.isAtEnd, history.isAtEnd || configuration.history == .none, events.waiting.isEmpty,
            history.waiting.isEmpty, storing.isEmpty
        else { return }
        // A receiver's word is waited for, but no longer than half a minute after the last PUBACK.
        let isOwed = deliversByReceiver && acknowledged < highestSent
        guard !isOwed || now >= max(since, lastProgress).advanced(bySeconds: 30) else { return }
        close(into: &outputs)
    }

    // MARK: Waking

    mutating func wake(at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput]) {
        var at: MonotonicInstant?
        switch link {
        case .waiting(let until): at = isDenied || (configuration.usesTLS && utc == nil) ? nil : until
        case .connecting(let since): at = since.advanced(bySeconds: Uplink.connackSeconds)
        case .connected:
            if !inFlight.isEmpty { at = lastProgress.advanced(bySeconds: Uplink.pubackSeconds) }
            for next in [liveDue, batchDue, repeatDue, reportDue, discoveryAt, burstDue] {
                at = MonotonicInstant.earlier(at, next)
            }
        case .closing: break
        }
        if let due = at, due <= now { at = now.advanced(byNanoseconds: 1_000_000) }
        guard lastWake != .some(at) else { return }
        lastWake = .some(at)
        outputs.append(.wake(at: at))
    }

    private var burstDue: MonotonicInstant? {
        guard configuration.connection != .kept, inFlight.isEmpty, deliversByReceiver else { return nil }
        return lastProgress.advanced(bySeconds: 30)
    }
}
