internal import ClientProtocol
internal import Power
internal import SextantUnits

/// The present outage and its reason; while there is none, the last outage.
///
/// In an outage, no fix has the accuracy that clients asked for.
struct Outage {
    /// Nanoseconds after which an outage is reported, because every search for a fix takes a while.
    static let told: Int64 = 60_000_000_000

    /// When the present outage began, even if it is too short to be reported; nil where there is none.
    private(set) var since: MonotonicInstant?
    /// The last known reason for an outage.
    private(set) var reason = OutageReason.noSky
    /// The last outage that is over and was long enough to be reported.
    private var past: (reason: OutageReason, since: MonotonicInstant, end: MonotonicInstant)?

    /// - Parameter reason: Why no fix comes now; nil where a fix has come, or no client needs one.
    mutating func settle(_ reason: OutageReason?, at instant: MonotonicInstant) {
        if let reason {
            self.reason = reason
            since = since ?? instant
        } else if let began = since {
            if isTold(at: instant) { past = (self.reason, began, instant) }
            since = nil
        }
    }

    /// Whether there is an outage now that has lasted long enough to be reported.
    func isTold(at instant: MonotonicInstant) -> Bool {
        since.map { instant.nanoseconds(since: $0) >= Outage.told } ?? false
    }

    /// The present or last outage for `status`; nil where no outage has lasted long enough.
    func status(at instant: MonotonicInstant) -> PowerStatus.Outage? {
        if let since, isTold(at: instant) {
            return PowerStatus.Outage(
                reason: reason, message: reason.sentence, beganSecondsAgo: instant.seconds(since: since),
                endedSecondsAgo: nil)
        }
        return past.map {
            PowerStatus.Outage(
                reason: $0.reason, message: $0.reason.sentence, beganSecondsAgo: instant.seconds(since: $0.since),
                endedSecondsAgo: instant.seconds(since: $0.end))
        }
    }
}

extension OutageReason {
    fileprivate var sentence: String {
        switch self {
        case .noSky: "searches find no position; the antenna needs a clearer view of the sky"
        case .receiverUnreachable: "the receiver cannot be reached; check its supply and its line"
        }
    }
}
