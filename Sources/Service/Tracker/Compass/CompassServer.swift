internal import Accelerometers
public import Boards
internal import CompassUnit
public import Hardware
internal import Magnetism
internal import Magnetometers
public import Units

/// Carries out the orders for a board's sensors, one after the other, over a bus that blocks.
///
/// It opens the bus when the chips are first looked for. A class, because it owns a bus, which cannot be copied, and the
/// closure that serves holds it.
public final class CompassServer<Bus: I2CBus & ~Copyable> {
    private let sensors: BoardSensors
    private let now: () -> MonotonicInstant
    private let open: () throws(BusError) -> Bus
    private var bus: Bus?
    private var compass: CompassUnit?
    /// The accelerometer of a board without a magnetometer.
    private var accelerometer: (any AccelerometerDriver)?

    /// - Parameter now: The clock of the samples' instants.
    /// - Parameter open: Opens the bus, on the thread that serves.
    public init(
        _ sensors: BoardSensors, now: @escaping () -> MonotonicInstant, open: @escaping () throws(BusError) -> Bus
    ) {
        self.sensors = sensors
        self.now = now
        self.open = open
    }

    public func serve(_ order: CompassOrder) -> CompassEvent {
        switch order {
        case .find: answer { () throws(CompassFailure) in .found(try find()) }
        case .sample: answer { () throws(CompassFailure) in .sampled(try sample()) }
        case .watchMotion: .watching(problem: watchProblem())
        }
    }

    private func answer(_ work: () throws(CompassFailure) -> CompassEvent) -> CompassEvent {
        do throws(CompassFailure) { return try work() } catch { return error.event }
    }

    private func watchProblem() -> String? {
        guard sensors.motion != nil, compass != nil || accelerometer != nil else { return nil }
        do throws(CompassFailure) {
            try overBus { bus throws(CompassFailure) in try settle(over: &bus) }
            return nil
        } catch {
            return error.description
        }
    }

    // MARK: Orders

    private func find() throws(CompassFailure) -> FoundSensors {
        compass = nil
        accelerometer = nil
        return try overBus { bus throws(CompassFailure) in
            accelerometer = try sensors.accelerometer.map { chip throws(CompassFailure) in
                try CompassServer.find(chip, over: &bus)
            }
            let magnetometer = try findMagnetometer(over: &bus)
            compass = magnetometer.map { CompassUnit(magnetometer: $0, accelerometer: accelerometer) }
            try settle(over: &bus)
            return FoundSensors(magnetometer, accelerometer, bus: bus.name)
        }
    }

    private func findMagnetometer(over bus: inout Bus) throws(CompassFailure) -> (any MagnetometerDriver)? {
        guard let chip = sensors.magnetometer else { return nil }
        do throws(CompassFailure) {
            return try CompassServer.find(chip, over: &bus)
        } catch {
            // Motion is told all the same; that it cannot be says no more than the error that is thrown.
            try? settle(over: &bus)
            throw error
        }
    }

    private func sample() throws(CompassFailure) -> CompassSample {
        try overBus { bus throws(CompassFailure) in
            guard let sample = try CompassServer.sample(&compass, over: &bus, at: now) else { throw .unknown }
            return sample
        }
    }

    private static func sample(
        _ compass: inout CompassUnit?, over bus: inout Bus, at now: () -> MonotonicInstant
    ) throws(CompassFailure) -> CompassSample? {
        do { return try compass?.sample(over: &bus, at: now) } catch { throw .chip(error) }
    }

    /// Has the chips configured: asleep, or the accelerometer watching for motion.
    private func settle(over bus: inout Bus) throws(CompassFailure) {
        do throws(ChipError) {
            guard compass == nil else { return try compass?.watchMotion(sensors.motion, over: &bus) ?? () }
            if let motion = sensors.motion {
                try accelerometer?.watchMotion(motion, over: &bus)
            } else {
                try accelerometer?.configure(over: &bus)
            }
        } catch {
            throw .chip(error)
        }
    }

    // MARK: Chips and bus

    private static func find(
        _ chip: BoardChip<MagnetometerModel>, over bus: inout Bus
    ) throws(CompassFailure) -> any MagnetometerDriver {
        let search = MagnetometerSearch(model: chip.model, address: chip.address)
        do { return try search.run(over: &bus)[0] } catch { throw .search(error) }
    }

    private static func find(
        _ chip: BoardChip<AccelerometerModel>, over bus: inout Bus
    ) throws(CompassFailure) -> any AccelerometerDriver {
        let search = AccelerometerSearch(model: chip.model, address: chip.address)
        do { return try search.run(over: &bus)[0] } catch { throw .search(error) }
    }

    /// Lends the bus, opened where it is not.
    private func overBus<Result>(
        _ body: (inout Bus) throws(CompassFailure) -> Result
    ) throws(CompassFailure) -> Result {
        var held = try takeBus()
        do throws(CompassFailure) {
            let result = try body(&held)
            bus = consume held
            return result
        } catch {
            bus = consume held
            throw error
        }
    }

    private func takeBus() throws(CompassFailure) -> Bus {
        if let held = bus.take() { return held }
        do { return try open() } catch { throw .chip(.bus(error)) }
    }
}

/// Why an order could not be carried out.
private enum CompassFailure: Error {
    case chip(ChipError)
    case search(ChipSearchError)
    /// The chips were not found yet, or there is none that measures.
    case unknown

    var event: CompassEvent {
        switch self {
        case .search(.nobodyAnswers): .absent(description)
        case .chip, .search, .unknown: .failed(description)
        }
    }

    var description: String {
        switch self {
        case .chip(let error): error.description
        case .search(let error): error.description
        case .unknown: "the sensors were not found yet; see the log for why"
        }
    }
}

extension FoundSensors {
    fileprivate init(
        _ magnetometer: (any MagnetometerDriver)?, _ accelerometer: (any AccelerometerDriver)?, bus: String
    ) {
        let addresses = [magnetometer?.address, accelerometer?.address].compactMap { $0?.description }
        self.init(
            magnetometer: magnetometer?.model.rawValue, accelerometer: accelerometer?.model.rawValue,
            place: "\(bus), \(addresses.joined(separator: " and "))")
    }
}
