public import Fusion
internal import SextantUnits

/// Watches regions: takes positions, and reports the crossings of borders.
///
/// A crossing is confirmed when the board is so many standard deviations beyond the border that position errors do not
/// explain that; an event has the time of the crossing and the time of the confirmation. A region's entries and exits
/// alternate. Positions that were not measured, that are out of order or that no vehicle could have reached do not
/// count.
///
/// Only nearby borders are checked: a tree of all regions is searched for them again when the board has moved as far as
/// the nearest unchecked border was away.
public struct RegionMonitor: Sendable {
    var geometry = RegionGeometry()
    var index = RegionIndex()
    var states: [State] = []
    private var free: [Int32] = []
    var track = RegionTrack()

    /// The borders that the board can have crossed by the time of the next position.
    var watched: [WatchedBorder] = []
    /// The regions for which no fix has shown yet whether the board is inside; removed regions are dropped at the next
    /// position, or before their slots are given back.
    var unsettled: [UnsettledRegion] = []
    var unsettledCount = 0
    /// The slots (numbers) of the regions whose dwell time is running.
    var dwelling: [Int32] = []
    var found: [Int32] = []

    /// The length of the board's track so far; metres.
    var way = 0.0
    /// The number of accepted positions so far.
    var step = 0
    /// Until the track's length (`way`) reaches this value, only the watched borders can be crossed; metres.
    var horizon = -Double.infinity
    /// When the track's length (`way`) reaches this value, the nearby borders are looked for again; metres.
    var renewal = -Double.infinity
    /// Borders that are nearer to a position than this many metres are checked.
    var need = 0.0

    /// What is known of the region in a slot.
    struct State: Sendable {
        /// Whether the board is inside the region; nil while that is not known.
        var isInside: Bool?
        var isWatched = false
        var isUnsettled = false
        var hasDwelled = false
        /// Whether the last position was on the other side of the border than `isInside` says.
        var isBeyond = false
        var cushion: Float
        /// The dwell time in seconds; nil where no dwell was asked for.
        var dwell: Double?
        /// Since when the board is inside or outside; nanoseconds since boot.
        var since: Int64
    }

    public init() {}

    /// How many regions are watched.
    public private(set) var count = 0

    public mutating func reserveCapacity(_ count: Int) {
        geometry.reserve(count)
        states.reserveCapacity(count)
        unsettled.reserveCapacity(count)
    }

    public mutating func add(_ region: MonitoredRegion) -> RegionSlot {
        let slot = free.popLast().map { Int($0) } ?? states.count
        geometry.set(region.shape, at: slot)
        let state = State(
            isInside: region.state?.isInside, isUnsettled: true, hasDwelled: region.state?.hasDwelled ?? false,
            cushion: Float(max(0, region.cushion)), dwell: region.dwell.map { max(0, $0) },
            since: region.state?.since.nanoseconds ?? 0)
        if slot == states.count { states.append(state) } else { states[slot] = state }
        index.insert(slot)
        unsettled.append(UnsettledRegion(slot: Int32(truncatingIfNeeded: slot)))
        unsettledCount += 1
        if state.isInside == true { awaitDwell(of: slot) }
        count += 1
        return RegionSlot(slot)
    }

    public mutating func remove(_ slot: RegionSlot) {
        let removed = Int(slot.index)
        precondition(states.indices.contains(removed) && !geometry.isEmpty(removed), "the region was removed before")
        if states[removed].isWatched { watched.removeAll { $0.slot == slot.index } }
        if states[removed].isUnsettled { unsettledCount -= 1 }
        forgetDwell(of: removed)
        geometry.clear(removed)
        states[removed].isInside = nil
        states[removed].isUnsettled = false
        index.remove(removed)
        count -= 1
        // The next position frees the slots of removed regions. If none comes, they are freed here, because a program
        // may register its regions again and again.
        settleIndex()
    }

    /// Whether the board is inside the region; nil while that is not known.
    public func isInside(_ slot: RegionSlot) -> Bool? { states[Int(slot.index)].isInside }

    /// Whether a fix since the region was added has shown whether the board is inside.
    public func isSettled(_ slot: RegionSlot) -> Bool { !states[Int(slot.index)].isUnsettled }

    /// What must be stored of a region for the next start; nil while it is not known whether the board is inside.
    public func state(of slot: RegionSlot) -> RegionState? {
        let state = states[Int(slot.index)]
        return state.isInside.map {
            RegionState(
                isInside: $0, since: MonotonicInstant(nanoseconds: state.since), hasDwelled: state.hasDwelled)
        }
    }

    /// Whether the board is inside a shape, judged by one location, without a watched region; nil where the border is
    /// too near to tell.
    public static func isInside(_ shape: RegionShape, at location: FusedLocation) -> Bool? {
        guard let sample = RegionTrack.Sample(location) else { return nil }
        var geometry = RegionGeometry()
        geometry.set(shape, at: 0)
        let offset = geometry.offset(of: sample.place, to: 0)
        let deviation = sample.covariance.variance(along: offset.outward).squareRoot()
        let isInside = offset.distance < 0
        let needed = RegionMonitor.probableDepth * ConfirmationRule.effective(deviation)
        let depth = Double(geometry.balls[0].depth)
        let enough =
            isInside ? ConfirmationRule.entryDepth(needed, regionDepth: depth, deviation: deviation) : needed
        return abs(offset.distance) >= enough ? isInside : nil
    }

    /// The number of standard deviations from a border at which the board's side is certain to 95 %, which is enough to
    /// answer a client.
    private static let probableDepth = 1.645

    /// The metres by which the board can move, or by which its position can become less certain, before it can enter or
    /// leave any region.
    ///
    /// For the receiver's power manager. Nil while no region is watched; 0 where a border is near or no fix has shown
    /// yet whether the board is inside a region.
    public var safeDistance: Double? { distanceToNearestBoundary.map { max(0, $0 - need) } }

    /// A lower bound of the distance to the nearest border, in metres.
    ///
    /// Nil while no region is watched; 0 while no fix has shown yet whether the board is inside a region.
    public var distanceToNearestBoundary: Double? {
        guard count > 0 else { return nil }
        guard unsettledCount == 0, track.last != nil else { return 0 }
        var nearest = horizon
        for border in watched { nearest = min(nearest, border.isPending ? way : border.quietUntil) }
        return max(0, nearest - way)
    }

    /// Builds the index anew where too much has changed; new regions can then get the slots of removed ones.
    mutating func settleIndex() {
        guard index.isWorn else { return }
        // The entries of removed regions are deleted first, so that a new region in such a slot is not judged by fixes
        // seen for the removed one.
        unsettled.removeAll { !states[Int($0.slot)].isUnsettled }
        index.rebuild(geometry, freeing: &free)
    }
}

extension RegionTrack.Sample {
    /// Makes a position of the track from a location; nil where the location's coordinates or covariance are invalid.
    init?(_ location: FusedLocation) {
        let covariance = location.covariance
        guard abs(location.latitude) <= 90, abs(location.longitude) <= 540, covariance.eastEast >= 0,
            covariance.northNorth >= 0, (covariance.eastEast + covariance.northNorth).isFinite,
            covariance.eastNorth * covariance.eastNorth <= covariance.eastEast * covariance.northNorth * 1.000_001
        else { return nil }
        nanoseconds = location.instant.nanoseconds
        place = RegionPlace(latitude: location.latitude, longitude: location.longitude)
        self.covariance = covariance
    }
}
