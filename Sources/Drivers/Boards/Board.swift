public import Hardware
public import Receivers

/// A host, a receiver, and what lies between them: what `boards/NAME/board.json5` says.
public struct Board: Sendable, Equatable {
    public var name: String
    public var receiver: BoardReceiver
    public var lines: [LineRole: BoardLine]
    public var backup: BackupSupply
    public var motion: MotionSensor?
    /// The magnetometer and the accelerometer; nil where the board has neither on a bus of the host's.
    public var sensors: BoardSensors?
    public var host: HostPower
    /// The host that the board's file names; nil where it gives figures instead.
    public var hostModel: HostModel?
    /// Unit: watt hours; nil where there is no battery, or an unknown one.
    public var batteryWattHours: Double?
    /// Seconds for which the receiver may be off while no motion sensor watches the board's rest; nil where the file
    /// leaves that to the power policy.
    public var longestUnwatchedRest: Double?

    public init(
        name: String, receiver: BoardReceiver, lines: [LineRole: BoardLine], backup: BackupSupply,
        motion: MotionSensor?, sensors: BoardSensors? = nil, host: HostPower, hostModel: HostModel? = nil,
        batteryWattHours: Double?
    ) {
        self.name = name
        self.receiver = receiver
        self.lines = lines
        self.backup = backup
        self.motion = motion
        self.sensors = sensors
        self.host = host
        self.hostModel = hostModel
        self.batteryWattHours = batteryWattHours
    }
}

/// The receiver on a board, and how it is connected.
public struct BoardReceiver: Sendable, Equatable {
    public var model: ReceiverModel
    /// The UART's path.
    public var device: String
    /// Bits per second; nil to find the rate.
    public var baud: Int?
    public var supplyVolts: Double
    /// As measured on this board, or the model's typical one.
    public var draw: PowerDraw
    /// As measured on this board, or the model's usual ones.
    public var startTimes: StartTimes

    /// - Parameter startTimes: As measured on this board; nil for the model's.
    public init(
        model: ReceiverModel, device: String, baud: Int?, supplyVolts: Double, draw: PowerDraw,
        startTimes: StartTimes? = nil
    ) {
        self.model = model
        self.device = device
        self.baud = baud
        self.supplyVolts = supplyVolts
        self.draw = draw
        self.startTimes = startTimes ?? model.startTimes
    }
}

/// A line of the host's that is wired to something.
public struct BoardLine: Sendable, Hashable {
    /// The name by which the host's chips know it (`GPIO17`), or `label:offset`; `unix:PATH#LINE` for one of an
    /// emulated board's.
    public var name: String
    /// Whether the line is active at 0 V.
    public var activeLow: Bool
    /// The level that the board's resistor gives the line while it is undriven; nil for inputs.
    public var safe: SafeLevel?
    /// The host's own resistor at an input.
    public var bias: LineBias

    public init(name: String, activeLow: Bool, safe: SafeLevel?, bias: LineBias) {
        self.name = name
        self.activeLow = activeLow
        self.safe = safe
        self.bias = bias
    }
}

/// The logical level of an undriven output.
public enum SafeLevel: String, Sendable, CaseIterable {
    case inactive
    case active
}

/// What keeps the receiver's clock, ephemeris and configuration while its main supply is off.
public enum BackupSupply: String, Sendable, CaseIterable {
    case none
    /// A cell or a capacitor on the receiver's board, or a supply that is always on.
    case battery
    /// A line of the host's.
    case hostLine
}

/// An accelerometer that wakes the host when the board moves.
public struct MotionSensor: Sendable, Equatable {
    public var sensor: String
    /// Unit: milliwatts while it watches.
    public var milliwatts: Double

    public init(sensor: String, milliwatts: Double) {
        self.sensor = sensor
        self.milliwatts = milliwatts
    }
}

extension LineRole {
    /// Its key in a board file.
    public var key: String {
        switch self {
        case .powerEnable: "powerEnable"
        case .backupSupply: "backupSupply"
        case .reset: "reset"
        case .wake: "wake"
        case .pulsePerSecond: "pulsePerSecond"
        case .motionInterrupt: "motionInterrupt"
        case .indicator: "indicator"
        }
    }

    /// Whether the host drives the line.
    public var isOutput: Bool {
        switch self {
        case .powerEnable, .backupSupply, .reset, .wake, .indicator: true
        case .pulsePerSecond, .motionInterrupt: false
        }
    }
}
