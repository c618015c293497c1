internal import SextantUnits

/// Decides when a session is told that no position can be had for now (`locationUnknown`): once for every loss.
///
/// The session is told after 15 s without a fix from a receiver that has been on since its last fix, and after 30 s
/// where the receiver must first find one: at the session's beginning, or after a rest. A cold start under open sky
/// takes that long. Time for which the receiver rests does not count, but several failed searches add up. Where the
/// daemon knows why no fix comes, the session is told after a minute at the latest, even while the receiver rests
/// between failed searches. The next fix ends the loss.
struct FixLoss: Sendable, Equatable {
    /// Nanoseconds of search for a first fix before a loss is told.
    static let search: Int64 = 30_000_000_000
    /// Nanoseconds since the last fix of a receiver that is on before a loss is told.
    static let gap: Int64 = 15_000_000_000

    /// Nanoseconds without a fix for a known reason before a loss is told.
    static let outage: Int64 = 60_000_000_000

    /// Whether the session was told of the present loss.
    private(set) var isLost = false
    private var onSince: MonotonicInstant?
    /// Nanoseconds for which the receiver was on since the last fix and before `onSince`.
    private var sought: Int64 = 0
    private var patience = FixLoss.search
    private let begun: MonotonicInstant
    /// The instant since which a fix has been missing for a known reason; nil where none is missing.
    private var outSince: MonotonicInstant?

    /// Starts at the beginning of a session.
    init(receiverIsOn: Bool, at instant: MonotonicInstant) {
        onSince = receiverIsOn ? instant : nil
        begun = instant
    }

    /// Takes the instant since which a needed fix has been missing for a known reason; nil where none is missing.
    mutating func outage(since: MonotonicInstant?) { outSince = since.map { max($0, begun) } }

    /// Notes that the receiver was switched on or rests; cyclic tracking with fixes less than 15 s apart is no rest.
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

    /// The instant at which a loss is to be told; nil where none can be.
    var deadline: MonotonicInstant? {
        guard !isLost else { return nil }
        let search = onSince.map { $0.advanced(byNanoseconds: patience - sought) }
        let outage = outSince.map { $0.advanced(byNanoseconds: FixLoss.outage) }
        guard let search, let outage else { return search ?? outage }
        return min(search, outage)
    }

    /// Lets time pass.
    ///
    /// - Returns: Whether the session is to be told of a loss now.
    mutating func advance(to instant: MonotonicInstant) -> Bool {
        guard let deadline, deadline <= instant else { return false }
        isLost = true
        return true
    }
}
