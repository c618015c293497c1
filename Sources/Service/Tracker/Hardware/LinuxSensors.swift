internal import Boards
internal import Hardware
internal import LinuxHardware
internal import SextantReactor

/// Uses the kernel's I2C bus as the port to the sensors, on a thread of its own, since the bus's transfers block.
extension BusWorker: SensorPort where Order == SensorOrder, Answer == SensorEvent {}

extension LinuxTrackerHardware {
    /// The largest number of orders to the sensors that can wait; the daemon has one under way at a time, and at most
    /// one more for motion.
    private static let orderCapacity = 4

    static func sensorPort(
        _ sensors: BoardSensors, reactor: Reactor, onEvent: @escaping (SensorEvent) -> Void
    ) throws(SystemError) -> any SensorPort {
        try BusWorker("sextant-i2c", capacity: orderCapacity, reactor: reactor, answered: onEvent) {
            let server = SensorServer<LinuxI2CBus>(sensors, now: Clock.now) { () throws(BusError) in
                try LinuxI2CBus(sensors.bus)
            }
            return { server.serve($0) }
        }
    }
}
