internal import Accelerometers
internal import Boards
internal import Engine
internal import Logging
internal import SextantReactor

/// The sensing of the board's motion.
extension BoardSide {
    /// Has the accelerometer watch for motion, where the board's file says that Sextant sets it up.
    func watchMotion() {
        guard board?.sensors?.motion != nil else { return }
        motion.ordered(at: feed.reactor.now)
        // Without a bus no order can be given; the reason is in the log already.
        guard let compass else { return }
        if !compass.order(.watchMotion) { missedMotion("the bus hangs; orders to it are not carried out") }
    }

    /// Warns of an accelerometer that sleeps from power-up on and that Sextant does not wake.
    func warnOfSleepingSensor() {
        guard !hardware.drivesMotion, let board, board.sensors?.motion == nil,
            let sensor = board.motion?.sensor, AccelerometerModel(rawValue: sensor) != nil
        else { return }
        journal.logger.warning(
            """
            motionInterrupt: Sextant does not set up its \(sensor), and until another program does the board counts as \
            standing still; give accelerometer.motion in the board file
            """)
    }

    func watchesMotion(_ found: FoundSensors) {
        guard board?.sensors?.motion != nil else { return }
        let wasWatching = motion.isWatching
        change { $0.succeeded(at: feed.reactor.now) }
        journal.complain(nil, about: "motion")
        guard !wasWatching, let chip = found.accelerometer else { return }
        journal.logger.info("\(chip.model) at \(found.place(of: chip).printable) tells of motion")
    }

    func missedMotion(_ problem: String) {
        change { $0.failed(at: feed.reactor.now) }
        journal.complain("motion is not sensed: \(problem.printable)", about: "motion")
    }

    /// Orders the accelerometer to watch again after a failure of the compass, which may have stopped it too.
    func checkMotion() {
        if motion.isWatching { watchMotion() }
    }

    func tellMotion(_ level: Bool) {
        motion.line = level
        if let moves = motion.moves { feed(.motion(moves)) }
    }

    /// Changes the watch's state, and tells the Engine if that changes whether the board moves.
    private func change(_ change: (inout MotionWatch) -> Void) {
        let before = motion.moves
        change(&motion)
        if let moves = motion.moves, moves != before { feed(.motion(moves)) } else { feed.planWake() }
    }
}
