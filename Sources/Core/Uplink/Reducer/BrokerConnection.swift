internal import SextantUnits

/// The connection to the broker, and the messages that the broker has not acknowledged.
struct BrokerConnection: Sendable {
    enum Link: Sendable, Equatable {
        /// Not connected: waits until this instant for the next attempt; nil: waits until something changes.
        case waiting(until: MonotonicInstant?)
        case connecting(since: MonotonicInstant)
        case connected(since: MonotonicInstant)
        case closing
    }

    enum Settling: Sendable, Equatable {
        /// Waits for the connection's first PUBACK; the broker sends the subscribing program's last acknowledgement
        /// before that PUBACK.
        case firstDelivery(hadSession: Bool)
        /// Waits, at most until this instant, for the subscribing program to say which records it has.
        case answer(until: MonotonicInstant)
        case done
    }

    struct InFlight: Sendable {
        enum Content: Sendable {
            case other
            /// The empty message that clears the location that the broker retains.
            case clearing
            case record(UplinkRecord)
            case batch(ClosedRange<Int64>)
        }

        var token: UInt32
        var content: Content
    }

    /// The longest wait in seconds for a CONNACK and, while messages are in flight, for the next PUBACK
    /// (`pubackSeconds`); after a longer wait the connection is closed.
    static let connackSeconds = 30.0
    private static let pubackSeconds = 120.0

    var link = Link.waiting(until: nil)
    private var attempts = 0
    var wasConnected = false
    /// What a new connection still waits for before it sends records.
    var settling = Settling.done
    var burstBegan: MonotonicInstant?
    var lastProgress = MonotonicInstant.zero
    var inFlight: [InFlight] = []
    private var token: UInt32 = 0
    /// The highest record number of all sent events, and (`sentFix`) of all fixes that were sent in the order of
    /// numbers.
    var sentEvent: Int64 = 0
    var sentFix: Int64 = 0
    private var lastWake: MonotonicInstant??

    var isConnected: Bool { if case .connected = link { true } else { false } }

    var highestSent: Int64 { max(sentEvent, sentFix) }

    /// Until when the subscribing program can answer which records it has; nil while no answer is awaited.
    var answerDue: MonotonicInstant? { if case .answer(let until) = settling { until } else { nil } }

    /// Until when the broker must acknowledge one of the messages in flight; nil if none is in flight.
    var pubackDue: MonotonicInstant? {
        inFlight.isEmpty ? nil : lastProgress.advanced(bySeconds: BrokerConnection.pubackSeconds)
    }

    /// Whether records can be sent on this connection.
    ///
    /// Records can be sent once the subscribing program has said which records it has, or the time for its answer is
    /// over.
    mutating func isSettled(at now: MonotonicInstant) -> Bool {
        if case .answer(let until) = settling, until <= now { settling = .done }
        return settling == .done
    }

    mutating func close(into outputs: inout [UplinkOutput]) {
        switch link {
        case .connecting, .connected:
            link = .closing
            outputs.append(.disconnect)
        case .waiting, .closing: break
        }
    }

    /// A random number of seconds to wait before the next attempt to connect, up to a bound that grows with each
    /// failure.
    mutating func backoff(spread: Double, _ random: inout SplitMix64) -> Double {
        let bound = attempts == 0 ? spread : min(600, 15 * Double(UInt64(1) << UInt64(min(attempts, 6))))
        attempts += 1
        return random.nextUnit() * bound
    }

    mutating func wake(at instant: MonotonicInstant?, into outputs: inout [UplinkOutput]) {
        guard lastWake != .some(instant) else { return }
        lastWake = .some(instant)
        outputs.append(.wake(at: instant))
    }
}

/// The messages that the broker has not acknowledged.
extension BrokerConnection {
    mutating func publish(
        _ message: UplinkMessage, _ content: InFlight.Content, at now: MonotonicInstant,
        into outputs: inout [UplinkOutput]
    ) {
        // No message was waiting for an acknowledgement, so the time limit for a PUBACK begins at this instant.
        if inFlight.isEmpty { lastProgress = now }
        token &+= 1
        inFlight.append(InFlight(token: token, content: content))
        outputs.append(.publish(message, token: token))
    }

    /// Removes an acknowledged message, and returns its content.
    mutating func didDeliver(_ token: UInt32, at now: MonotonicInstant) -> InFlight.Content? {
        guard let index = inFlight.firstIndex(where: { $0.token == token }) else { return nil }
        (lastProgress, attempts) = (now, 0)
        return inFlight.remove(at: index).content
    }

    /// Forgets which records the messages in flight carry, because those records are erased.
    mutating func forgetRecords() {
        for index in inFlight.indices {
            if case .record = inFlight[index].content { inFlight[index].content = .other }
        }
    }

    var isClearing: Bool { inFlight.contains { if case .clearing = $0.content { true } else { false } } }

    var batches: Int { inFlight.count { if case .batch = $0.content { true } else { false } } }

    /// Whether a message that carries this record alone, not in a batch, is in flight.
    func hasRecord(_ n: Int64) -> Bool {
        inFlight.contains { if case .record(let record) = $0.content { record.n == n } else { false } }
    }

    func isInFlight(_ n: Int64) -> Bool {
        inFlight.contains {
            switch $0.content {
            case .batch(let range): range.contains(n)
            case .record(let record): record.n == n
            case .other, .clearing: false
            }
        }
    }
}
