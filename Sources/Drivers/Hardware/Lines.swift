public import SextantUnits

/// A digital output, held for as long as the value lives.
///
/// Levels are logical: an active-low line that is active is at 0 V. The board determines the line's level after the
/// holder has released it; see the README of LinuxHardware.
public protocol OutputLine: ~Copyable {
    /// The line's name as the caller gave it.
    var name: String { get }
    /// The level last set.
    var isActive: Bool { get }
    /// Sets the level, and returns when the line has it.
    mutating func set(active: Bool) throws(LineError)
}

/// A digital input, held for as long as the value lives, that reports its edges with their times.
public protocol InputLine: ~Copyable {
    var name: String { get }
    /// The present level.
    func readIsActive() throws(LineError) -> Bool
    /// Appends the edges that came since the last call, the oldest first, and returns at once.
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
    /// The resistor's present setting, unchanged.
    case asIs
    case disabled
    case pullUp
    case pullDown
}
