public import SextantUnits

/// A pulse of a receiver's one-pulse-per-second (PPS) output, as the kernel timed its edge.
public struct Pulse: Sendable, Equatable {
    /// The kernel's count of pulses, which grows by 1 with each pulse and wraps around.
    public var sequence: UInt32
    /// The wall clock's time at the edge.
    public var wall: UTCInstant

    public init(sequence: UInt32, wall: UTCInstant) {
        self.sequence = sequence
        self.wall = wall
    }
}
