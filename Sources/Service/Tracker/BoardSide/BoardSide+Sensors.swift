internal import Boards
internal import Engine
internal import Magnetism

/// The access to the board's magnetometer and accelerometer.
extension BoardSide {
    /// Opens the sensors' bus; the Engine (the daemon's logic) later searches for a compass, and sets up the
    /// accelerometer to sense motion.
    func openSensors() {
        guard board?.sensors != nil else { return }
        do throws(HardwareFailure) {
            sensorPort = try hardware.openSensors { [unowned self] in handle($0) }
        } catch {
            journal.error(error.description)
        }
    }

    /// Passes an order of the Engine (the daemon's logic) to the sensors, or tells the Engine that this is not
    /// possible.
    func order(_ order: SensorOrder) {
        guard let sensorPort else {
            return feed(.compassFailed(detail: "the sensors' bus could not be had when sextantd started; restart it"))
        }
        if !sensorPort.order(order) { feed(.compassFailed(detail: "the bus hangs; orders to it are not carried out")) }
    }

    private func handle(_ event: SensorEvent) {
        guard let sensors = board?.sensors else { return }
        switch event {
        case .found(let found):
            noteWatch(found)
            feed(.compassFound(CompassChips(found, on: sensors)))
        case .absent(let detail): feed(.compassAbsent(detail: detail))
        case .failed(let detail): feed(.compassFailed(detail: detail))
        case .sampled(let sample): feed(.compassSampled(sample))
        case .watching(let found):
            noteWatch(found)
            feed(.motionAnswered(problem: nil))
        case .notWatching(let problem): missedMotion(problem)
        }
    }
}

extension CompassChips {
    fileprivate init(_ found: FoundSensors, on sensors: BoardSensors) {
        let (magnetometer, accelerometer) = (found.magnetometer, found.accelerometer)
        self.init(
            magnetometer: magnetometer?.model ?? "", magnetometerMounting: sensors.magnetometer?.mounting ?? .aligned,
            accelerometer: accelerometer?.model, accelerometerMounting: sensors.accelerometer?.mounting ?? .aligned,
            busAddress: found.address(of: magnetometer, accelerometer))
    }
}
