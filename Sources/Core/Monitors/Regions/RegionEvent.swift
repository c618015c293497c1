public import SextantUnits

/// A change of the board's position relative to a region.
public struct RegionEvent: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// It is known for the first time whether the board is inside; no border was crossed.
        case determined(isInside: Bool)
        case entered
        case exited
        /// The board has been inside for the dwell time that was asked for.
        case dwelled
    }

    public var slot: RegionSlot
    public var kind: Kind
    /// When the border was crossed, interpolated between fixes; for a dwell, when the dwell time was complete.
    public var crossing: MonotonicInstant
    /// When the event was confirmed; never before `crossing`.
    public var confirmed: MonotonicInstant
    /// The latitude of the crossing in degrees; for a dwell or a state that became known, that of the board's position.
    public var latitude: Double
    /// The longitude, in degrees, of the point whose latitude is `latitude`.
    public var longitude: Double
    /// Whether fixes show the board crossing the border; false where the board crossed while no client needed fixes, so
    /// that `crossing` is the latest possible instant.
    public var wasFollowed = true
}
