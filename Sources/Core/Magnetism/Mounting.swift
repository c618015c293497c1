internal import SextantUnits

/// The direction on the board in which an axis of a chip points; forward is the device's top side, up is out of its
/// face.
public enum DeviceDirection: String, Sendable, Hashable, CaseIterable {
    case right
    case left
    case forward
    case backward
    case up
    case down

    /// The direction as a vector in the device's frame: x to the right, y forward, z up.
    var vector: SIMD3<Double> {
        switch self {
        case .right: SIMD3(1, 0, 0)
        case .left: SIMD3(-1, 0, 0)
        case .forward: SIMD3(0, 1, 0)
        case .backward: SIMD3(0, -1, 0)
        case .up: SIMD3(0, 0, 1)
        case .down: SIMD3(0, 0, -1)
        }
    }
}

/// How a chip sits on its board: the rotation from the chip's frame to the device's.
///
/// It is one of the 24 right-angled rotations, given by the directions of the chip's x and y axes, plus an optional
/// `turn`. The z axis follows, because the frame is right-handed. Mirrored axes are corrected by the chip's driver.
public struct Mounting: Sendable, Hashable {
    /// Where the chip's x axis points.
    public let x: DeviceDirection
    /// Where the chip's y axis points.
    public let y: DeviceDirection
    /// The additional turn of the chip, clockwise as seen from above.
    ///
    /// Unit: degrees.
    public let turn: Double
    private let rotation: Matrix3

    /// The mounting in which the chip's axes are parallel to the device's.
    public static let aligned = Mounting(unchecked: .right, .forward, turn: 0)

    /// - Parameter turn: An additional rotation in degrees, clockwise as seen from above, for a chip that is soldered
    ///   askew.
    public init(x: DeviceDirection, y: DeviceDirection, turn: Double = 0) throws(MountingError) {
        guard (x.vector * y.vector).sum() == 0 else { throw .notPerpendicular(x: x, y: y) }
        guard abs(turn) <= 180 else { throw .turnOutOfRange(turn) }
        self.init(unchecked: x, y, turn: turn)
    }

    private init(unchecked x: DeviceDirection, _ y: DeviceDirection, turn: Double) {
        (self.x, self.y, self.turn) = (x, y, turn)
        let (sine, cosine) = Trigonometry.sineAndCosine(turn / Trigonometry.degreesPerRadian)
        let clockwise = Matrix3(columns: SIMD3(cosine, -sine, 0), SIMD3(sine, cosine, 0), SIMD3(0, 0, 1))
        rotation = clockwise * Matrix3(columns: x.vector, y.vector, x.vector.cross(y.vector))
    }

    /// Turns a vector from the chip's frame to the device's: x to the right, y forward, z up.
    public func deviceFrame(_ vector: SIMD3<Double>) -> SIMD3<Double> { rotation * vector }

    /// Turns a vector from the device's frame to the chip's.
    public func chipFrame(_ vector: SIMD3<Double>) -> SIMD3<Double> { rotation.transpose * vector }
}

/// Why a mounting is impossible.
public enum MountingError: Error, Sendable, Hashable {
    case notPerpendicular(x: DeviceDirection, y: DeviceDirection)
    /// The turn, in degrees, is outside -180 to 180.
    case turnOutOfRange(Double)
}

extension MountingError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notPerpendicular(let x, let y):
            "the chip's x axis cannot point \(x.rawValue) while its y axis points \(y.rawValue): they must be at a right "
                + "angle; look at the axes in the data sheet's drawing"
        case .turnOutOfRange(let turn): "a chip cannot be turned by \(turn) degrees: give -180 to 180"
        }
    }
}
