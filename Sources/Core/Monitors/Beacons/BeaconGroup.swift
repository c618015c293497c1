internal import Beacons
internal import SextantUnits

/// The beacon regions with the same beacons and the same distance limit, in three sets by the event that each region
/// waits for.
///
/// The regions that the board is inside of share one time at which their beacons were last received, so an
/// advertisement costs the same for a thousand of them as for one.
struct BeaconGroup: Sendable {
    /// What the regions of a group share: the beacons and the distance limit.
    struct Reach: Hashable {
        let constraint: BeaconConstraint
        /// The distance to a beacon, in metres, within which the board counts as inside; nil for the whole radio range.
        let within: Double?

        /// - Parameter within: The largest distance to a beacon in metres. It is rounded to steps of 5 %, so that there
        ///   are only a hundred limits between 0.3 and 50 m, whatever limits clients choose; half of all estimated
        ///   distances err by a third or more anyway.
        init(_ constraint: BeaconConstraint, within: Double?) {
            self.constraint = constraint
            self.within = within.map { metres in
                let steps = Logarithm.natural(max(metres, Reach.least)) / Reach.step
                return Logarithm.exponential(steps.rounded() * Reach.step)
            }
        }

        /// The natural logarithm of 1.05, the ratio of two neighbouring distance limits.
        private static let step = Logarithm.natural(1.05)
        private static let least = 0.01

        /// Whether an advertisement from this distance in metres counts for regions that the board is outside of; nil
        /// stands for an unknown distance.
        func covers(_ metres: Double?) -> Bool { covers(metres, upTo: within) }

        /// Whether an advertisement from this distance in metres counts for regions that the board is inside of; since
        /// estimated distances scatter, a quarter is added to the limit of these regions.
        func keeps(_ metres: Double?) -> Bool { covers(metres, upTo: within.map { $0 * BeaconProximity.margin }) }

        private func covers(_ metres: Double?, upTo limit: Double?) -> Bool {
            guard let limit else { return true }
            return metres.map { $0 <= limit } ?? false
        }
    }

    /// The event that a region waits for.
    enum Wait: Sendable {
        /// The board is outside, or it is not known whether it is inside: the region waits for two advertisements.
        case away
        /// The board is inside, but the region's beacons were not received lately, or not yet since the region was
        /// added: the region waits for their silence by itself.
        case alone
        /// The board is inside: the region waits for the beacons' silence together with the group's other regions that
        /// the board is inside of.
        case together
    }

    let reach: Reach
    /// The indices, in the monitor's table, of the regions that wait for each event.
    private(set) var away: Set<Int32> = []
    private(set) var alone: Set<Int32> = []
    private(set) var together: Set<Int32> = []
    /// When an advertisement last counted for the regions that the board is inside of (`together`); `silentSince` is
    /// the radio's total listening time at that instant, in nanoseconds.
    private(set) var lastHeard = MonotonicInstant.zero
    private(set) var silentSince: Int64 = 0

    init(_ reach: Reach) { self.reach = reach }

    var isEmpty: Bool { away.isEmpty && alone.isEmpty && together.isEmpty }

    /// The total listening time of the radio, in nanoseconds, at which the beacons have been silent for so long that
    /// the radio must listen all the time; nil where no regions wait for silence together (`together`).
    var doubtDue: Int64? { together.isEmpty ? nil : silentSince + BeaconScanPolicy.doubt }

    mutating func insert(_ place: Int32, _ wait: Wait) {
        switch wait {
        case .away: away.insert(place)
        case .alone: alone.insert(place)
        case .together: together.insert(place)
        }
    }

    mutating func remove(_ place: Int32, _ wait: Wait) {
        switch wait {
        case .away: away.remove(place)
        case .alone: alone.remove(place)
        case .together: together.remove(place)
        }
    }

    /// Handles an advertisement of one of the group's beacons.
    ///
    /// - Returns: Whether the beacon is near enough for the advertisement to count; the indices of the regions that the
    ///   advertisement may change are appended to `places`.
    mutating func heard(
        from metres: Double?, at instant: MonotonicInstant, listened: Int64, into places: inout [Int32]
    ) -> Bool {
        guard reach.keeps(metres) else { return false }
        (lastHeard, silentSince) = (instant, listened)
        places.append(contentsOf: alone)
        if reach.covers(metres) { places.append(contentsOf: away) }
        return true
    }

    /// The present state of a region that waits together with others (`together`), from its state when that wait began
    /// and the last advertisement.
    func current(_ presence: BeaconPresence) -> BeaconPresence {
        var presence = presence
        _ = presence.heard(at: lastHeard, listened: silentSince)
        return presence
    }
}
