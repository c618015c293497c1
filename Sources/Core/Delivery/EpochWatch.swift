internal import SextantUnits

/// A connection's watch of epochs.
struct EpochWatch: Sendable, Equatable {
    /// Whether the connection wants the satellites too.
    let hasSatellites: Bool
    /// Whether the watch only gets the epochs that come for other reasons, and asks nothing of the receiver.
    let isPassive: Bool
    /// Least seconds between two epochs; nil for every epoch.
    let minimumInterval: Double?
    private var last: MonotonicInstant?

    init(hasSatellites: Bool, isPassive: Bool = false, minimumInterval: Double? = nil) {
        self.hasSatellites = hasSatellites
        self.isPassive = isPassive
        self.minimumInterval = minimumInterval
    }

    /// Whether the connection gets an epoch.
    ///
    /// A sky view may come in every fifth epoch only. So that a watch with satellites does not always meet the other
    /// four, it waits for one with a sky view, for a second interval at most.
    ///
    /// - Parameter hasSky: Whether the epoch carries a whole sky view.
    mutating func takes(hasSky: Bool, at instant: MonotonicInstant) -> Bool {
        if let minimumInterval, let last {
            let passed = Double(instant.nanoseconds(since: last)) * 1e-9
            let isEnough = hasSky || !hasSatellites || passed >= 2 * minimumInterval
            guard passed >= minimumInterval, isEnough else { return false }
        }
        last = instant
        return true
    }
}
