internal import ClientVocabulary
internal import Power

/// How a deferral ended; every deferral ends exactly once.
enum DeferralEnd: Sendable, Equatable, CaseIterable {
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

    /// The word for this end in the client protocol.
    var name: StaticString {
        switch self {
        case .distance: "distance"
        case .timeout: "timeout"
        case .asked: "asked"
        case .failed: "failed"
        case .notUpdating: "notUpdating"
        case .accuracyTooLow: "accuracyTooLow"
        case .distanceFiltered: "distanceFiltered"
        case .canceled: "canceled"
        }
    }

    /// Core Location's error code for the end; nil where the end is not an error.
    var errorCode: FailureCode? {
        switch self {
        case .distance, .timeout, .asked: nil
        case .failed: .deferredFailed
        case .notUpdating: .deferredNotUpdatingLocation
        case .accuracyTooLow: .deferredAccuracyTooLow
        case .distanceFiltered: .deferredDistanceFiltered
        case .canceled: .deferredCanceled
        }
    }

    /// The reason why a deferral cannot begin under these settings; nil where it can.
    static func refusal(of settings: LocationSettings) -> DeferralEnd? {
        guard settings.accuracy.isBest else { return .accuracyTooLow }
        return settings.distanceFilter == nil ? nil : .distanceFiltered
    }
}
