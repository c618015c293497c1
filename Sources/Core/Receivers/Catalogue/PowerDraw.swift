/// What a receiver draws in each state.
///
/// Unit: milliwatts, 0 or more, at the receiver's supply.
public struct PowerDraw: Sendable, Hashable {
    public var acquiring: Double
    public var tracking: Double
    /// Cyclic tracking at one fix a second; nil where the receiver has none.
    public var cyclic: Double?
    /// After its own sleep command.
    public var softwareSleep: Double
    /// Backup supply alone.
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

    /// While it rests in this way; a receiver that is cut off draws nothing.
    public func resting(_ kind: SleepKind) -> Double {
        switch kind {
        case .cyclic: cyclic ?? tracking
        case .software: softwareSleep
        case .hardware: hardwareSleep
        case .cut: 0
        }
    }
}
