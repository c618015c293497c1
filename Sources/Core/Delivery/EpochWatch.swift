internal import SextantUnits

/// A connection's request for whole epochs (all that the receiver reports for one solution).
struct EpochWatch: Sendable, Equatable {
    /// Whether the connection wants the satellites too.
    let hasSatellites: Bool
    /// Whether the connection gets only the epochs that come anyway, and does not itself switch the receiver on.
    let isPassive: Bool
    /// The least time in seconds between two epochs that the connection is sent; nil for every epoch.
    let minimumInterval: Double?
    private var last: MonotonicInstant?

    init(hasSatellites: Bool, isPassive: Bool = false, minimumInterval: Double? = nil) {
        self.hasSatellites = hasSatellites
        self.isPassive = isPassive
        self.minimumInterval = minimumInterval
    }

    /// Whether the connection is sent this epoch.
    ///
    /// Often only every fifth epoch has a sky view. So that a connection that wants satellites is not always sent the
    /// other four, it waits for an epoch with a sky view until twice the minimum interval has passed since the epoch
    /// last sent.
    ///
    /// - Parameter hasSky: Whether the epoch carries a whole sky view.
    mutating func takes(hasSky: Bool, at instant: MonotonicInstant) -> Bool {
        if let minimumInterval, let last {
            let passed = instant.seconds(since: last)
            let isEnough = hasSky || !hasSatellites || passed >= 2 * minimumInterval
            guard passed >= minimumInterval, isEnough else { return false }
        }
        last = instant
        return true
    }
}
