internal import SextantJSON
internal import SextantUnits

/// Delivery and its proof: the broker's PUBACK, or the acknowledgement of the subscribing program (the "receiver").
extension Uplink {
    private static let keptRecords = 1000
    private static let keptSeconds = 600.0
    private static let longestRepeat = 3600.0
    private static let answerSeconds = 5.0

    mutating func didDeliver(
        _ token: UInt32, at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput]
    ) {
        guard let index = inFlight.firstIndex(where: { $0.token == token }) else { return }
        let content = inFlight.remove(at: index).content
        (lastProgress, attempts) = (now, 0)
        status.lastSuccess = utc ?? status.lastSuccess
        settle(at: now, into: &outputs)
        switch content {
        case .other: break
        case .clearing:
            // If a location was published after the clearing message, the broker retains that location now.
            if isClearing { holdsRetained(false, into: &outputs) }
            isClearing = false
        case .record(let record):
            // An event that goes to several topics is delivered when all its messages are acknowledged.
            let isWhole = !inFlight.contains {
                if case .record(let other) = $0.content { other.n == record.n } else { false }
            }
            guard isWhole else { return }
            if record.kind == .event || configuration.repeatAfterBrokerLoss { keep(record, at: now) }
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
        highestSent = max(highestSent, range.upperBound)
        if range.upperBound > acknowledged { awaitingSince = awaitingSince ?? now }
    }

    /// Handles the acknowledgement of the subscribing program, which has stored all records up to a number, and some
    /// later ones.
    mutating func didAcknowledge(
        _ payload: [UInt8], _ isRetained: Bool, at now: MonotonicInstant, into outputs: inout [UplinkOutput]
    ) {
        guard deliversByReceiver, let members = JSONMembers(parsing: payload),
            let series = members.text("series"), own.isSeries(series),
            let upTo = members.integer("upTo"), (0..<next).contains(upTo)
        else { return }
        if !isRetained, case .answer = settling { settling = .done }
        hasWord = true
        if upTo > acknowledged {
            acknowledged = upTo
            repeatSeconds = 60
            awaitingSince = highestSent > upTo ? now : nil
            covered = max(covered, upTo)
            forget(1...upTo, into: &outputs)
        }
        for case .array(let span) in members.array("have") ?? [] where span.count == 2 {
            guard let first = integer(span[0]), let last = integer(span[1]), first > upTo, first <= last, last < next
            else { continue }
            forget(first...last, into: &outputs)
        }
    }

    private func integer(_ value: JSONValue) -> Int64? {
        guard case .number(let number) = value else { return nil }
        return Int64(exactly: number)
    }

    private mutating func forget(_ numbers: ClosedRange<Int64>, into outputs: inout [UplinkOutput]) {
        events.waiting.removeAll { numbers.contains($0.n) }
        history.waiting.removeAll { numbers.contains($0.n) }
        outputs.append(.remove(numbers))
    }

    /// Whether a message or a record that was sent has not been acknowledged.
    public var awaitsWord: Bool { !inFlight.isEmpty || max(sentEvent, sentFix) >= oldestNumber }

    // MARK: What the receiver has

    /// Whether records can be sent on this connection.
    ///
    /// They can once the subscribing program has said which records it has, or the time for that answer is over.
    mutating func isSettled(at now: MonotonicInstant) -> Bool {
        if case .answer(let until) = settling, until <= now { settling = .done }
        return settling == .done
    }

    var answerDue: MonotonicInstant? { if case .answer(let until) = settling { until } else { nil } }

    /// At the beginning of a connection, asks the subscribing program which records it has, if that is uncertain.
    ///
    /// Its acknowledgement may have been lost at the broker or with an earlier process of this program. If the broker
    /// has forgotten the session, the subscribing program may not have reconnected yet either.
    private mutating func settle(at now: MonotonicInstant, into outputs: inout [UplinkOutput]) {
        guard case .firstDelivery(let hadSession) = settling else { return }
        let mayHave = !hasWord || max(sentEvent, sentFix) > acknowledged
        guard !hadSession || mayHave && status.fixes + status.events > 0 else { return settling = .done }
        ask(at: now, into: &outputs)
    }

    /// Asks the subscribing program which records it has, by an empty track message; records wait for the answer.
    private mutating func ask(at now: MonotonicInstant, into outputs: inout [UplinkOutput]) {
        settling = .answer(until: now.advanced(bySeconds: Uplink.answerSeconds))
        publish(own.track([], first: oldestNumber, oldest: oldestNumber), .other, at: now, into: &outputs)
    }

    // MARK: Again

    var repeatDue: MonotonicInstant? { awaitingSince?.advanced(bySeconds: repeatSeconds) }

    /// Sends the records again, from the oldest, if the subscribing program has not acknowledged them for some time.
    ///
    /// The subscribing program is first asked which records it has.
    mutating func repeatUnacknowledged(at now: MonotonicInstant, into outputs: inout [UplinkOutput]) {
        guard let due = repeatDue, due <= now else { return }
        awaitingSince = nil
        repeatSeconds = min(repeatSeconds * 2, Uplink.longestRepeat)
        rewind()
        ask(at: now, into: &outputs)
    }

    /// Remembers a delivered record, to send it again if the broker loses it with its session.
    mutating func keep(_ record: UplinkRecord, at now: MonotonicInstant) {
        guard configuration.delivery == .broker else { return }
        forgetKept(at: now)
        if kept.count >= Uplink.keptRecords { kept.removeFirst(Uplink.keptRecords / 8) }
        kept.append((record, now))
    }

    mutating func forgetKept(at now: MonotonicInstant) {
        kept.removeAll { now.nanoseconds(since: $0.at) > Int64(Uplink.keptSeconds * 1e9) }
    }
}
