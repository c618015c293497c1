internal import SextantUnits

/// Decides when a session is told that no position is available for now (`locationUnknown`): once in every loss of the
/// fix.
///
/// The session is told after 15 s without a fix from a receiver that has been on since its last fix, and after 30 s
/// where the receiver must first find one: at the session's beginning, or after the receiver slept. A cold start under
/// open sky takes that long. Time for which the receiver sleeps does not count, but several failed searches add up.
/// Where the daemon knows why no fix comes, the session is told after a minute at the latest, even while the receiver
/// sleeps between failed searches. The next fix ends the loss.
struct FixLoss: Sendable, Equatable {
    /// Nanoseconds of search for a first fix before a loss is reported.
    static let search: Int64 = 30_000_000_000
    /// Nanoseconds since the last fix, while the receiver is on, before a loss is reported.
    static let gap: Int64 = 15_000_000_000

    /// Nanoseconds without a fix for a known reason before a loss is reported.
    static let outage: Int64 = 60_000_000_000

    /// Whether the present loss was reported to the session.
    private(set) var isLost = false
    private var onSince: MonotonicInstant?
    /// Nanoseconds for which the receiver was on since the last fix and before `onSince`.
    private var sought: Int64 = 0
    private var patience = FixLoss.search
    private let begun: MonotonicInstant
    /// The beginning of a known outage, in which no fix comes; nil outside an outage.
    private var outSince: MonotonicInstant?

    /// Starts at the beginning of a session.
    init(receiverIsOn: Bool, at instant: MonotonicInstant) {
        onSince = receiverIsOn ? instant : nil
        begun = instant
    }

    /// Takes the beginning of a known outage, in which no fix comes; nil where there is none.
    mutating func outage(since: MonotonicInstant?) { outSince = since.map { max($0, begun) } }

    /// Notes that the receiver was switched on or put to sleep; cyclic tracking with fixes less than 15 s apart counts
    /// as on.
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

    /// The instant at which a loss is to be reported; nil while no loss can be.
    var deadline: MonotonicInstant? {
        guard !isLost else { return nil }
        let search = onSince.map { $0.advanced(byNanoseconds: patience - sought) }
        let outage = outSince.map { $0.advanced(byNanoseconds: FixLoss.outage) }
        guard let search, let outage else { return search ?? outage }
        return min(search, outage)
    }

    /// Does what is due at this instant.
    ///
    /// - Returns: Whether a loss is to be reported to the session now.
    mutating func advance(to instant: MonotonicInstant) -> Bool {
        guard let deadline, deadline <= instant else { return false }
        isLost = true
        return true
    }
}
