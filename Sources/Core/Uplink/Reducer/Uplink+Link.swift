internal import SextantUnits

/// The connection to the broker: the attempts to connect, and what is done when a connection begins and ends.
extension Uplink {
    private static let refusalSeconds = 600.0

    mutating func steer(at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput]) {
        guard let authorization else { return }
        if case .denied(let reason) = authorization {
            let isOver = lanes.clearUntil.map { connection.isConnected && now >= $0 } ?? false
            if isSilent || isOver { connection.close(into: &outputs) }
            if !isSilent { advance(at: now, utc, into: &outputs) }
            status.lastError = reason
            if !connection.isConnected { status.state = .denied }
            return
        }
        advance(at: now, utc, into: &outputs)
    }

    /// Connects when it is time to, and closes a connection on which the broker does not answer.
    private mutating func advance(at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput]) {
        switch connection.link {
        case .waiting(let until):
            if configuration.usesTLS, utc == nil {
                status.state = .waitingForTime
            } else if until.map({ $0 <= now }) ?? true {
                connect(at: now, utc, into: &outputs)
            } else {
                status.state = .waiting
            }
        case .connecting(let since):
            if now >= since.advanced(bySeconds: BrokerConnection.connackSeconds) {
                status.lastError = "the broker did not answer in 30 s"
                connection.close(into: &outputs)
            }
        case .connected:
            if let due = connection.pubackDue, due <= now {
                status.lastError = "the broker acknowledged nothing in 120 s"
                connection.close(into: &outputs)
            }
        case .closing: break
        }
    }

    private mutating func connect(at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput]) {
        connection.link = .connecting(since: now)
        status.state = .connecting
        status.nextAttempt = nil
        connection.burstBegan = now
        outputs.append(.connect(will: will(utc)))
    }

    private func will(_ utc: UTCInstant?) -> UplinkMessage? {
        guard configuration.connection == .kept else { return nil }
        if tellsOwn { return own.availability(false) }
        return utc.map(owntracks.lastWill)
    }

    /// Whether the newest location and the device's availability (online or offline) are published on the topics of
    /// Sextant's own format.
    var tellsOwn: Bool { configuration.format == .own || configuration.homeAssistant }

    mutating func didConnect(
        _ hadSession: Bool, at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput]
    ) {
        guard case .connecting = connection.link else { return }
        connection.link = .connected(since: now)
        status.state = .connected
        status.lastError = nil
        status.lastSuccess = utc ?? status.lastSuccess
        connection.lastProgress = now
        guard !isDenied else {
            lanes.clearUntil = now.advanced(bySeconds: BrokerConnection.connackSeconds)
            return
        }
        (lanes.lastLive, lanes.lastBatch, reports.lastReport, delivery.awaitingSince) = (nil, nil, nil, nil)
        connection.settling = deliversByReceiver ? .firstDelivery(hadSession: hadSession) : .done
        lanes.isNewestDue = lanes.newest != nil
        lanes.outbox = []
        rewind()
        subscribe(into: &outputs)
        if tellsOwn, configuration.connection == .kept { lanes.queue(own.availability(true)) }
        if configuration.format == .owntracks { lanes.queue(owntracks.card(configuration.name)) }
        if configuration.homeAssistant { reports.discoveryAt = now }
        if connection.wasConnected, !hadSession, configuration.delivery == .broker { lanes.repeatKept(at: now) }
        connection.wasConnected = true
    }

    private func subscribe(into outputs: inout [UplinkOutput]) {
        if tellsOwn { outputs.append(.subscribe(topic: topics.do)) }
        if configuration.format == .owntracks { outputs.append(.subscribe(topic: owntracks.command)) }
        if deliversByReceiver { outputs.append(.subscribe(topic: topics.ack)) }
        if configuration.homeAssistant { outputs.append(.subscribe(topic: HomeAssistantDiscovery.birth)) }
    }

    var deliversByReceiver: Bool { configuration.delivery == .receiver && configuration.format == .own }

    mutating func didEnd(_ end: UplinkEnd, at now: MonotonicInstant) {
        let began = connection.burstBegan ?? now
        connection.inFlight = []
        lanes.outbox = []
        rewind()
        let seconds: Double
        switch end {
        case .asked:
            if case .every(let interval) = configuration.connection, status.lastError == nil {
                connection.link = .waiting(until: max(now, began.advanced(bySeconds: interval)))
                status.nextAttempt = began.advanced(bySeconds: interval)
                status.state = .waiting
                return
            }
            seconds = connection.backoff(spread: configuration.spread, &random)
        case .lost(let words):
            status.lastError = words
            seconds = connection.backoff(spread: configuration.spread, &random)
        case .refused(let words):
            status.lastError = words
            seconds = Uplink.refusalSeconds
        }
        let until = now.advanced(bySeconds: seconds)
        connection.link = isSilent ? .waiting(until: nil) : .waiting(until: until)
        status.nextAttempt = isSilent ? nil : until
        status.state = isDenied ? .denied : .waiting
    }

    /// Closes a periodic connection once everything is sent.
    mutating func endBurst(at now: MonotonicInstant, into outputs: inout [UplinkOutput]) {
        guard !isDenied, case .connected(let since) = connection.link, case .every = configuration.connection,
            connection.inFlight.isEmpty, lanes.areEmpty(withHistory: configuration.history == .all),
            queue.storing.isEmpty
        else { return }
        // The connection stays open for the subscribing program's acknowledgement, but at most 30 s after the last
        // PUBACK.
        let isOwed = deliversByReceiver && delivery.isOwed
        guard !isOwed || now >= max(since, connection.lastProgress).advanced(bySeconds: 30) else { return }
        connection.close(into: &outputs)
    }

    // MARK: Waking

    mutating func wake(at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput]) {
        var at: MonotonicInstant?
        switch connection.link {
        case .waiting(let until): at = isSilent || (configuration.usesTLS && utc == nil) ? nil : until
        case .connecting(let since): at = since.advanced(bySeconds: BrokerConnection.connackSeconds)
        case .connected where isDenied: at = lanes.clearUntil
        case .connected:
            for next in [
                connection.pubackDue, lanes.liveDue, batchDue, delivery.repeatDue, connection.answerDue,
                reports.due(hourly: tellsOwn), burstDue, queue.readAgain,
            ] {
                at = MonotonicInstant.earlier(at, next)
            }
        case .closing: break
        }
        if let due = at, due <= now { at = now.advanced(byNanoseconds: 1_000_000) }
        connection.wake(at: at, into: &outputs)
    }

    private var burstDue: MonotonicInstant? {
        guard configuration.connection != .kept, connection.inFlight.isEmpty, deliversByReceiver else { return nil }
        return connection.lastProgress.advanced(bySeconds: 30)
    }
}
