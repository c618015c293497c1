public import Beacons
public import Hardware
public import HostSleep
public import Receivers

/// A host, a GNSS receiver and how they are connected, as `boards/NAME/board.json5` gives them.
public struct Board: Sendable, Equatable {
    public var name: String
    public var receiver: BoardReceiver
    public var lines: [LineRole: BoardLine]
    public var backup: BackupSupply
    public var motion: MotionSensor?
    /// The magnetometer and the accelerometer; nil if the board has neither on an I2C bus of the host.
    public var sensors: BoardSensors?
    public var host: HostPower
    /// The model of the host, if the board file names one; nil if the file gives the host's power figures instead.
    public var hostModel: HostModel?
    /// The measured time and energy of a boot and of a shutdown of the host; nil if the board file does not give them.
    public var measuredHostCosts: HostCosts?
    /// The battery's energy in watt hours; nil if the board has no battery, or if its size is not known.
    public var batteryWattHours: Double?
    /// The longest time in seconds for which the receiver is allowed to be off while no motion sensor watches the
    /// board.
    ///
    /// Nil if the board file leaves that to the power policy.
    public var longestUnwatchedRest: Double?
    /// How Bluetooth is used to receive beacons; nil where the board file does not say.
    public var bluetooth: BeaconRadio.Settings?
    /// The switch that cuts and restores the host's own supply; nil where the board has none.
    public var hostSwitch: BoardHostSwitch?

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

    /// The time and energy of a boot and of a shutdown of the host: the measured ones or, if the board file has none,
    /// those assumed for the host's model.
    public var hostCosts: HostCosts {
        measuredHostCosts ?? HostCosts(hostModel, idleMilliwatts: host.idleMilliwatts)
    }
}

/// The GNSS receiver on a board, and how it is connected.
public struct BoardReceiver: Sendable, Equatable {
    public var model: ReceiverModel
    /// The path of the serial device, such as `/dev/ttyAMA0`.
    public var device: String
    /// The baud rate; nil if the daemon must find it.
    public var baud: Int?
    public var supplyVolts: Double
    /// The receiver's power draw: as measured on this board, or typical of the model.
    public var draw: PowerDraw
    /// The times that the receiver's starts take until a fix: as measured on this board, or typical of the model.
    public var startTimes: StartTimes

    /// Makes a receiver of a board.
    ///
    /// - Parameter startTimes: The start times measured on this board; nil for those typical of the model.
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

/// A GPIO line of the host that is wired to a part of the board.
public struct BoardLine: Sendable, Hashable {
    /// The line's name on the host's GPIO chips, such as `GPIO17`, or the chip's label and the line's offset,
    /// `label:offset`; on an emulated board, `unix:PATH#LINE`.
    public var name: String
    /// Whether the line is active at 0 V.
    public var activeLow: Bool
    /// The level that the board's resistor gives the line while no output drives it; nil for inputs.
    public var safe: SafeLevel?
    /// The host's internal resistor that pulls the line, if it is an input.
    public var bias: LineBias

    public init(name: String, activeLow: Bool, safe: SafeLevel?, bias: LineBias) {
        self.name = name
        self.activeLow = activeLow
        self.safe = safe
        self.bias = bias
    }
}

/// The logical level that an output line has while nothing drives it.
public enum SafeLevel: String, Sendable, CaseIterable {
    case inactive
    case active
}

/// The supply that keeps the receiver's clock, ephemeris and configuration while its main supply is off.
public enum BackupSupply: String, Sendable, CaseIterable {
    case none
    /// A cell or a capacitor on the receiver's board, or a supply that is never switched off.
    case battery
    /// A supply that the host switches by a GPIO line.
    case hostLine
}

/// An accelerometer that wakes the host when the board moves.
public struct MotionSensor: Sendable, Equatable {
    public var sensor: String
    /// The sensor's power draw in milliwatts while it watches for motion.
    public var milliwatts: Double

    public init(sensor: String, milliwatts: Double) {
        self.sensor = sensor
        self.milliwatts = milliwatts
    }
}
