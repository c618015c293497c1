public import SextantUnits

/// A receiver's pulse a second, as the kernel timed its edge.
public struct Pulse: Sendable, Equatable {
    /// The kernel's count of pulses, which grows by 1 with each and wraps.
    public var sequence: UInt32
    /// The wall clock's time at the edge.
    public var wall: UTCInstant

    public init(sequence: UInt32, wall: UTCInstant) {
        self.sequence = sequence
        self.wall = wall
    }
}
