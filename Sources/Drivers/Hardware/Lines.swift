public import Units

/// A digital output, held for as long as the value lives.
///
/// Levels are logical: an active-low line that is active is at 0 V. The board decides what the line does
/// after its holder is gone; see the README of LinuxHardware.
public protocol OutputLine: ~Copyable {
    /// The line's name as it was asked for.
    var name: String { get }
    /// The level last set.
    var isActive: Bool { get }
    /// Sets the level; it has been set when this returns.
    mutating func set(active: Bool) throws(LineError)
}

/// A digital input, held for as long as the value lives, that tells its edges with the time of each.
public protocol InputLine: ~Copyable {
    var name: String { get }
    /// The level now.
    func readIsActive() throws(LineError) -> Bool
    /// Appends the edges since the last call, the oldest first, and returns at once.
    mutating func takeEdges(into edges: inout [LineEdge]) throws(LineError)
}

/// A change of an input's level.
public struct LineEdge: Sendable, Hashable {
    /// Whether the line became active.
    public var isRising: Bool
    public var instant: MonotonicInstant

    public init(isRising: Bool, instant: MonotonicInstant) {
        self.isRising = isRising
        self.instant = instant
    }
}

/// The resistor inside the host that pulls an input while nothing drives it.
public enum LineBias: String, Sendable, CaseIterable {
    /// Whatever it is now.
    case asIs
    case disabled
    case pullUp
    case pullDown
}
