public import Units

/// When a session is told that no position can be had for now (`locationUnknown`): once for every loss.
///
/// It is told after 15 s without a fix of a receiver that is on since the last one, and after 30 s where the receiver has
/// to find one first: since the session began, or since it rested. That is what a cold start under open sky takes. Time
/// that the receiver rests does not count, but several vain searches add up. The next fix ends the loss.
public struct FixLoss: Sendable, Equatable {
    /// Nanoseconds.
    public static let search: Int64 = 30_000_000_000
    /// Nanoseconds.
    public static let gap: Int64 = 15_000_000_000

    /// Whether the loss that lasts was told.
    public private(set) var isLost = false
    private var onSince: MonotonicInstant?
    /// Nanoseconds that the receiver was on since the last fix and before `onSince`.
    private var sought: Int64 = 0
    private var patience = FixLoss.search

    /// The session begins.
    public init(receiverIsOn: Bool, at instant: MonotonicInstant) {
        onSince = receiverIsOn ? instant : nil
    }

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
        sought = 0
        guard onSince != nil else { return }
        onSince = instant
        patience = FixLoss.gap
    }

    /// When a loss is to be told; nil where none can be.
    public var deadline: MonotonicInstant? {
        guard !isLost, let onSince else { return nil }
        return onSince.advanced(byNanoseconds: patience - sought)
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
