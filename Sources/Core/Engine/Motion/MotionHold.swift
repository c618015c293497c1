internal import SextantUnits

/// Decides from an accelerometer's interrupt line whether the board moves.
///
/// Some chips hold the line active while they sense motion, some until they are told to watch again, and some give a
/// pulse for each sample. A knock is soon told apart from motion, so that the search for a fix that the knock started
/// ends early: 1 s after the line rose, when a knock is over, the accelerometer is told to watch again, and 1.5 s later
/// the line is checked for new motion. While the board moves, the line is checked every 20 s and ignored in between, so
/// that a rough road does not wake the daemon; the board counts as quiet when no motion was felt for 20 s.
struct MotionHold {
    private enum Phase {
        case quiet
        /// The interrupt line rose, so that motion or a knock has begun.
        case begun
        /// A second has passed since the interrupt line rose, and the accelerometer was told to watch again.
        case settled
        case moving
    }

    /// Nanoseconds after a rise of the interrupt line until a knock is over.
    static let knock: Int64 = 1_000_000_000
    /// Nanoseconds for which motion is looked for once `knock` is over; if there is none, it was only a knock.
    ///
    /// `knock` and `proof` add up to less than 3 s.
    static let proof: Int64 = 1_500_000_000
    /// Nanoseconds between two checks of the interrupt line while the board moves; shorter stops go unnoticed.
    static let interval: Int64 = 20_000_000_000

    private var phase = Phase.quiet

    var isMoving: Bool { phase != .quiet }

    /// What follows from a check of the interrupt line.
    struct Outcome: Equatable {
        /// The instant of the next check; nil to wait until the interrupt line rises.
        var nextLook: MonotonicInstant?
        /// Whether the accelerometer must be told to watch again.
        var watchesAnew = false
    }

    /// Takes the result of a check of the interrupt line.
    ///
    /// - Parameters:
    ///   - hasRisen: Whether the line rose since the previous check.
    ///   - isActive: The line's level now.
    mutating func sensed(hasRisen: Bool, isActive: Bool, at instant: MonotonicInstant) -> Outcome {
        let feels = hasRisen || isActive
        switch phase {
        case .quiet where feels:
            phase = .begun
            return Outcome(nextLook: instant.advanced(byNanoseconds: MotionHold.knock))
        case .begun:
            phase = .settled
            return Outcome(nextLook: instant.advanced(byNanoseconds: MotionHold.proof), watchesAnew: true)
        case .settled where feels, .moving where feels:
            phase = .moving
            return Outcome(nextLook: instant.advanced(byNanoseconds: MotionHold.interval), watchesAnew: true)
        case .quiet, .settled, .moving:
            phase = .quiet
            return Outcome()
        }
    }
}
