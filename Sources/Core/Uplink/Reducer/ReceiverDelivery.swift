internal import SextantUnits

/// What the subscribing program, the receiver, has acknowledged of the records that were sent.
struct ReceiverDelivery: Sendable {
    private static let longestRepeat = 3600.0

    private(set) var acknowledged: Int64 = 0
    private var highestSent: Int64 = 0
    /// Whether the subscribing program has acknowledged anything since this process began.
    ///
    /// Before that, the subscribing program may have records that an earlier process sent.
    private(set) var hasWord = false
    var awaitingSince: MonotonicInstant?
    private var repeatSeconds = 60.0

    /// Whether a record that the broker has is not acknowledged.
    var isOwed: Bool { acknowledged < highestSent }

    /// When the records are sent again.
    var repeatDue: MonotonicInstant? { awaitingSince?.advanced(bySeconds: repeatSeconds) }

    /// Notes that the broker has the records up to a number.
    mutating func didSend(upTo n: Int64, at now: MonotonicInstant) {
        highestSent = max(highestSent, n)
        if n > acknowledged { awaitingSince = awaitingSince ?? now }
    }

    /// Notes that the subscribing program has the records up to a number; false if that was known.
    mutating func didAcknowledge(_ upTo: Int64, at now: MonotonicInstant) -> Bool {
        hasWord = true
        guard upTo > acknowledged else { return false }
        acknowledged = upTo
        repeatSeconds = 60
        awaitingSince = isOwed ? now : nil
        return true
    }

    /// Notes that the records are sent again.
    mutating func didRepeat() {
        awaitingSince = nil
        repeatSeconds = min(repeatSeconds * 2, ReceiverDelivery.longestRepeat)
    }
}
