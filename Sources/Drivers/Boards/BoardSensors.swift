public import Accelerometers
public import Hardware
public import Magnetism
public import Magnetometers

/// The sensors on an I2C bus of the host's; at least one.
public struct BoardSensors: Sendable, Equatable {
    /// The bus of all of them: its device node, or the name that its driver gives it.
    public var bus: String
    public var magnetometer: BoardChip<MagnetometerModel>?
    /// After which pulse the magnetometer's bridges are as drawn, where its model has such; nil for what its driver takes.
    public var polarity: SetResetPolarity?
    public var accelerometer: BoardChip<AccelerometerModel>?
    /// From when on the accelerometer's interrupt tells of motion; nil where it tells nothing, or somebody else has set
    /// it up.
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
    /// Nil for whichever is found.
    public var model: Model?
    /// Nil for wherever it is found.
    public var address: I2CAddress?
    public var mounting: Mounting

    public init(model: Model?, address: I2CAddress?, mounting: Mounting) {
        self.model = model
        self.address = address
        self.mounting = mounting
    }
}
