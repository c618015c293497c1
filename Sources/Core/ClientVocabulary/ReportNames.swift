/// Why the daemon pauses a session's location reports; the raw value is the value of the member `reason` of `paused`.
public enum PauseName: String, Sendable, Hashable {
    /// The board does not move.
    case still
    /// No usable position was found for a quarter of an hour.
    case noFix
}

/// Why the daemon resumes a session's location reports; the raw value is the value of the member `reason` of `resumed`.
public enum ResumeName: String, Sendable, Hashable {
    /// The accelerometer feels motion.
    case motion
    /// A position lies away from the place of the pause, or the speed shows that the board moves.
    case displacement
    /// A position was found after a pause that began because there was none.
    case fix
    /// The client requested it.
    case asked
}

/// How a deferral ended, and every deferral ends exactly once; the raw value is the value of the member `reason` of
/// `deferredFinished`.
public enum DeferralEnd: String, Sendable, Hashable, CaseIterable {
    /// The board has moved by the distance that the client gave.
    case distance
    case timeout
    /// The client ended the deferral or the session, or began the session again without a deferral.
    case asked
    /// There is no GNSS receiver, or the session gets no queue for held-back fixes, because there are too many queues
    /// or another connection uses the session's queue.
    case failed
    case notUpdating
    case accuracyTooLow
    case distanceFiltered
    /// Another deferral replaced this one.
    case canceled

    /// Core Location's error code for the end; nil where the end is not an error.
    public var errorCode: FailureCode? {
        switch self {
        case .distance, .timeout, .asked: nil
        case .failed: .deferredFailed
        case .notUpdating: .deferredNotUpdatingLocation
        case .accuracyTooLow: .deferredAccuracyTooLow
        case .distanceFiltered: .deferredDistanceFiltered
        case .canceled: .deferredCanceled
        }
    }
}
