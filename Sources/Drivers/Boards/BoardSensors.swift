public import Accelerometers
public import Hardware
public import Magnetism
public import Magnetometers

/// The sensors on an I2C bus of the host, at least one.
public struct BoardSensors: Sendable, Equatable {
    /// The bus of all sensors: its device node, or the name that its driver gives it.
    public var bus: String
    public var magnetometer: BoardChip<MagnetometerModel>?
    /// The kind of pulse (set or reset) after which the magnetometer's bridges are aligned as in the package's drawing;
    /// nil for the driver's default.
    ///
    /// Only some models have such bridges.
    public var polarity: SetResetPolarity?
    public var accelerometer: BoardChip<AccelerometerModel>?
    /// The threshold at which the accelerometer's interrupt signals motion.
    ///
    /// Nil where it signals none, or another program configures it.
    public var motion: MotionThreshold?

    public init(
        bus: String, magnetometer: BoardChip<MagnetometerModel>?, polarity: SetResetPolarity? = nil,
        accelerometer: BoardChip<AccelerometerModel>?, motion: MotionThreshold? = nil
    ) {
        self.bus = bus
        self.magnetometer = magnetometer
        self.polarity = polarity
        self.accelerometer = accelerometer
        self.motion = motion
    }
}

/// A sensor on a board.
public struct BoardChip<Model: Sendable & Hashable>: Sendable, Hashable {
    /// The model that the board file names; nil to find any model.
    public var model: Model?
    /// The address that the board file gives; nil to search all possible addresses.
    public var address: I2CAddress?
    public var mounting: Mounting

    public init(model: Model?, address: I2CAddress?, mounting: Mounting) {
        self.model = model
        self.address = address
        self.mounting = mounting
    }
}
