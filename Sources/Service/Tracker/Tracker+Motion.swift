internal import Accelerometers
internal import Boards
internal import Engine
internal import JSON
internal import Logging
internal import Reactor
internal import Receivers
internal import Units

/// Whether the board moves.
extension Tracker {
    /// Has the accelerometer watch, where the board's file says that this is ours to set up.
    func watchMotion() {
        guard settings.board?.sensors?.motion != nil else { return }
        motion.ordered(at: reactor.now)
        // Without a bus nothing can be told, and the log has why.
        guard let compass else { return }
        if !compass.order(.watchMotion) { missedMotion("the bus hangs; orders for it are left undone") }
    }

    /// Warns of an accelerometer that sleeps from power-up on and that no known program wakes.
    func warnOfSleepingSensor() {
        guard !hardware.drivesMotion, let board = settings.board, board.sensors?.motion == nil,
            let sensor = board.motion?.sensor, AccelerometerModel(rawValue: sensor) != nil
        else { return }
        logger.warning(
            """
            motionInterrupt: Sextant does not set up its \(sensor), and until another program does the board counts as \
            standing still; give accelerometer.motion in the board file
            """)
    }

    func watchesMotion(_ found: FoundSensors) {
        guard settings.board?.sensors?.motion != nil else { return }
        let wasWatching = motion.isWatching
        change { $0.succeeded(at: reactor.now) }
        complain(nil, about: "motion")
        guard !wasWatching, let chip = found.accelerometer else { return }
        logger.info("\(chip.model) at \(found.place(of: chip).printable) tells of motion")
    }

    func missedMotion(_ problem: String) {
        change { $0.failed(at: reactor.now) }
        complain("motion is not sensed: \(problem.printable)", about: "motion")
    }

    /// The compass fails: whether the accelerometer still watches is to be seen.
    func checkMotion() {
        if motion.isWatching { watchMotion() }
    }

    func tellMotion(_ level: Bool) {
        motion.line = level
        if let moves = motion.moves { feed(.motion(moves)) }
    }

    /// Tells the Engine where that changes whether the board moves.
    private func change(_ change: (inout MotionWatch) -> Void) {
        let before = motion.moves
        change(&motion)
        if let moves = motion.moves, moves != before { feed(.motion(moves)) } else { setWake() }
    }
}
