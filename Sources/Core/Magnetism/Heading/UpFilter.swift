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
    /// How many seconds of samples have gone into the averages over 8 s, counted up to 8.
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

    /// The error of the upward direction, in degrees, that stays unseen while a force of more than 1 g is steady, as in
    /// a long curve.
    private var steadyLean: Double {
        let excess = slowNorm / Gravity.standard - UpFilter.strongest
        return excess > 0 ? (2 * excess).squareRoot() * Trigonometry.degreesPerRadian : 0
    }

    /// The standard deviation of the upward direction in degrees that a chip's own offset causes: 20 mg, common among
    /// the chips in use.
    private static let ownDeviation = 1.2
    /// The largest averaged norm, in g, that the error of a chip's own scale can explain.
    private static let strongest = 1.05
    /// Seconds after the last force of about 1 g during which the upward direction found by then is still used.
    private static let maximumUpAgeSeconds = 1.0
    /// The rate, in degrees per second, at which the upward direction's error grows while no force is about 1 g.
    private static let driftRate = 10.0
    /// The initial mean square difference between the fast and the slow average of the force; (m/s²)².
    private static let unknownWandering = 0.5
    private static let timeConstant = 0.3
    /// Seconds without forces after which averaging starts anew.
    private static let longestGap = 5.0
    private static let slowTimeConstant = 8.0
    /// A step of the force can count as a tilt only if its square is more than this many times `wandered`, the mean
    /// square of the force's recent variation.
    private static let clearStep = 4.0
    private static let attackTime = 1.0
    /// The lean in degrees up to which the norm cannot distinguish a tilt from a movement, because a movement changes
    /// it by only 1 %.
    private static let smallLean = 8.0

    /// Lets time pass in which there was no usable force.
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
        // In the first seconds the average covers the time since the first sample.
        age = min(UpFilter.slowTimeConstant, age + seconds)
        let weight = SmoothingWeight.weight(seconds: seconds, timeConstant: age)
        slowNorm += weight * (norm - slowNorm)
        if isTilt(now, from: slowForce) {
            slowForce = now
        } else {
            slowForce += weight * (now - slowForce)
            let wandering = now - slowForce
            let square = wandering.dot(wandering)
            // The mean square of the force's variation rises fast when a movement begins, and falls slowly when it is
            // over.
            let attack = SmoothingWeight.weight(seconds: seconds, timeConstant: UpFilter.attackTime)
            wandered += (square > wandered ? max(weight, attack) : weight) * (square - wandered)
        }
    }

    /// Whether the board was tilted since the force was `before`: the force leans without being stronger.
    private func isTilt(_ now: SIMD3<Double>, from before: SIMD3<Double>) -> Bool {
        let cosine = now.dot(before) / (now.norm * before.norm)
        let lean = 90 - Trigonometry.arcsine(cosine) * Trigonometry.degreesPerRadian
        guard lean > UpFilter.smallLean else { return false }
        guard cosine > 0.5 else { return true }
        return now.norm / slowNorm < 1 + (1 / cosine - 1) / 2
    }
}
