public import Receivers

/// The draws of the board's parts, checked and in whole nanowatts, so that their sums are exact.
public struct EnergyModel: Sendable, Equatable {
    /// The receiver's draw in each state, in the order of `EnergyLedger.State`; nanowatts.
    let receiver: [UInt64]
    /// Each sensor's draw while it is on; nanowatts.
    let sensors: [UInt64]
    /// The radio's draw while it listens in a scan window; nanowatts, nil where it was not given.
    let radio: UInt64?
    /// The host's draw without its wake-ups; nanowatts.
    let hostIdle: UInt64
    /// The energy of one host wake-up beyond that of idling; nanojoules.
    let hostWake: Int64
    /// The energy of a full battery at the board's 5 V, in watt hours; nil without a battery, or where it was not
    /// given.
    public let batteryWattHours: Double?

    /// The largest draw that is accepted, in milliwatts: 100 W; a larger figure has a wrong unit.
    public static let maximumMilliwatts = 100_000.0
    /// The largest energy of a host wake-up that is accepted, in millijoules.
    public static let maximumWakeMillijoules = 100_000.0
    /// The largest battery that is accepted, in watt hours.
    public static let maximumWattHours = 1_000_000.0
    /// The largest number of sensors that a board can have.
    public static let maximumSensors = 32

    /// Checks the board's figures.
    ///
    /// - Parameters:
    ///   - receiver: The receiver's draws; without a draw for cyclic tracking, the draw for tracking is used.
    ///   - sensors: Each sensor's draw while it is on, milliwatts.
    ///   - radio: The radio's draw while it listens for beacons, milliwatts; nil where it is not known.
    ///   - hostIdle: The host's draw without its wake-ups, milliwatts; more than 0, because battery life is that of the
    ///     whole device.
    ///   - hostWake: What one wake-up of the host costs beyond idling, millijoules.
    public init(
        receiver: PowerDraw, sensors: [Double] = [], radio: Double? = nil, hostIdle: Double?, hostWake: Double?,
        batteryWattHours: Double?
    ) throws(EnergyModelError) {
        guard sensors.count <= EnergyModel.maximumSensors else { throw .tooManySensors(sensors.count) }
        self.receiver = [
            try EnergyModel.nanowatts(receiver.acquiring, .acquiring),
            try EnergyModel.nanowatts(receiver.tracking, .tracking),
            try EnergyModel.nanowatts(receiver.cyclic ?? receiver.tracking, .cyclic),
            try EnergyModel.nanowatts(receiver.softwareSleep, .softwareSleep),
            try EnergyModel.nanowatts(receiver.hardwareSleep, .hardwareSleep),
            0,
        ]
        var drawn: [UInt64] = []
        for (index, draw) in sensors.enumerated() { drawn.append(try EnergyModel.nanowatts(draw, .sensor(index))) }
        self.sensors = drawn
        self.radio = try radio.map { draw throws(EnergyModelError) in try EnergyModel.nanowatts(draw, .radio) }
        self.hostIdle = try EnergyModel.nanowatts(hostIdle, .hostIdle)
        guard self.hostIdle > 0 else { throw .outOfRange(.hostIdle, hostIdle ?? 0) }
        guard let hostWake else { throw .missing(.hostWake) }
        guard hostWake >= 0, hostWake <= EnergyModel.maximumWakeMillijoules else {
            throw .outOfRange(.hostWake, hostWake)
        }
        self.hostWake = Int64((hostWake * 1e6).rounded())
        if let batteryWattHours {
            guard batteryWattHours > 0, batteryWattHours <= EnergyModel.maximumWattHours else {
                throw .outOfRange(.battery, batteryWattHours)
            }
        }
        self.batteryWattHours = batteryWattHours
    }

    private static func nanowatts(_ milliwatts: Double?, _ item: EnergyModelError.Item) throws(EnergyModelError)
        -> UInt64
    {
        guard let milliwatts else { throw .missing(item) }
        // A comparison with NaN is false, so NaN is refused here too.
        guard milliwatts >= 0, milliwatts <= maximumMilliwatts else { throw .outOfRange(item, milliwatts) }
        return UInt64((milliwatts * 1e6).rounded())
    }
}

/// Why a board's figures cannot be used by the energy ledger.
public enum EnergyModelError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The figure that is missing or wrong.
    public enum Item: Sendable, Equatable {
        case acquiring, tracking, cyclic, softwareSleep, hardwareSleep, radio, hostIdle, hostWake, battery
        /// The draw of the sensor with this index in the list.
        case sensor(Int)
    }

    case missing(Item)
    /// The figure is negative, not a number, or so large that its unit must be wrong.
    case outOfRange(Item, Double)
    case tooManySensors(Int)

    public var description: String {
        switch self {
        case .missing(let item):
            "\(item.name) is missing; give it in the board file, measured or from the data sheet"
        case .outOfRange(let item, let value): "\(item.name) is \(value); it must be \(item.range)"
        case .tooManySensors(let count):
            "\(count) sensors are listed; at most \(EnergyModel.maximumSensors) can be accounted for"
        }
    }
}

extension EnergyModelError.Item {
    var name: String {
        switch self {
        case .acquiring: "the receiver's draw while acquiring"
        case .tracking: "the receiver's draw while tracking"
        case .cyclic: "the receiver's draw in cyclic tracking"
        case .softwareSleep: "the receiver's draw in software sleep"
        case .hardwareSleep: "the receiver's draw in hardware sleep"
        case .radio: "the radio's draw while it listens"
        case .hostIdle: "the idle host's draw"
        case .hostWake: "the cost of a host wake-up"
        case .battery: "the battery's capacity"
        case .sensor(let index): "the draw of sensor \(index)"
        }
    }

    var range: String {
        switch self {
        case .hostWake: "0 to \(Int(EnergyModel.maximumWakeMillijoules)) mJ"
        case .battery: "more than 0 and at most \(Int(EnergyModel.maximumWattHours)) Wh"
        case .hostIdle: "more than 0 and at most \(Int(EnergyModel.maximumMilliwatts)) mW"
        default: "0 to \(Int(EnergyModel.maximumMilliwatts)) mW"
        }
    }
}
