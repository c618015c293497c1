internal import Units

/// Makes of an accelerometer's interrupt whether the board moves: some chips hold the line while they feel motion, some
/// until they are told to watch anew, and some give a pulse for each sample.
///
/// A knock is over soon enough to end the search that it began: 1 s after the line rose the accelerometer is told to
/// watch anew, now that it feels no knock any more, and 1.5 s later it is seen whether it felt something since. While the
/// board moves the line is looked at every 20 s from then on and not in between, so that a rough road does not wake
/// the daemon; the board counts as quiet when nothing was felt for 20 s.
struct MotionHold {
    private enum Phase {
        case quiet
        /// Something was felt.
        case begun
        /// It watches anew since then.
        case settled
        case moving
    }

    /// Nanoseconds that a knock has to be over.
    static let knock: Int64 = 1_000_000_000
    /// Nanoseconds after it in which motion must be felt again: with it less than the 3 s within which motion is a mere knock.
    static let proof: Int64 = 1_500_000_000
    /// Nanoseconds between two looks while the board moves on: stops that are shorter count as none.
    static let interval: Int64 = 20_000_000_000

    private var phase = Phase.quiet

    var isMoving: Bool { phase != .quiet }

    /// What is to be done after a look.
    struct Outcome: Equatable {
        /// Whether the board moves, where that is another than before.
        var change: Bool?
        /// When to look again; nil to wait for an edge.
        var nextLook: MonotonicInstant?
        /// Whether the accelerometer is to watch anew.
        var watchesAnew = false
    }

    /// The line was looked at.
    ///
    /// - Parameters:
    ///   - hasRisen: Whether it rose since the last look.
    ///   - isActive: Its level now.
    mutating func looked(hasRisen: Bool, isActive: Bool, at instant: MonotonicInstant) -> Outcome {
        let feels = hasRisen || isActive
        switch phase {
        case .quiet where feels:
            phase = .begun
            return Outcome(change: true, nextLook: instant.advanced(byNanoseconds: MotionHold.knock))
        case .begun:
            phase = .settled
            return Outcome(nextLook: instant.advanced(byNanoseconds: MotionHold.proof), watchesAnew: true)
        case .settled where feels, .moving where feels:
            phase = .moving
            return Outcome(nextLook: instant.advanced(byNanoseconds: MotionHold.interval), watchesAnew: true)
        case .settled, .moving:
            phase = .quiet
            return Outcome(change: false)
        case .quiet: return Outcome()
        }
    }
}
