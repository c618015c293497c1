internal import Boards
internal import Engine
internal import FlightRecording
internal import JSONText
internal import Logging
internal import Magnetism

/// The board's sensors.
extension Tracker {
    /// Has the sensors driven; a compass is looked for by the Engine, an accelerometer that only tells of motion here.
    func openCompass() {
        guard let sensors = settings.board?.sensors else { return }
        do throws(HardwareFailure) {
            compass = try hardware.openCompass { [unowned self] in told($0) }
        } catch {
            logger.error("\(error.description)")
        }
        if sensors.magnetometer == nil, sensors.motion != nil { _ = compass?.order(.find) }
    }

    /// Leaves an order of the Engine's, which is answered in any case.
    func order(_ order: CompassOrder) {
        guard let compass else {
            return feed(.compassFailed(detail: "the sensors' bus could not be had when sextantd started; restart it"))
        }
        if !compass.order(order) { feed(.compassFailed(detail: "the bus hangs; orders for it are left undone")) }
    }

    private func told(_ event: CompassEvent) {
        guard let sensors = settings.board?.sensors else { return }
        if case .watching(let problem) = event {
            return complain(problem.map { "motion is not sensed: \($0.printable)" }, about: "motion")
        }
        guard sensors.magnetometer != nil else { return toldOfMotion(event) }
        switch event {
        case .found(let found): feed(.compassFound(CompassChips(found, on: sensors)))
        case .absent(let detail): feed(.compassAbsent(detail: detail))
        case .failed(let detail): feed(.compassFailed(detail: detail))
        case .sampled(let sample): feed(.compassSampled(sample))
        case .watching: break
        }
    }

    /// What came of setting up an accelerometer that no compass needs.
    private func toldOfMotion(_ event: CompassEvent) {
        switch event {
        case .found(let found):
            logger.info("\(found.accelerometer ?? "the accelerometer") at \(found.place.printable) tells of motion")
        case .absent(let detail), .failed(let detail):
            logger.error("motion is not sensed: \(detail.printable)")
        case .sampled, .watching: break
        }
    }
}

extension CompassChips {
    fileprivate init(_ found: FoundSensors, on sensors: BoardSensors) {
        self.init(
            magnetometer: found.magnetometer ?? "", magnetometerMounting: sensors.magnetometer?.mounting ?? .aligned,
            accelerometer: found.accelerometer, accelerometerMounting: sensors.accelerometer?.mounting ?? .aligned,
            place: found.place)
    }
}
