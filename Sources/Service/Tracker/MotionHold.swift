internal import Units

/// Makes of an accelerometer's interrupt whether the board moves: some chips hold the line while they feel motion, some
/// until they are told to watch anew, and some give a pulse for each sample.
///
/// While the board moves the line is looked at every 20 s and rests in between, so that a rough road wakes nobody; it is
/// quiet when nothing was felt for one such time.
struct MotionHold {
    /// Nanoseconds between two looks while the board moves: stops that are shorter count as none.
    static let interval: Int64 = 20_000_000_000

    private(set) var isMoving = false

    /// What is to be done after a look.
    struct Outcome: Equatable {
        /// Whether the board moves, where that is another than before.
        var change: Bool?
        /// When to look again; nil to wait for an edge.
        var nextLook: MonotonicInstant?
    }

    /// The line was looked at.
    ///
    /// - Parameters:
    ///   - hasRisen: Whether it rose since the last look.
    ///   - isActive: Its level now.
    mutating func looked(hasRisen: Bool, isActive: Bool, at instant: MonotonicInstant) -> Outcome {
        let moves = hasRisen || isActive
        defer { isMoving = moves }
        return Outcome(
            change: moves == isMoving ? nil : moves,
            nextLook: moves ? instant.advanced(byNanoseconds: MotionHold.interval) : nil)
    }
}
