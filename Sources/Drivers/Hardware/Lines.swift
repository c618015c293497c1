public import SextantUnits

/// A GPIO output, held for as long as the value of this type exists.
///
/// Levels are logical: an active-low line that is active is at 0 V. After the program has released the line, the board
/// determines its level; see the README of LinuxHardware.
public protocol OutputLine: ~Copyable {
    /// The line's name as the caller gave it.
    var name: String { get }
    /// The level last set.
    var isActive: Bool { get }
    /// Sets the level; when the call returns, the line has it.
    mutating func set(active: Bool) throws(LineError)
}

/// A GPIO input that reports its edges with their times; it is held for as long as the value of this type exists.
public protocol InputLine: ~Copyable {
    var name: String { get }
    /// The present level.
    func readIsActive() throws(LineError) -> Bool
    /// Appends the edges since the previous call, the oldest first; the call does not wait for an edge.
    mutating func takeEdges(into edges: inout [LineEdge]) throws(LineError)
}

/// A change of an input's level.
public struct LineEdge: Sendable, Hashable {
    /// Whether the line became active; if not, it became inactive.
    public var isRising: Bool
    public var instant: MonotonicInstant

    public init(isRising: Bool, instant: MonotonicInstant) {
        self.isRising = isRising
        self.instant = instant
    }
}

/// The resistor inside the host that pulls an input while nothing drives it.
public enum LineBias: String, Sendable, CaseIterable {
    /// The resistor stays as it is set already.
    case asIs
    case disabled
    case pullUp
    case pullDown
}
