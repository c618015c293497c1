internal import SextantUnits

struct UpDirection: Sendable {
    /// The direction up, in the device's frame, of length 1.
    var vector: SIMD3<Double>
    /// The standard deviation of the direction, as an angle about any horizontal axis; degrees.
    var deviation: Double

    /// The angle between the upward direction and `axis`, a vector of length 1 in the device's frame; degrees.
    func lean(from axis: SIMD3<Double>) -> Double {
        90 - Trigonometry.arcsine(vector.dot(axis)) * Trigonometry.degreesPerRadian
    }
}

/// Estimates the upward direction from the accelerometer, and its uncertainty while the board moves.
///
/// An accelerometer cannot distinguish gravity from the force of a movement. A short average removes vibrations. How
/// much the force has varied lately, as in curves or in braking, tells how wrong the upward direction can be. A tilt of
/// the board makes the force vary too, but can be told apart: a force that leans because of a movement is also
/// stronger, by the secant of the angle, and a force that leans because of a tilt is not.
struct UpFilter: Sendable {
    /// The force averaged over 0.3 s; m/s², nil before the first sample.
    private var force: SIMD3<Double>?
    /// The average difference between the samples and the averaged force, in m/s²: small under vibrations, large while
    /// the board is being tilted.
    private var behind = SIMD3<Double>()
    private var slowForce = SIMD3<Double>()
    /// The average of the force's norm over 8 s, which is near 9.8 apart from the chip's own errors; m/s².
    private var slowNorm = 0.0
    /// The mean square of the difference between the force averaged over 0.3 s and that averaged over 8 s; (m/s²)².
    private var wandered = UpFilter.unknownWandering
    /// The seconds of samples that the slow averages cover, at most their time constant.
    private var age = 0.0
    /// Seconds since the force was last about 1 g.
    private var sinceStill = 0.0

    var hasBegun: Bool { force != nil }

    /// The direction up; nil if there was no force of about 1 g for too long.
    var up: UpDirection? {
        guard sinceStill <= UpFilter.maximumUpAgeSeconds, let vector = force?.direction else { return nil }
        return UpDirection(vector: vector, deviation: deviation)
    }

    private var deviation: Double {
        let perForce = Trigonometry.degreesPerRadian / Gravity.standard
        let moved = (wandered / 2 + behind.dot(behind)).squareRoot() * perForce
        let drifted = UpFilter.driftRate * sinceStill
        let squares = UpFilter.ownDeviation * UpFilter.ownDeviation + moved * moved + drifted * drifted
        return (squares + steadyLean * steadyLean).squareRoot()
    }

    /// The error of the upward direction in degrees that a force of persistently more than 1 g can hide, as in a long
    /// curve.
    private var steadyLean: Double {
        let excess = slowNorm / Gravity.standard - UpFilter.strongest
        return excess > 0 ? (2 * excess).squareRoot() * Trigonometry.degreesPerRadian : 0
    }

    /// The standard deviation of the upward direction in degrees that a chip's own offset causes: 20 mg, common among
    /// the chips in use.
    private static let ownDeviation = 1.2
    /// The largest averaged norm, in g, that the error of a chip's own scale can explain.
    private static let strongest = 1.05
