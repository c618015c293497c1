public import SextantUnits

/// The contents of all messages of one navigation solution.
public struct Epoch: Sendable {
    public var fix = Fix()
    public var errors: ErrorStatistics?
    /// The sky view, with an entry for each satellite or each of its signals; empty where the epoch carried none.
    public var satellites: [Satellite] = []
    /// Whether the epoch carried a whole sky view.
    public var hasSky = false
    /// When the epoch's first byte arrived, and when the last byte of its last message did, by the host's clock.
    public var firstByte = MonotonicInstant.zero
    public var lastByte = MonotonicInstant.zero

    public init() {}

    /// Moves the contents to `other`, and keeps the storage of `other` for the next epoch.
    public mutating func moveAndClear(into other: inout Epoch) {
        other.fix = fix
        other.errors = errors
        swap(&other.satellites, &satellites)
        other.hasSky = hasSky
        other.firstByte = firstByte
        other.lastByte = lastByte
        clear()
    }

    /// Removes all contents but keeps the storage, so that a steady stream allocates nothing.
    public mutating func clear() {
        fix = Fix()
        errors = nil
        satellites.removeAll(keepingCapacity: true)
        hasSky = false
        firstByte = .zero
        lastByte = .zero
    }

    /// Copies the contents of `other` into this epoch's own storage, so that nothing is allocated.
    public mutating func assign(_ other: Epoch) {
        fix = other.fix
        errors = other.errors
        satellites.removeAll(keepingCapacity: true)
        satellites.append(contentsOf: other.satellites)
        hasSky = other.hasSky
        firstByte = other.firstByte
        lastByte = other.lastByte
    }
}
