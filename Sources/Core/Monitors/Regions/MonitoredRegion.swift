public import SextantUnits

/// A region to watch.
public struct MonitoredRegion: Sendable, Hashable {
    public var shape: RegionShape
    /// Seconds inside the region after which a dwell is reported, once per stay; nil where no dwell was asked for.
    public var dwell: Double?
    /// The least number of metres beyond the border for an exit; 0 where only the position's accuracy counts.
    public var cushion: Double
    /// Whether the board was inside when the region was last watched; nil where it is not known.
    public var state: RegionState?

    public init(_ shape: RegionShape, dwell: Double? = nil, cushion: Double = 0, state: RegionState? = nil) {
        self.shape = shape
        self.dwell = dwell
        self.cushion = cushion
        self.state = state
    }
}

/// Whether the board is inside a region and since when; it is stored, to survive a restart.
public struct RegionState: Sendable, Hashable {
    public var isInside: Bool
    /// The instant since which the board is inside or outside: that of the crossing, or of the first fix.
    public var since: MonotonicInstant
    /// Whether a dwell was already reported for the present stay in the region.
    public var hasDwelled: Bool

    public init(isInside: Bool, since: MonotonicInstant, hasDwelled: Bool = false) {
        self.isInside = isInside
        self.since = since
        self.hasDwelled = hasDwelled
    }
}

/// The number of a region in its monitor, valid until the region is removed.
public struct RegionSlot: Sendable, Hashable {
    public let index: Int32

    init(_ index: Int32) { self.index = index }
    init(_ index: Int) { self.index = Int32(truncatingIfNeeded: index) }
}
