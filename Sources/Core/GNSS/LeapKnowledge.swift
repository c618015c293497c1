/// What a receiver reports about leap seconds: the source of its difference between GPS time and UTC, and the next
/// change of this difference.
public struct LeapKnowledge: Sendable, Hashable {
    /// Whether the difference was received from satellites; otherwise it is the firmware's default and can be out of
    /// date.
    public var isFromSatellites: Bool
    /// The change at the next leap second, in seconds: -1, 0 or 1; 0 where none is announced.
    public var change: Int8
    /// Seconds until the next leap second; a negative value counts the seconds since the last leap second.
    public var secondsToChange: Int32

    public init(isFromSatellites: Bool, change: Int8, secondsToChange: Int32) {
        self.isFromSatellites = isFromSatellites
        self.change = change
        self.secondsToChange = secondsToChange
    }
}
