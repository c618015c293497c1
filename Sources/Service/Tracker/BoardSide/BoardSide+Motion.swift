internal import Accelerometers
internal import Boards
internal import Engine
internal import Logging
internal import Programs
internal import SextantUnits

/// The sensing of the board's motion, by its accelerometer and the accelerometer's interrupt line.
extension BoardSide {
    /// Orders the accelerometer to watch for motion, or tells the Engine (the daemon's logic) that this is not
    /// possible.
    func watchMotion() {
        // Without the sensors' bus no order is possible; the reason was logged already.
        guard let sensorPort else { return }
        if !sensorPort.order(.watchMotion) { missedMotion("the bus hangs; orders to it are not carried out") }
    }

    func lookAtLine(at instant: MonotonicInstant?) { hardware.lookAtLine(at: instant) }

    /// Logs a warning if the accelerometer sleeps after power-up and Sextant does not set it up.
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

    /// Logs that the accelerometer watches for motion, if Sextant has set it up to do so.
    func noteWatch(_ found: FoundSensors) {
        guard board?.sensors?.motion != nil else { return }
        defer { watchesMotion = true }
        journal.complain(nil, about: "motion")
        guard !watchesMotion, let chip = found.accelerometer else { return }
        journal.logger.info("\(chip.model) at \(found.address(of: chip).printable) tells of motion")
    }

    func missedMotion(_ problem: String) {
        watchesMotion = false
        journal.complain("motion is not sensed: \(problem.printable)", about: "motion")
        feed(.motionAnswered(problem: problem))
    }

    /// Tells the Engine (the daemon's logic) the level of the accelerometer's interrupt line.
    ///
    /// On a test bench, the harness sets the level to simulate motion.
    func tellMotion(hasRisen: Bool, _ isActive: Bool) {
        feed(hardware.drivesMotion ? .motion(isActive) : .lineChanged(.shows(hasRisen: hasRisen, isActive: isActive)))
    }
}
