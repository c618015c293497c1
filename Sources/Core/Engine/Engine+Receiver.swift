internal import Epochs
internal import Power
internal import Receivers
internal import Units

/// What the receiver's line brings, and what it is told.
extension Engine {
    mutating func opened(
        _ link: ReceiverLink, time: UTCInstant?, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        supervisor.opened()
        failure = nil
        openedAt = time
        line.opened(link)
        outputs.actions.append(.log(.deviceOpened(path: configuration.device, baud: line.rate)))
        managed?.portOpened(link, baud: line.rate, at: instant)
        announceDevice(into: &outputs)
        announceCapabilities(into: &outputs)
    }

    mutating func failed(
        _ absence: DeviceSupervisor.Absence, _ detail: String, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let wasOpen = line.isOpen
        if wasOpen { endBurst(at: instant, into: &outputs) }
        supervisor.failed(absence, at: instant)
        line.closed()
        if wasOpen { managed?.portLost(at: instant) }
        // A retry that fails in the same way is no news.
        if failure != detail { outputs.actions.append(.log(.deviceFailed(detail: detail))) }
        failure = detail
        openedAt = nil
        guard wasOpen else { return }
        announceDevice(into: &outputs)
        announceCapabilities(into: &outputs)
    }

    mutating func timePassed(to instant: MonotonicInstant, into outputs: inout Outputs) {
        if supervisor.timePassed(to: instant) { outputs.actions.append(.openDevice(baud: line.rate)) }
        if line.isSilenceOver(at: instant) { endBurst(at: instant, into: &outputs) }
        managed?.timePassed(to: instant)
        if let seconds = line.fellSilent(at: instant) {
            outputs.actions.append(.log(.silent(path: configuration.device, seconds: seconds)))
        }
        expireWaits(at: instant, into: &outputs)
        settleClients(at: instant, into: &outputs)
        endTerms(at: instant, into: &outputs)
        tellPauses(.timePassed, at: instant, into: &outputs)
        // After the pauses: what pauses lacks nothing.
        tellLosses(at: instant, into: &outputs)
        passthrough.flush(to: clients, into: &outputs)
    }

    /// The line was silent: what was begun will not go on.
    mutating func endBurst(at instant: MonotonicInstant, into outputs: inout Outputs) {
        while line.decoder.abandonPartialMessage() { drain(at: instant, into: &outputs) }
        line.decoder.silence()
        line.foundSilence()
        publishClosedEpochs(at: instant, into: &outputs)
    }

    mutating func drain(at instant: MonotonicInstant, into outputs: inout Outputs) {
        while Engine.advance(&line.decoder, &passthrough, &managed, clients, at: instant) {
            publishClosedEpochs(at: instant, into: &outputs)
        }
    }

    /// Decodes until an epoch closes, and has every message passed on to whom it concerns.
    private static func advance(
        _ decoder: inout EpochDecoder, _ passthrough: inout Passthrough, _ managed: inout ManagedReceiver?,
        _ clients: borrowing ClientTable, at instant: MonotonicInstant
    ) -> Bool {
        guard managed != nil || !clients.gpsd.isEmpty else { return decoder.advance(at: instant) }
        return decoder.advance(at: instant) { message, fields, bytes in
            managed?.take(message, fields: fields, bytes: bytes, at: instant)
            passthrough.take(message, bytes, for: clients)
        }
    }

    mutating func follow(_ advice: ReceiverLine.Advice, into outputs: inout Outputs) {
        switch advice.hunt {
        case .nothing: break
        case .found:
            if let rate = line.rate {
                outputs.actions.append(.log(.rateFound(rate)))
                outputs.actions.append(.remember(baud: rate))
            }
            announceDevice(into: &outputs)
        case .changed:
            if let rate = line.rate {
                outputs.actions.append(.log(.tryingRate(rate)))
                outputs.actions.append(.setBaud(rate))
            }
        case .unintelligible:
            outputs.actions.append(
                .log(.unintelligible(path: configuration.device, fixedBaud: configuration.fixedBaud)))
        }
        if let until = advice.restUntil { outputs.actions.append(.rest(until: until)) }
    }
}
