public import Accelerometers
public import Hardware
public import Magnetism
public import Magnetometers

/// The magnetometer, the accelerometer or both, on an I2C bus of the host.
public struct BoardSensors: Sendable, Equatable {
    /// The I2C bus of all sensors: its device node, or the name that its kernel driver gives it.
    public var bus: String
    public var magnetometer: BoardChip<MagnetometerModel>?
    /// The pulse, set or reset, after which the magnetometer's bridges measure in the direction of the package's
    /// drawing; nil for the driver's default.
    ///
    /// Only some models have such bridges.
    public var polarity: SetResetPolarity?
    public var accelerometer: BoardChip<AccelerometerModel>?
    /// The threshold at which the accelerometer's interrupt signals motion.
    ///
    /// Nil if the interrupt is not used, or if another program configures it.
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
    /// The model, if the board file names it; nil to find any model.
    public var model: Model?
    /// The I2C address, if the board file gives it; nil to search all possible addresses.
    public var address: I2CAddress?
    public var mounting: Mounting

    public init(model: Model?, address: I2CAddress?, mounting: Mounting) {
        self.model = model
        self.address = address
        self.mounting = mounting
    }
}
