public import Units

/// When a session is told that no position can be had for now (`locationUnknown`): once for every loss.
///
/// It is told after 15 s without a fix of a receiver that is on since the last one, and after 30 s where the receiver has
/// to find one first: since the session began, or since it rested. That is what a cold start under open sky takes. Time
/// that the receiver rests does not count, but several vain searches add up. Where the daemon knows why no fix comes, it is
/// told after a minute at the latest, also while the receiver rests between vain searches. The next fix ends the loss.
public struct FixLoss: Sendable, Equatable {
    /// Nanoseconds.
    public static let search: Int64 = 30_000_000_000
    /// Nanoseconds.
    public static let gap: Int64 = 15_000_000_000

    /// Nanoseconds.
    public static let outage: Int64 = 60_000_000_000

    /// Whether the loss that lasts was told.
    public private(set) var isLost = false
    private var onSince: MonotonicInstant?
    /// Nanoseconds that the receiver was on since the last fix and before `onSince`.
    private var sought: Int64 = 0
    private var patience = FixLoss.search
    private let begun: MonotonicInstant
    /// Since when no fix has come for a reason that is known, and the session lacks it.
    private var outSince: MonotonicInstant?

    /// The session begins.
    public init(receiverIsOn: Bool, at instant: MonotonicInstant) {
        onSince = receiverIsOn ? instant : nil
        begun = instant
    }

    /// A fix is needed and has not come since an instant, for a reason that is known; nil where none is missing.
    public mutating func outage(since: MonotonicInstant?) { outSince = since.map { max($0, begun) } }

    /// The receiver was switched on, or rests; cyclic tracking is no rest while its fixes are less than 15 s apart.
    public mutating func receiver(isOn: Bool, at instant: MonotonicInstant) {
        if let onSince, !isOn {
            sought += max(0, instant.nanoseconds(since: onSince))
            self.onSince = nil
            patience = FixLoss.search
        } else if onSince == nil, isOn {
            onSince = instant
        }
    }

    /// A usable fix.
    public mutating func found(at instant: MonotonicInstant) {
        isLost = false
        outSince = nil
        sought = 0
        guard onSince != nil else { return }
        onSince = instant
        patience = FixLoss.gap
    }

    /// When a loss is to be told; nil where none can be.
    public var deadline: MonotonicInstant? {
        guard !isLost else { return nil }
        let search = onSince.map { $0.advanced(byNanoseconds: patience - sought) }
        let outage = outSince.map { $0.advanced(byNanoseconds: FixLoss.outage) }
        guard let search, let outage else { return search ?? outage }
        return min(search, outage)
    }

    /// Lets time pass.
    ///
    /// - Returns: Whether the session is to be told now.
    public mutating func advance(to instant: MonotonicInstant) -> Bool {
        guard let deadline, deadline <= instant else { return false }
        isLost = true
        return true
    }
}
