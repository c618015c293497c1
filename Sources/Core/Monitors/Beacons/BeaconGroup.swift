internal import Beacons
internal import SextantUnits

/// The regions that the same beacons enter from the same distance, by what an advertisement of one of these may change.
///
/// Those that the board is inside of wait for the beacons' silence together, so that an advertisement costs as much among
/// a thousand of them as for one.
struct BeaconGroup: Sendable {
    /// The properties that the regions of a group share.
    struct Reach: Hashable {
        let constraint: BeaconConstraint
        /// Metres within which a beacon must be; nil for as far as it is heard.
        let within: Double?

        /// - Parameter within: Metres, of which the nearest step is taken: half of all distances err by a third and more,
        ///   and there are a hundred steps between 0.3 and 50 m, however many limits clients think of.
        init(_ constraint: BeaconConstraint, within: Double?) {
            self.constraint = constraint
            self.within = within.map { metres in
                let steps = Logarithm.natural(max(metres, Reach.least)) / Reach.step
                return Logarithm.exponential(steps.rounded() * Reach.step)
            }
        }

        /// The natural logarithm of 1.05, by which one step is farther than the one before.
        private static let step = Logarithm.natural(1.05)
        private static let least = 0.01

        /// Whether an advertisement from so many metres away, nil where that is not known, counts for regions that the
        /// board is outside of.
        func covers(_ metres: Double?) -> Bool { covers(metres, upTo: within) }

        /// The same for regions that the board is inside of: distances scatter, so that the limit is a quarter farther
        /// away.
        func keeps(_ metres: Double?) -> Bool { covers(metres, upTo: within.map { $0 * BeaconProximity.margin }) }

        private func covers(_ metres: Double?, upTo limit: Double?) -> Bool {
            guard let limit else { return true }
            return metres.map { $0 <= limit } ?? false
        }
    }

    /// The event that a region waits for.
    enum Wait: Sendable {
        /// The board is outside, or it is not known where: the region waits for two advertisements.
        case away
        /// The board is inside and has long heard no beacon, or none at all: the region waits for silence, alone.
        case alone
        /// The board is inside: the region waits for silence, together with others.
        case together
    }

    let reach: Reach
    /// The places of the regions that wait in each way.
    private(set) var away: Set<Int32> = []
    private(set) var alone: Set<Int32> = []
    private(set) var together: Set<Int32> = []
    /// When a beacon was last heard, and how long the radio had listened then, for the regions that wait together.
    private(set) var lastHeard = MonotonicInstant.zero
    private(set) var silentSince: Int64 = 0

    init(_ reach: Reach) { self.reach = reach }

    var isEmpty: Bool { away.isEmpty && alone.isEmpty && together.isEmpty }

    /// Nanoseconds of listening after which the beacons count as silent; nil where no region waits together.
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

    /// Takes an advertisement for all regions for which it counts.
    ///
    /// - Returns: Whether it counts for any; those that it may change are added to `places`.
    mutating func heard(
        from metres: Double?, at instant: MonotonicInstant, listened: Int64, into places: inout [Int32]
    ) -> Bool {
        guard reach.keeps(metres) else { return false }
        (lastHeard, silentSince) = (instant, listened)
        places.append(contentsOf: alone)
        if reach.covers(metres) { places.append(contentsOf: away) }
        return true
    }

    /// The present state of a region that waits together with others, from its state when it joined the group.
    func current(_ presence: BeaconPresence) -> BeaconPresence {
        var presence = presence
        _ = presence.heard(at: lastHeard, listened: silentSince)
        return presence
    }
}
