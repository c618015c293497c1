internal import SextantUnits

/// Which of the sent records the subscribing program (the one that receives them) has acknowledged.
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

    /// Whether the broker has a record that the subscribing program has not acknowledged.
    var isOwed: Bool { acknowledged < highestSent }

    /// When the unacknowledged records are sent again; nil if there are none.
    var repeatDue: MonotonicInstant? { awaitingSince?.advanced(bySeconds: repeatSeconds) }

    /// Remembers that the broker has the records with numbers up to `n`.
    mutating func didSend(upTo n: Int64, at now: MonotonicInstant) {
        highestSent = max(highestSent, n)
        if n > acknowledged { awaitingSince = awaitingSince ?? now }
    }

    /// Remembers that the subscribing program has the records with numbers up to `upTo`; returns false if that was
    /// known.
    mutating func didAcknowledge(_ upTo: Int64, at now: MonotonicInstant) -> Bool {
        hasWord = true
        guard upTo > acknowledged else { return false }
        acknowledged = upTo
        repeatSeconds = 60
        awaitingSince = isOwed ? now : nil
        return true
    }

    /// Remembers that the records are being sent again; the time until the next repetition doubles, up to an hour.
    mutating func didRepeat() {
        awaitingSince = nil
        repeatSeconds = min(repeatSeconds * 2, ReceiverDelivery.longestRepeat)
    }
}
