internal import Accelerometers
public import Boards
public import Hardware

/// The accelerometer that remembers motion while the host is off: its interrupt sets the latch of the board's supply.
public struct MotionLatch {
    /// The accelerometer as it was found at the start, before the daemon set it up in this boot.
    public struct Sensor: Sendable {
        let chip: any AccelerometerDriver
        /// Whether the accelerometer has latched a motion; nil if it was not set to latch, or cannot latch.
        let hasFelt: Bool?

        /// Finds the accelerometer, and reads whether it has latched motion; nil if no accelerometer answers.
        public init?(_ sensors: BoardSensors, over bus: inout some I2CBus & ~Copyable) {
            guard let sensor = sensors.accelerometer else { return nil }
            let search = AccelerometerSearch(model: sensor.model, address: sensor.address)
            guard let found = try? search.run(over: &bus), found.count == 1 else { return nil }
            chip = found[0]
            hasFelt = (try? chip.latchedMotion(over: &bus)) ?? nil
        }
    }

    let hasFelt: Bool?
    /// Makes the accelerometer latch each motion from now on, or stops that; false if the chip refuses the setting.
    ///
    /// A chip that cannot latch signals a motion only as long as the motion lasts.
    let hold: (Bool) -> Bool

    /// - Parameter open: Opens the sensors' bus.
    public init<Bus: I2CBus & ~Copyable>(_ sensor: Sensor, open: @escaping () throws(BusError) -> Bus) {
        hasFelt = sensor.hasFelt
        hold = { isHeld in
            do {
                var bus = try open()
                _ = try sensor.chip.latchMotion(isHeld, over: &bus)
                return true
            } catch {
                return false
            }
        }
    }
}
