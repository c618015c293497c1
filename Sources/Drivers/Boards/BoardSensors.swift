public import Accelerometers
public import Hardware
public import Magnetometers

/// The sensors on an I2C bus of the host's; at least one.
public struct BoardSensors: Sendable, Equatable {
    /// The bus of all of them: its device node, or the name that its driver gives it.
    public var bus: String
    public var magnetometer: BoardChip<MagnetometerModel>?
    public var accelerometer: BoardChip<AccelerometerModel>?
    /// From when on the accelerometer's interrupt tells of motion; nil where it tells nothing, or somebody else has set
    /// it up.
    public var motion: MotionThreshold?

    public init(
        bus: String, magnetometer: BoardChip<MagnetometerModel>?, accelerometer: BoardChip<AccelerometerModel>?,
        motion: MotionThreshold? = nil
    ) {
        self.bus = bus
        self.magnetometer = magnetometer
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
    public var mounting: ChipMounting

    public init(model: Model?, address: I2CAddress?, mounting: ChipMounting) {
        self.model = model
        self.address = address
        self.mounting = mounting
    }
}

/// How a chip sits on its board: where its x and y axes point, as its data sheet draws them.
///
/// The z axis follows, because the frame is right-handed.
public struct ChipMounting: Sendable, Hashable {
    public var x: BoardDirection
    public var y: BoardDirection
    /// By how much the chip is turned besides, clockwise as seen from above.
    ///
    /// Unit: degrees.
    public var turn: Double

    /// Nil unless the axes are at a right angle.
    public init?(x: BoardDirection, y: BoardDirection, turn: Double = 0) {
        guard x.axis != y.axis else { return nil }
        self.x = x
        self.y = y
        self.turn = turn
    }
}

/// Where an axis of a chip points: the board's right, its top as forward, and up out of its face.
public enum BoardDirection: String, Sendable, Hashable, CaseIterable {
    case right
    case left
    case forward
    case backward
    case up
    case down

    fileprivate enum Axis { case sideways, lengthways, upright }

    fileprivate var axis: Axis {
        switch self {
        case .right, .left: .sideways
        case .forward, .backward: .lengthways
        case .up, .down: .upright
        }
    }
}
