internal import Units

/// Makes of an accelerometer's interrupt whether the board moves: some chips hold the line while they feel motion, some
/// until they are told to watch anew, and some give a pulse for each sample.
///
/// A knock is over when the line is looked at again 2 s later, before motion counts. While the board moves the line is
/// looked at every 20 s from then on and rests in between, so that a rough road wakes nobody; it is quiet when nothing
/// was felt for one such time.
struct MotionHold {
    /// Nanoseconds from the beginning of motion to the first look: less than the 3 s that it must last to count.
    static let firstInterval: Int64 = 2_000_000_000
    /// Nanoseconds between two looks while the board moves on: stops that are shorter count as none.
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
        let interval = isMoving ? MotionHold.interval : MotionHold.firstInterval
        return Outcome(
            change: moves == isMoving ? nil : moves,
            nextLook: moves ? instant.advanced(byNanoseconds: interval) : nil)
    }
}
