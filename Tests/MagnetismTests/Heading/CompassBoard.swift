import Magnetism
import SextantUnits

/// Random numbers, the same ones every time.
struct HeadingChance {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1) }

    /// From 0 up to 1.
    mutating func uniform() -> Double { random.nextUnit() }

    mutating func uniform(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + uniform() * (range.upperBound - range.lowerBound)
    }

    mutating func normal() -> Double {
        let radius = (-2 * Logarithm.natural(max(1e-300, uniform()))).squareRoot()
        return radius * Trigonometry.sineAndCosine(2 * .pi * uniform()).cosine
    }

    /// A normal number on each axis.
    mutating func vector() -> SIMD3<Double> { SIMD3(normal(), normal(), normal()) }
}

/// How a board lies: degrees.
struct Attitude {
    /// From magnetic north, of the front.
    var heading = 0.0
    /// The front up.
    var pitch = 0.0
    /// The right side down.
    var roll = 0.0

    /// A vector of east, (magnetic) north and up in the device's frame.
    func deviceFrame(_ vector: SIMD3<Double>) -> SIMD3<Double> {
        let (sh, ch) = Trigonometry.sineAndCosine(heading / Trigonometry.degreesPerRadian)
        let (sp, cp) = Trigonometry.sineAndCosine(pitch / Trigonometry.degreesPerRadian)
        let (sr, cr) = Trigonometry.sineAndCosine(roll / Trigonometry.degreesPerRadian)
        let right = SIMD3(ch, -sh, 0)
        let front = SIMD3(sh * cp, ch * cp, sp)
        let top = SIMD3(-sh * sp, -ch * sp, cp)
        let (rolledRight, rolledTop) = (cr * right - sr * top, cr * top + sr * right)
        return SIMD3((rolledRight * vector).sum(), (front * vector).sum(), (rolledTop * vector).sum())
    }
}

/// A board with a compass whose chips, calibration and surroundings are not perfect.
struct CompassBoard {
    var chance: HeadingChance
    /// East, magnetic north, up; µT.
    var earth: SIMD3<Double>
    /// Of iron and currents near by, in the same frame; µT.
    var disturbance = SIMD3<Double>.zero
    /// Of the board over ground, in the same frame; m/s².
    var movement = SIMD3<Double>.zero
    /// One standard deviation on each axis; µT and m/s².
    var fieldNoise = 0.5
    var forceNoise = 0.03
    var forceOffset = SIMD3<Double>.zero
    var hasAccelerometer = true
    var calibration: CompassCalibration
    let model: GeomagneticField
    /// Of the board itself, in its own frame; µT.
    var hardIron: SIMD3<Double>

    static let inclination = 64.0
    static let norm = 48.0
    static let declination = 4.0

    /// - Parameter calibrationDeviation: What the calibration leaves of the hard iron on each axis; µT.
    init(seed: UInt64, calibrationDeviation: Double = 0, reach: CompassCalibration.Reach = .spatial) {
        chance = HeadingChance(seed: seed)
        let (sine, cosine) = Trigonometry.sineAndCosine(Self.inclination / Trigonometry.degreesPerRadian)
        earth = SIMD3(0, Self.norm * cosine, -Self.norm * sine)
        hardIron = 40 * chance.vector()
        let byOffset = calibrationDeviation / (Self.norm * cosine) * Trigonometry.degreesPerRadian
        calibration = CompassCalibration(
            reach: reach, offset: hardIron + calibrationDeviation * chance.vector(), matrix: .identity,
            norm: reach == .spatial ? Self.norm : Self.norm * cosine,
            residual: (0.25 + calibrationDeviation * calibrationDeviation).squareRoot(),
            levelHeadingError: byOffset, tiltedHeadingError: byOffset)
        let turn = Trigonometry.sineAndCosine(Self.declination / Trigonometry.degreesPerRadian)
        let horizontal = 1000 * Self.norm * cosine
        model = GeomagneticField(
            north: horizontal * turn.cosine, east: horizontal * turn.sine, down: 1000 * Self.norm * sine)
    }

    mutating func sample(_ attitude: Attitude, at seconds: Double) -> CompassSample {
        let gravity = SIMD3(0, 0, 9.80665)
        let force = attitude.deviceFrame(gravity + movement) + forceOffset + forceNoise * chance.vector()
        return CompassSample(
            instant: MonotonicInstant(nanoseconds: Int64(seconds * 1e9)),
            field: attitude.deviceFrame(earth + disturbance) + hardIron + fieldNoise * chance.vector(),
            acceleration: hasAccelerometer ? force : nil)
    }

    /// What the estimator tells in the end of a board that lies still.
    mutating func settled(
        _ attitude: Attitude, seconds: Double = 3, isCalibrated: Bool = true, knowsPlace: Bool = true
    ) -> CompassHeading {
        var estimator = HeadingEstimator()
        var heading = estimator.update(
            sample(attitude, at: 0), calibration: isCalibrated ? calibration : nil, model: knowsPlace ? model : nil)
        for step in 1...Int(seconds * 10) {
            heading = estimator.update(
                sample(attitude, at: Double(step) / 10), calibration: isCalibrated ? calibration : nil,
                model: knowsPlace ? model : nil)
        }
        return heading
    }
}

/// Degrees from one heading to another, -180 to 180.
func headingDifference(_ heading: Double, _ other: Double) -> Double {
    (heading - other).remainder(dividingBy: 360)
}
