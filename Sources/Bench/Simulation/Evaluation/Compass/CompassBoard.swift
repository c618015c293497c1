internal import Emulation
internal import Glibc
public import Magnetism
public import SextantUnits

/// A board with magnetic parts that is turned about in the Earth's field.
///
/// It has 40 µT of hard iron in a random direction and 6 % of symmetric soft iron; the field is by default 48 µT strong
/// and dips by 64°. These figures are assumptions.
public struct CompassBoard: Sendable {
    /// How the board is turned while samples are taken.
    public enum Motion: Sendable, Hashable {
        /// The board takes every attitude, all equally likely.
        case everyWay
        /// The board takes every heading, with a roll and a pitch of at most this many degrees in either direction.
        case tilted(Double)
    }

    /// The strength of the Earth's field, in microtesla.
    public var norm = 48.0
    /// The dip of the Earth's field below the horizon, in degrees.
    public var inclination = 64.0
    /// The constant field of the board's magnetised parts in the chip's frame, in microtesla.
    public var hardIron: SIMD3<Double>
    /// The matrix that the board's soft iron applies to the Earth's field.
    public var softIron: Matrix3
    /// The standard deviation of a sample's noise on each axis, in microtesla.
    public var noise: Double
    /// The standard deviation, on each axis, of the error of the direction of gravity that the accelerometer measures,
    /// in radians; it corresponds to 3 mg of noise.
    public var tiltNoise = 0.003

    public init(noise: Double, random: inout SplitMix64) {
        self.noise = noise
        let direction = SIMD3(random.nextGaussian(), random.nextGaussian(), random.nextGaussian())
        hardIron = 40 * direction / (direction * direction).sum().squareRoot()
        let own = SIMD3(random.nextGaussian(), random.nextGaussian(), random.nextGaussian()) * 0.06
        let mixed = SIMD3(random.nextGaussian(), random.nextGaussian(), random.nextGaussian()) * 0.06
        softIron = Matrix3(
            columns: SIMD3(1 + own.x, mixed.x, mixed.y), SIMD3(mixed.x, 1 + own.y, mixed.z),
            SIMD3(mixed.y, mixed.z, 1 + own.z))
    }

    public var earth: EarthField { EarthField(norm: norm, inclination: inclination) }

    /// The field that the chip measures in an attitude, without noise.
    public func raw(_ attitude: CompassAttitude) -> SIMD3<Double> {
        let (sine, cosine) = (sin(inclination * .pi / 180), cos(inclination * .pi / 180))
        return softIron * (norm * (cosine * attitude.north - sine * attitude.up)) + hardIron
    }

    /// Takes `count` samples while the board is turned.
    public func samples(
        _ count: Int, _ motion: Motion, hasGravity: Bool, random: inout SplitMix64
    ) -> [CalibrationSample] {
        (0..<count).map { _ in sample(CompassAttitude(motion, &random), hasGravity: hasGravity, random: &random) }
    }

    /// Takes one sample in an attitude.
    public func sample(
        _ attitude: CompassAttitude, hasGravity: Bool, random: inout SplitMix64
    ) -> CalibrationSample {
        let error = SIMD3(random.nextGaussian(), random.nextGaussian(), random.nextGaussian())
        let tilt = SIMD3(random.nextGaussian(), random.nextGaussian(), random.nextGaussian())
        return CalibrationSample(
            field: raw(attitude) + noise * error,
            acceleration: hasGravity ? 9.80665 * (attitude.up + tiltNoise * tilt) : nil)
    }

    /// The root mean square, over all headings, of the heading error that a calibration leaves if the direction of
    /// gravity is known exactly; degrees.
    ///
    /// - Parameter roll: The board's roll, in degrees.
    public func headingError(_ calibration: CompassCalibration, roll: Double) -> Double {
        let count = 72
        let sum = (0..<count).reduce(0.0) { sum, index in
            let heading = 360 * Double(index) / Double(count)
            let attitude = CompassAttitude(heading: heading, pitch: 0, roll: roll)
            let error = attitude.heading(of: calibration.apply(to: raw(attitude))) - heading
            let turned = error - (error / 360).rounded() * 360
            return sum + turned * turned
        }
        return (sum / Double(count)).squareRoot()
    }
}

/// The attitude of a magnetometer chip: the directions of north, up and east in the chip's frame (x right, y forward, z
/// up).
public struct CompassAttitude: Sendable {
    public var north: SIMD3<Double>
    public var up: SIMD3<Double>

    public init(_ motion: CompassBoard.Motion, _ random: inout SplitMix64) {
        switch motion {
        case .tilted(let most):
            self.init(
                heading: random.next(in: 0...360), pitch: random.next(in: -most...most),
                roll: random.next(in: -most...most))
        case .everyWay:
            // Two normally distributed directions, made perpendicular to each other.
            let first = SIMD3(random.nextGaussian(), random.nextGaussian(), random.nextGaussian())
            let second = SIMD3(random.nextGaussian(), random.nextGaussian(), random.nextGaussian())
            let up = first / (first * first).sum().squareRoot()
            let rest = second - (second * up).sum() * up
            self.init(north: rest / (rest * rest).sum().squareRoot(), up: up)
        }
    }

    /// Turns the chip from north by a heading, then a pitch, then a roll, all in degrees.
    ///
    /// The heading turns clockwise, the pitch raises the nose, and the roll lowers the right side.
    public init(heading: Double, pitch: Double, roll: Double) {
        let (h, p, r) = (heading * .pi / 180, pitch * .pi / 180, roll * .pi / 180)
        func body(_ world: SIMD3<Double>) -> SIMD3<Double> {
            // Converts a vector from the axes east, north, up to the board's axes right, forward, up: undoes the three
            // turns one after the other.
            let right = cos(h) * world.x - sin(h) * world.y
            let forward = sin(h) * world.x + cos(h) * world.y
            let nose = cos(p) * forward + sin(p) * world.z
            let top = cos(p) * world.z - sin(p) * forward
            return SIMD3(cos(r) * right - sin(r) * top, nose, cos(r) * top + sin(r) * right)
        }
        self.init(north: body(SIMD3(0, 1, 0)), up: body(SIMD3(0, 0, 1)))
    }

    private init(north: SIMD3<Double>, up: SIMD3<Double>) {
        self.north = north
        self.up = up
    }

    /// The heading of the chip's y axis computed from a field with the exact direction of gravity, in degrees.
    public func heading(of field: SIMD3<Double>) -> Double {
        func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
            SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
        }
        let east = cross(field, up)
        let north = cross(up, east)
        let degrees = atan2(east.y, north.y) * 180 / .pi
        return degrees < 0 ? degrees + 360 : degrees
    }
}
