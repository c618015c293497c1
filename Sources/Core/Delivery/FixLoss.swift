internal import SextantUnits

/// Decides when a session is told that no position is available for now (`locationUnknown`): once in every loss of the
/// fix.
///
/// The session is told after 15 s without a fix from a receiver that has been on since its last fix, and after 30 s
/// where the receiver must first find one: at the session's beginning, or after the receiver slept. A cold start under
/// open sky takes 30 s. Time for which the receiver sleeps does not count, but several failed searches add up. Where
/// the daemon knows why no fix comes, the session is told after a minute at the latest, even while the receiver sleeps
/// between failed searches. The next fix ends the loss.
struct FixLoss: Sendable, Equatable {
    /// A loss is reported after this many nanoseconds of searching for a first fix.
    static let search: Int64 = 30_000_000_000
    /// A loss is reported after this many nanoseconds since the last fix, if the receiver has been on all the time.
    static let gap: Int64 = 15_000_000_000

    /// A loss is reported after this many nanoseconds for which a known cause has prevented fixes.
    static let outage: Int64 = 60_000_000_000

    /// Whether the session has been told of the present loss of the fix.
    private(set) var isLost = false
    private var onSince: MonotonicInstant?
    /// Nanoseconds for which the receiver was on since the last fix, until it was last put to sleep.
    private var sought: Int64 = 0
    private var patience = FixLoss.search
    private let begun: MonotonicInstant
    /// Since when a known cause has prevented fixes; nil while none does.
    private var outSince: MonotonicInstant?

    /// Starts to wait for the first fix, at the beginning of a session.
    init(receiverIsOn: Bool, at instant: MonotonicInstant) {
        onSince = receiverIsOn ? instant : nil
        begun = instant
    }

    /// Takes the instant since which a known cause has prevented fixes; nil while none does.
    mutating func outage(since: MonotonicInstant?) { outSince = since.map { max($0, begun) } }

    /// Takes whether the receiver is on; cyclic tracking counts as on if its fixes are less than 15 s apart.
    mutating func receiver(isOn: Bool, at instant: MonotonicInstant) {
        if let onSince, !isOn {
            sought += max(0, instant.nanoseconds(since: onSince))
            self.onSince = nil
            patience = FixLoss.search
        } else if onSince == nil, isOn {
            onSince = instant
        }
    }

    /// Notes a usable fix.
    mutating func found(at instant: MonotonicInstant) {
        isLost = false
        outSince = nil
        sought = 0
        guard onSince != nil else { return }
        onSince = instant
        patience = FixLoss.gap
    }

    /// When the session is to be told of a loss, if no fix comes before; nil if it has been told, or if the receiver
    /// sleeps and no known cause prevents fixes.
    var deadline: MonotonicInstant? {
        guard !isLost else { return nil }
        let search = onSince.map { $0.advanced(byNanoseconds: patience - sought) }
        let outage = outSince.map { $0.advanced(byNanoseconds: FixLoss.outage) }
        guard let search, let outage else { return search ?? outage }
        return min(search, outage)
    }

    /// Checks at this instant whether too much time has passed without a fix.
    ///
    /// - Returns: Whether a loss is to be reported to the session now.
    mutating func advance(to instant: MonotonicInstant) -> Bool {
        guard let deadline, deadline <= instant else { return false }
        isLost = true
        return true
    }
}
