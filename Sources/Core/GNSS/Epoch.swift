public import Units

/// Everything that the messages of one navigation solution said.
public struct Epoch: Sendable {
    public var fix = Fix()
    public var errors: ErrorStatistics?
    /// The sky, a satellite (or one of its signals) each; empty where the epoch carried none.
    public var satellites: [Satellite] = []
    /// Whether the epoch carried a whole sky view.
    public var hasSky = false
    /// The host's time at which its first byte arrived, and its last message's last byte.
    public var firstByte = MonotonicInstant.zero
    public var lastByte = MonotonicInstant.zero

    public init() {}

    /// Puts what it holds into `other`, whose storage it takes for what is to come.
    public mutating func moveAndClear(into other: inout Epoch) {
        other.fix = fix
        other.errors = errors
        swap(&other.satellites, &satellites)
        other.hasSky = hasSky
        other.firstByte = firstByte
        other.lastByte = lastByte
        clear()
    }

    /// Forgets everything but keeps the storage, so that a steady stream allocates nothing.
    public mutating func clear() {
        fix = Fix()
        errors = nil
        satellites.removeAll(keepingCapacity: true)
        hasSky = false
        firstByte = .zero
        lastByte = .zero
    }

    /// Becomes a copy of `other` in this one's own storage, so that neither allocates for it.
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
