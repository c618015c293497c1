internal import SextantJSON
internal import SextantUnits

/// What proves that a record arrived: the broker's PUBACK, or the receiver's word.
extension Uplink {
    private static let keptRecords = 1000
    private static let keptSeconds = 600.0
    private static let longestRepeat = 3600.0

    mutating func didDeliver(
        _ token: UInt32, at now: MonotonicInstant, _ utc: UTCInstant?, into outputs: inout [UplinkOutput]
    ) {
        guard let place = inFlight.firstIndex(where: { $0.token == token }) else { return }
        let content = inFlight.remove(at: place).content
        (lastProgress, attempts, isSettled) = (now, 0, true)
        status.lastSuccess = utc ?? status.lastSuccess
        switch content {
        case .other: break
        case .clearing:
            // A location that was published after it is there again.
            if isClearing { holdsRetained(false, into: &outputs) }
            isClearing = false
        case .record(let record):
            // An event that goes to several topics is delivered when all have it.
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

    /// The receiver has committed everything up to a number.
    mutating func didAcknowledge(
        _ payload: [UInt8], at now: MonotonicInstant, into outputs: inout [UplinkOutput]
    ) {
        guard deliversByReceiver, case .object(let members) = try? JSONValue(parsing: payload),
            case .string(let series) = members["series"], own.isSeries(series),
            case .number(let number) = members["upTo"], let upTo = Int64(exactly: number),
            upTo > acknowledged, upTo < next
        else { return }
        acknowledged = upTo
        repeatSeconds = 60
        awaitingSince = highestSent > upTo ? now : nil
        events.waiting.removeAll { $0.n <= upTo }
        history.waiting.removeAll { $0.n <= upTo }
        covered = max(covered, upTo)
        outputs.append(.remove(1...upTo))
    }

    // MARK: Again

    var repeatDue: MonotonicInstant? { awaitingSince?.advanced(bySeconds: repeatSeconds) }

    /// Begins again at the oldest record where the receiver did not say that it has them.
    mutating func repeatUnacknowledged(at now: MonotonicInstant) {
        guard let due = repeatDue, due <= now else { return }
        awaitingSince = nil
        repeatSeconds = min(repeatSeconds * 2, Uplink.longestRepeat)
        rewind()
    }

    /// Remembers a record that a broker may lose with its session.
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
