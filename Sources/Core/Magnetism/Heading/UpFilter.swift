internal import SextantUnits

/// The direction up, with its uncertainty.
struct UpDirection: Sendable {
    /// The direction up, in the device's frame, of length 1.
    var vector: SIMD3<Double>
    /// One standard deviation about any horizontal axis; degrees.
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
/// the board makes the force vary too. But a force that leans because of a movement is also stronger, by the secant of
/// the angle, and a force that leans because of a tilt is not.
struct UpFilter: Sendable {
    /// The averaged force; m/s², nil before the first.
    private var force: SIMD3<Double>?
    /// The mean lag of the averaged force behind the samples: small under vibrations, large while the board is being
    /// tilted.
    private var behind = SIMD3<Double>()
    private var slowForce = SIMD3<Double>()
    /// The slow average of the force's norm, which is near 9.8 apart from the chip's own errors; m/s².
    private var slowNorm = 0.0
    /// The mean square of the force's deviation from its slow average; (m/s²)².
    private var wandered = UpFilter.unknownWandering
    /// The time that the slow averages cover, in seconds.
    private var age = 0.0
    /// Seconds since the force was last about 1 g.
    private var sinceStill = 0.0

    /// Whether a force has ever been taken in.
    var hasBegun: Bool { force != nil }

    /// The direction up; nil where it cannot be told.
    var up: UpDirection? {
        guard sinceStill <= UpFilter.patience, let vector = force?.direction else { return nil }
        return UpDirection(vector: vector, deviation: deviation)
    }

    private var deviation: Double {
        let perForce = Trigonometry.degreesPerRadian / Gravity.standard
        let moved = (wandered / 2 + behind.dot(behind)).squareRoot() * perForce
        let drifted = UpFilter.driftRate * sinceStill
        let squares = UpFilter.ownDeviation * UpFilter.ownDeviation + moved * moved + drifted * drifted
        return (squares + steadyLean * steadyLean).squareRoot()
    }

    /// The lean in degrees that a persistently too strong force can have, as in a long curve.
    private var steadyLean: Double {
        let excess = slowNorm / Gravity.standard - UpFilter.strongest
        return excess > 0 ? (2 * excess).squareRoot() * Trigonometry.degreesPerRadian : 0
    }

    /// Degrees by which a chip's own offset tilts the direction up: 20 mg, common among the chips in use.
    private static let ownDeviation = 1.2
    /// The strongest norm, in g, that the error of a chip's own scale explains.
    private static let strongest = 1.05
    /// Seconds for which the last direction up is used after the last usable force.
    private static let patience = 1.0
    /// Degrees per second by which the direction up is assumed to turn while no force can be used.
    private static let driftRate = 10.0
    /// The mean square deviation assumed before a board's motion is known; (m/s²)².
    private static let unknownWandering = 0.5
    private static let timeConstant = 0.3
    /// Seconds without forces after which averaging starts anew.
    private static let longestGap = 5.0
    private static let slowTimeConstant = 8.0
    /// The square of a force's step must exceed the mean square deviation by this factor to count as a clear step.
    private static let clearStep = 4.0
    private static let attackTime = 1.0
    /// The lean in degrees below which the norm cannot distinguish a tilt from a movement; there the difference is 1 %
    /// of 1 g.
    private static let smallLean = 8.0

    /// Lets time pass without a force.
    mutating func miss(seconds: Double) { sinceStill += seconds }

    /// Takes a force in the device's frame in m/s²; `seconds` is the time since the previous force.
    mutating func update(_ sample: SIMD3<Double>, seconds: Double) {
        let norm = sample.norm
        guard Gravity.explains(norm) else {
            return miss(seconds: seconds)
        }
        sinceStill = 0
        guard let before = force, seconds <= UpFilter.longestGap else {
            (force, slowForce, slowNorm) = (sample, sample, norm)
            (behind, wandered, age) = (.zero, UpFilter.unknownWandering, 0)
            return
        }
        let share = SmoothingWeight.weight(seconds: seconds, timeConstant: UpFilter.timeConstant)
        let step = sample - before
        let isClear = step.dot(step) > UpFilter.clearStep * wandered
        let now = isClear && isTilt(sample, from: before) ? sample : before + share * step
        force = now
        behind += share * (sample - now - behind)
        // In the beginning the average covers the time since the first sample.
        age = min(UpFilter.slowTimeConstant, age + seconds)
        let weight = SmoothingWeight.weight(seconds: seconds, timeConstant: age)
        slowNorm += weight * (norm - slowNorm)
        if isTilt(now, from: slowForce) {
            slowForce = now
        } else {
            slowForce += weight * (now - slowForce)
            let wandering = now - slowForce
            let square = wandering.dot(wandering)
            // The mean square rises fast when a movement begins, and falls slowly when it is over.
            let attack = SmoothingWeight.weight(seconds: seconds, timeConstant: UpFilter.attackTime)
            wandered += (square > wandered ? max(weight, attack) : weight) * (square - wandered)
        }
    }

    /// Whether the board was tilted since `before`: the force leans without being stronger.
    private func isTilt(_ now: SIMD3<Double>, from before: SIMD3<Double>) -> Bool {
        let cosine = now.dot(before) / (now.norm * before.norm)
        let lean = 90 - Trigonometry.arcsine(cosine) * Trigonometry.degreesPerRadian
        guard lean > UpFilter.smallLean else { return false }
        guard cosine > 0.5 else { return true }
        return now.norm / slowNorm < 1 + (1 / cosine - 1) / 2
    }
}
