internal import Units

/// Which way is up, and how sure that is.
struct UpDirection: Sendable {
    /// In the device's frame, of length 1.
    var vector: SIMD3<Double>
    /// One standard deviation about any level axis; degrees.
    var deviation: Double

    /// The angle from an axis of the device, of length 1; degrees.
    func lean(from axis: SIMD3<Double>) -> Double {
        90 - Trigonometry.arcsine(vector.dot(axis)) * Trigonometry.degreesPerRadian
    }
}

/// Which way is up by the accelerometer, and how sure that is while the board is also moved.
///
/// An accelerometer cannot tell gravity from a movement's force. It averages briefly, for vibrations, and looks at how
/// much the force has wandered lately, for what a curve or a brake does: that is how far up may be wrong. The board's
/// being tilted wanders too; but a force that leans by an angle because of a movement is also stronger by the angle's
/// secant, and one of a tilt is not.
struct UpFilter: Sendable {
    /// The averaged force; m/s², nil before the first.
    private var force: SIMD3<Double>?
    /// By how much it is behind the samples on average: nothing for vibrations, much while the board is being tilted.
    private var behind = SIMD3<Double>()
    private var slowForce = SIMD3<Double>()
    /// The norm's slow average, which is near 9.8 but for the chip's own errors.
    private var slowNorm = 0.0
    /// The mean square by which the force wandered; (m/s²)².
    private var wandered = UpFilter.unknownWandering
    /// Seconds that the slow averages are over.
    private var age = 0.0
    /// Seconds since the force was last about 1 g.
    private var sinceStill = 0.0

    /// Whether there ever was a force to tell it.
    var hasBegun: Bool { force != nil }

    /// Nil where it cannot be told.
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

    /// Degrees by which a force that stays too strong may lean: that of a long curve.
    private var steadyLean: Double {
        let excess = slowNorm / Gravity.standard - UpFilter.strongest
        return excess > 0 ? (2 * excess).squareRoot() * Trigonometry.degreesPerRadian : 0
    }

    /// Degrees by which a chip's own offset tilts it: 20 mg, a common one of those in question here.
    private static let ownDeviation = 1.2
    /// In g: a chip's own scale is no worse.
    private static let strongest = 1.05
    /// Seconds for which the last direction up is used on while nothing tells it, and degrees a second it may turn.
    private static let patience = 1.0
    private static let driftRate = 10.0
    /// What a board does of which nothing is known yet; (m/s²)².
    private static let unknownWandering = 0.5
    private static let timeConstant = 0.3
    /// Seconds after which nothing is carried on.
    private static let longestGap = 5.0
    private static let slowTimeConstant = 8.0
    /// How many times the mean square of what it wanders a step's square must be to be no part of that.
    private static let clearStep = 4.0
    private static let attackTime = 1.0
    /// Degrees of lean under which the norm cannot tell a tilt from a movement: 1 % of 1 g.
    private static let smallLean = 8.0

    /// Lets time pass without a force.
    mutating func miss(seconds: Double) { sinceStill += seconds }

    /// Takes a force in, the device's frame, m/s²; `seconds` since the one before.
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
        // In the beginning the average is over what there is.
        age = min(UpFilter.slowTimeConstant, age + seconds)
        let weight = SmoothingWeight.weight(seconds: seconds, timeConstant: age)
        slowNorm += weight * (norm - slowNorm)
        if isTilt(now, from: slowForce) {
            slowForce = now
        } else {
            slowForce += weight * (now - slowForce)
            let wandering = now - slowForce
            let square = wandering.dot(wandering)
            // Soon for a movement that begins, slowly when it is over.
            let attack = SmoothingWeight.weight(seconds: seconds, timeConstant: UpFilter.attackTime)
            wandered += (square > wandered ? max(weight, attack) : weight) * (square - wandered)
        }
    }

    /// Whether the board was tilted since: the force leans without being stronger for it.
    private func isTilt(_ now: SIMD3<Double>, from before: SIMD3<Double>) -> Bool {
        let cosine = now.dot(before) / (now.norm * before.norm)
        let lean = 90 - Trigonometry.arcsine(cosine) * Trigonometry.degreesPerRadian
        guard lean > UpFilter.smallLean else { return false }
        guard cosine > 0.5 else { return true }
        return now.norm / slowNorm < 1 + (1 / cosine - 1) / 2
    }
}
