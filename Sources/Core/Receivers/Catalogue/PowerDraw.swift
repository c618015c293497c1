/// The power that a receiver draws in each state.
///
/// Unit: milliwatts, 0 or more, at the receiver's supply.
public struct PowerDraw: Sendable, Hashable {
    public var acquiring: Double
    public var tracking: Double
    /// The power in cyclic tracking at one fix per second; nil where the receiver has no cyclic tracking.
    public var cyclic: Double?
    /// The power during a sleep by the receiver's own sleep command.
    public var softwareSleep: Double
    /// The power during a sleep on the backup supply alone.
    public var hardwareSleep: Double

    public init(
        acquiring: Double, tracking: Double, cyclic: Double?, softwareSleep: Double, hardwareSleep: Double
    ) {
        self.acquiring = acquiring
        self.tracking = tracking
        self.cyclic = cyclic
        self.softwareSleep = softwareSleep
        self.hardwareSleep = hardwareSleep
    }

    /// The power in milliwatts that the receiver draws during a sleep of this kind; 0 where all its supplies are cut.
    public func resting(_ kind: SleepKind) -> Double {
        switch kind {
        case .cyclic: cyclic ?? tracking
        case .software: softwareSleep
        case .hardware: hardwareSleep
        case .cut: 0
        }
    }
}
