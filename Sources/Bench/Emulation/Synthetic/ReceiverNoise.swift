import GNSS
import Glibc
import SextantUnits

/// The errors of a synthetic receiver: position errors drift over about a minute, and velocity errors are independent
/// in each epoch.
struct ReceiverNoise: Sendable {
    /// The standard deviation of a pseudorange error in metres: with a HDOP of 0.6 the horizontal error is 1.5 m (root
    /// mean square).
    static let rangeError = 2.5
    /// The standard deviation of the velocity's error on each axis, in metres per second.
    static let velocityError = 0.05
    private static let correlationSeconds = 60.0

    private var random: SplitMix64
    /// The errors of the position to the east, to the north and upwards, each in units of its standard deviation.
    private var position = (east: 0.0, north: 0.0, up: 0.0)

    private(set) var velocity = VelocityNED(north: 0, east: 0, down: 0)
    /// Nanoseconds by which the receiver's clock deviates from the exact time of the epoch.
    private(set) var clock: Int64 = 0

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        position = (random.nextGaussian(), random.nextGaussian(), random.nextGaussian())
    }

    /// Lets time pass; position errors follow a first-order Gauss-Markov process, whose variance does not depend on the
    /// length of the time step.
    mutating func advance(seconds: Double) {
        let memory = exp(-seconds / Self.correlationSeconds)
        let renewal = (1 - memory * memory).squareRoot()
        position.east = position.east * memory + renewal * random.nextGaussian()
        position.north = position.north * memory + renewal * random.nextGaussian()
        position.up = position.up * memory + renewal * random.nextGaussian()
        velocity = VelocityNED(
            north: Self.velocityError * random.nextGaussian(),
            east: Self.velocityError * random.nextGaussian(),
            down: Self.velocityError * random.nextGaussian()
        )
        clock = Int64((300 * random.nextGaussian()).rounded())
    }

    /// The position's errors to the east, to the north and upwards, in metres, scaled by the dilution of precision; in
    /// a 2D fix the height's standard deviation is 20 m.
    func positionError(_ dilution: DilutionOfPrecision) -> (east: Double, north: Double, up: Double) {
        (
            position.east * Self.rangeError * (dilution.easting ?? 1),
            position.north * Self.rangeError * (dilution.northing ?? 1),
            position.up * Self.verticalSigma(dilution)
        )
    }

    static func verticalSigma(_ dilution: DilutionOfPrecision) -> Double {
        dilution.vertical.map { $0 * rangeError } ?? 20
    }

    /// The radius in metres that holds 68 % of the horizontal errors, if these are equally large on both axes: 1.51
    /// times the standard deviation of one axis.
    static func horizontalAccuracy(_ dilution: DilutionOfPrecision) -> Double {
        1.51 * rangeError * (dilution.horizontal ?? 1) / 2.0.squareRoot()
    }
}
