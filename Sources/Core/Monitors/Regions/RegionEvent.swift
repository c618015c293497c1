public import Units

/// What happened between the board and a region.
public struct RegionEvent: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// How it stands is known for the first time; nothing was crossed.
        case determined(isInside: Bool)
        case entered
        case exited
        /// It was inside for as long as was asked.
        case dwelled
    }

    public var slot: RegionSlot
    public var kind: Kind
    /// When the border was crossed, between the fixes about it; of a dwell, when its time was over.
    public var crossing: MonotonicInstant
    /// When it was known for sure; never before the crossing.
    public var confirmed: MonotonicInstant
    /// Degrees north, of the crossing; of a determination and of a dwell, where the board was then.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double
}
