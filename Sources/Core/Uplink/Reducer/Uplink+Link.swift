internal import SextantUnits

/// The connection to the broker: the attempts to connect, and the work at its beginning and end.
extension Uplink {
    /// The longest waits for CONNACK, and for any PUBACK, in seconds; after them a connection is closed.
    private static let connackSeconds = 30.0
    private static let pubackSeconds = 120.0
    private static let refusalSeconds = 600.0

    mutating func steer(at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput]) {
        guard let authorization else { return }
        if case .denied(let reason) = authorization {
            if isSilent || clearUntil.map({ isConnected && now >= $0 }) ?? false { close(into: &outputs) }
            if !isSilent { advance(at: now, utc, into: &outputs) }
            status.lastError = reason
            if !isConnected { status.state = .denied }
            return
        }
        advance(at: now, utc, into: &outputs)
    }

    private var isConnected: Bool { if case .connected = link { true } else { false } }

    /// Connects when it is time, and closes a connection on which the broker does not answer.
    private mutating func advance(at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput]) {
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

    /// Whether the newest location and the availability are published on Sextant's own topics.
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
        guard !isDenied else {
            clearUntil = now.advanced(bySeconds: Uplink.connackSeconds)
            return
        }
        (lastLive, lastBatch, lastReport, awaitingSince) = (nil, nil, nil, nil)
        settling = deliversByReceiver ? .firstDelivery(hadSession: hadSession) : .done
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

    /// Puts the records that the broker acknowledged and then lost with its session back into the lanes.
    private mutating func repeatKept(at now: MonotonicInstant) {
        forgetKept(at: now)
        let again = kept.map { $0.record }.sorted { $0.n < $1.n }
        kept = []
        // The lanes cannot read these records from the queue, which no longer has them.
        events.waiting = again.filter { $0.kind == .event }
        history.waiting = again.filter { $0.kind == .fix }
    }

    mutating func didEnd(_ end: UplinkEnd, at now: MonotonicInstant) {
        let began = burstBegan ?? now
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
        link = isSilent ? .waiting(until: nil) : .waiting(until: until)
        status.nextAttempt = isSilent ? nil : until
        status.state = isDenied ? .denied : .waiting
    }

    private mutating func backoff() -> Double {
        let bound =
            attempts == 0 ? configuration.spread : min(600, 15 * Double(UInt64(1) << UInt64(min(attempts, 6))))
        attempts += 1
        return random.nextUnit() * bound
    }

    /// Closes a periodic connection once everything is sent.
    mutating func endBurst(at now: MonotonicInstant, into outputs: inout [UplinkOutput]) {
        guard !isDenied, case .connected(let since) = link, case .every = configuration.connection, inFlight.isEmpty,
            outbox.isEmpty, events.isAtEnd, history.isAtEnd || configuration.history == .none, events.waiting.isEmpty,
            history.waiting.isEmpty, storing.isEmpty
        else { return }
        // The connection waits for the subscribing program's acknowledgement, but at most 30 s after the last PUBACK.
        let isOwed = deliversByReceiver && acknowledged < highestSent
        guard !isOwed || now >= max(since, lastProgress).advanced(bySeconds: 30) else { return }
        close(into: &outputs)
    }

    // MARK: Waking

    mutating func wake(at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput]) {
        var at: MonotonicInstant?
        switch link {
        case .waiting(let until): at = isSilent || (configuration.usesTLS && utc == nil) ? nil : until
        case .connecting(let since): at = since.advanced(bySeconds: Uplink.connackSeconds)
        case .connected where isDenied: at = clearUntil
        case .connected:
            if !inFlight.isEmpty { at = lastProgress.advanced(bySeconds: Uplink.pubackSeconds) }
            for next in [liveDue, batchDue, repeatDue, answerDue, reportDue, discoveryAt, burstDue, readAgain] {
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
