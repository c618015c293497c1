internal import Accelerometers
public import Boards
public import Hardware
internal import Magnetism
internal import Magnetometers
public import SextantUnits

/// Carries out the orders for a board's sensors, one after the other, over a bus whose transfers block.
///
/// The bus is opened when the chips are first searched for. A class, because it owns a bus, which cannot be copied, and
/// is captured by the closure that carries out the orders.
public final class SensorServer<Bus: I2CBus & ~Copyable> {
    /// The sensors named in the board's file; for a chip that was found, the model and the address are filled in.
    private var sensors: BoardSensors
    private let now: () -> MonotonicInstant
    private let open: () throws(BusError) -> Bus
    private var bus: Bus?
    /// The sensors that were found; nil if they are not found yet, or if the board has an accelerometer that was not
    /// found.
    private var unit: CompassUnit?

    /// - Parameter now: The clock for the times of samples.
    /// - Parameter open: Opens the bus; called on the thread that carries out the orders.
    public init(
        _ sensors: BoardSensors, now: @escaping () -> MonotonicInstant, open: @escaping () throws(BusError) -> Bus
    ) {
        self.sensors = sensors
        self.now = now
        self.open = open
    }

    public func serve(_ order: SensorOrder) -> SensorEvent {
        switch order {
        case .find: answer { () throws(SensorFailure) in .found(try find()) }
        case .sample: answer { () throws(SensorFailure) in .sampled(try sample()) }
        case .watchMotion: watchMotion()
        }
    }

    private func answer(_ work: () throws(SensorFailure) -> SensorEvent) -> SensorEvent {
        do throws(SensorFailure) { return try work() } catch { return error.event }
    }

    // MARK: Orders

    private func find() throws(SensorFailure) -> FoundSensors {
        try overBus { bus throws(SensorFailure) in
            try beginUnit(over: &bus)
            try addMagnetometer(over: &bus)
            return FoundSensors(sensors, bus: bus.name)
        }
    }

    private func sample() throws(SensorFailure) -> CompassSample {
        try overBus { bus throws(SensorFailure) in
            do throws(ChipError) {
                if let sample = try unit?.sample(over: &bus, at: now) { return sample }
            } catch {
                throw .chip(error)
            }
            throw .unknown
        }
    }

    private func watchMotion() -> SensorEvent {
        do throws(SensorFailure) {
            return try overBus { bus throws(SensorFailure) in
                if unit == nil { try beginUnit(over: &bus) } else { try watch(over: &bus) }
                var found = sensors
                found.magnetometer = nil
                return .watching(FoundSensors(found, bus: bus.name))
            }
        } catch {
            return .notWatching(error.description)
        }
    }

    // MARK: The unit

    /// Finds the accelerometer and puts it to sleep or sets it up to sense motion, even if no magnetometer is found
    /// later.
    private func beginUnit(over bus: inout Bus) throws(SensorFailure) {
        unit = nil
        unit = CompassUnit(magnetometer: nil, accelerometer: try findAccelerometer(over: &bus))
        try watch(over: &bus)
    }

    private func watch(over bus: inout Bus) throws(SensorFailure) {
        do { try unit?.watchMotion(sensors.motion, over: &bus) } catch { throw .chip(error) }
    }

    private func addMagnetometer(over bus: inout Bus) throws(SensorFailure) {
        unit?.use(try findMagnetometer(over: &bus))
        do { try unit?.configure(over: &bus) } catch { throw .chip(error) }
    }

    // MARK: Chips and bus

    private func findMagnetometer(over bus: inout Bus) throws(SensorFailure) -> (any MagnetometerDriver)? {
        guard let chip = sensors.magnetometer else { return nil }
        let found: [any MagnetometerDriver]
        let search = MagnetometerSearch(model: chip.model, address: chip.address, polarity: sensors.polarity)
        do {
            found = try search.run(over: &bus)
        } catch {
            throw .search(error)
        }
        guard found.count == 1 else {
            throw .several(kind: "magnetometer", found.map { ($0.model.rawValue, $0.address) }, bus: bus.name)
        }
        sensors.magnetometer?.model = found[0].model
        sensors.magnetometer?.address = found[0].address
        return found[0]
    }

    private func findAccelerometer(over bus: inout Bus) throws(SensorFailure) -> (any AccelerometerDriver)? {
        guard let chip = sensors.accelerometer else { return nil }
        let found: [any AccelerometerDriver]
        do {
            found = try AccelerometerSearch(model: chip.model, address: chip.address).run(over: &bus)
        } catch {
            throw .search(error)
        }
        guard found.count == 1 else {
            throw .several(kind: "accelerometer", found.map { ($0.model.rawValue, $0.address) }, bus: bus.name)
        }
        sensors.accelerometer?.model = found[0].model
        sensors.accelerometer?.address = found[0].address
        return found[0]
    }

    /// Lends the bus to a closure; opens the bus first if necessary.
    private func overBus<Result>(
        _ body: (inout Bus) throws(SensorFailure) -> Result
    ) throws(SensorFailure) -> Result {
        var held = try takeBus()
        do throws(SensorFailure) {
            let result = try body(&held)
            bus = consume held
            return result
        } catch {
            bus = consume held
            throw error
        }
    }

    private func takeBus() throws(SensorFailure) -> Bus {
        if let held = bus.take() { return held }
        do { return try open() } catch { throw .chip(.bus(error)) }
    }
}

/// The reason why an order for the sensors could not be carried out.
private enum SensorFailure: Error {
    case chip(ChipError)
    case search(ChipSearchError)
    /// Several chips of one kind answer, so it is unknown for which of them the board's file gives the mounting.
    case several(kind: String, [(model: String, address: I2CAddress)], bus: String)
    /// The sensors were not found yet, or the board has none that can measure.
    case unknown

    var event: SensorEvent {
        switch self {
        case .search(.nobodyAnswers): .absent(description)
        case .chip, .search, .several, .unknown: .failed(description)
        }
    }

    var description: String {
        switch self {
        case .chip(let error): error.description
        case .search(let error): error.description
        case .several(let kind, let found, let bus):
            "\(bus): more than one \(kind) answers, "
                + found.map { "\($0.model) at \($0.address)" }.joined(separator: " and ")
                + "; give \(kind).model and \(kind).address of the one to use in the board file"
        case .unknown: "the sensors were not found yet; see the log for why"
        }
    }
}

extension FoundSensors {
    /// Describes the sensors of a board's file without a search for them; a chip whose model or address is unknown is
    /// left out.
    fileprivate init(_ sensors: BoardSensors, bus: String) {
        self.init(
            bus: bus, magnetometer: sensors.magnetometer.flatMap { FoundChip($0) },
            accelerometer: sensors.accelerometer.flatMap { FoundChip($0) })
    }
}

extension FoundChip {
    /// Makes the description of a found chip; nil if its model or address is not known yet.
    fileprivate init?<Model: RawRepresentable<String>>(_ chip: BoardChip<Model>) {
        guard let model = chip.model, let address = chip.address else { return nil }
        self.init(model: model.rawValue, address: address)
    }
}
