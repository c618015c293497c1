internal import SextantJSON
internal import SextantUnits

/// What proves delivery: the broker's PUBACK, or the acknowledgement of the subscribing program (the "receiver").
extension Uplink {
    private static let answerSeconds = 5.0

    private var keepsEvents: Bool { configuration.delivery == .broker }
    var keepsFixes: Bool { configuration.delivery == .broker && configuration.repeatAfterBrokerLoss }

    mutating func didDeliver(
        _ token: UInt32, at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput]
    ) {
        guard let content = connection.didDeliver(token, at: now) else { return }
        status.lastSuccess = utc ?? status.lastSuccess
        settle(at: now, into: &outputs)
        switch content {
        case .other: break
        case .clearing:
            // If a location was published after the clearing message, the broker retains that location now.
            if lanes.isClearing { lanes.holdsRetained(false, into: &outputs) }
            lanes.isClearing = false
        case .record(let record):
            // An event that goes to several topics is delivered when all its messages are acknowledged.
            guard !connection.hasRecord(record.n) else { return }
            if record.kind == .event ? keepsEvents : keepsFixes { lanes.keep(record, at: now) }
            didArrive(record.n...record.n, at: now, into: &outputs)
        case .batch(let range): didArrive(range, at: now, into: &outputs)
        }
    }

    private mutating func didArrive(
        _ range: ClosedRange<Int64>, at now: MonotonicInstant, into outputs: inout [UplinkOutput]
    ) {
        guard deliversByReceiver else {
            outputs.append(.remove(range))
            return
        }
        delivery.didSend(upTo: range.upperBound, at: now)
    }

    /// Handles the subscribing program's acknowledgement, which names the number up to which it has stored all records,
    /// and ranges of higher numbers whose records it has stored too.
    mutating func didAcknowledge(
        _ payload: [UInt8], _ isRetained: Bool, at now: MonotonicInstant, into outputs: inout [UplinkOutput]
    ) {
        guard deliversByReceiver, let members = JSONMembers(parsing: payload),
            let series = members.text("series"), own.isSeries(series),
            let upTo = members.integer("upTo"), (0..<queue.next).contains(upTo)
        else { return }
        if !isRetained, case .answer = connection.settling { connection.settling = .done }
        if delivery.didAcknowledge(upTo, at: now) {
            lanes.covered = max(lanes.covered, upTo)
            lanes.forget(1...upTo, into: &outputs)
        }
        for case .array(let span) in members.array("have") ?? [] where span.count == 2 {
            guard let first = integer(span[0]), let last = integer(span[1]), first > upTo, first <= last,
                last < queue.next
            else { continue }
            lanes.forget(first...last, into: &outputs)
        }
    }

    private func integer(_ value: JSONValue) -> Int64? {
        guard case .number(let number) = value else { return nil }
        return Int64(exactly: number)
    }

    /// Whether an acknowledgement is still missing for any message or record that was sent.
    public var awaitsWord: Bool { !connection.inFlight.isEmpty || connection.highestSent >= queue.oldestNumber }

    // MARK: What the receiver has

    /// At the beginning of a connection, asks the subscribing program which records it has, if that is uncertain.
    ///
    /// Its acknowledgement may have been lost at the broker, or may have gone to an earlier process of the uplink. If
    /// the broker has forgotten the session, the subscribing program may not have reconnected yet either.
    private mutating func settle(at now: MonotonicInstant, into outputs: inout [UplinkOutput]) {
        guard case .firstDelivery(let hadSession) = connection.settling else { return }
        let mayHave = !delivery.hasWord || connection.highestSent > delivery.acknowledged
        guard !hadSession || mayHave && status.fixes + status.events > 0 else { return connection.settling = .done }
        ask(at: now, into: &outputs)
    }

    /// Asks the subscribing program which records it has, with a `track` message that has no fixes; records wait for
    /// the answer.
    private mutating func ask(at now: MonotonicInstant, into outputs: inout [UplinkOutput]) {
        connection.settling = .answer(until: now.advanced(bySeconds: Uplink.answerSeconds))
        publish(own.track([], first: queue.oldestNumber, oldest: queue.oldestNumber), .other, at: now, into: &outputs)
    }

    // MARK: Again

    /// Sends the records again, from the oldest on, if the subscribing program has not acknowledged them for some time.
    ///
    /// The subscribing program is first asked which records it has.
    mutating func repeatUnacknowledged(at now: MonotonicInstant, into outputs: inout [UplinkOutput]) {
        guard let due = delivery.repeatDue, due <= now else { return }
        delivery.didRepeat()
        rewind()
        ask(at: now, into: &outputs)
    }
}
