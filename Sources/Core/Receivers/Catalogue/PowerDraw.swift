/// The power that a receiver draws in each state.
///
/// Unit: milliwatts, 0 or more, at the receiver's supply.
public struct PowerDraw: Sendable, Hashable {
    public var acquiring: Double
    public var tracking: Double
    /// Cyclic tracking at one fix per second; nil where the receiver has no cyclic tracking.
    public var cyclic: Double?
    /// Asleep after the receiver's own sleep command.
    public var softwareSleep: Double
    /// Asleep on the backup supply alone.
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

    /// The draw during a sleep of this kind; a receiver without any supply draws nothing.
    public func resting(_ kind: SleepKind) -> Double {
        switch kind {
        case .cyclic: cyclic ?? tracking
        case .software: softwareSleep
        case .hardware: hardwareSleep
        case .cut: 0
        }
    }
}
