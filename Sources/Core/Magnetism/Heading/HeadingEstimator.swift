internal import SextantUnits

/// Turns samples of the magnetometer and the accelerometer into headings with their accuracy.
///
/// It does no input or output: the time comes from the samples. Tilt is removed by vector products of field and
/// gravity, so no attitude is singular. Every known error goes into the heading's accuracy (`HeadingErrors`); where
/// there is no heading, the reason is given.
///
/// Noise is averaged over 0.5 s, at any rate of samples, while a turn is followed at once (`NorthFilter`).
public struct HeadingEstimator: Sendable {
    private let magnetometer: Mounting
    private let accelerometer: Mounting
    private var upFilter = UpFilter()
    private var watch = FieldWatch()
    private var memory = DipMemory()
    private var calibration: CompassCalibration?
    private var northFilter = NorthFilter()
    private var frontLimits = FrontLimits()
    /// Whether the board leans too far from the attitude in which its planar calibration was made.
    private var leansTooFar = false
    private var last: MonotonicInstant?

    /// The standard deviation, in degrees, that is assumed for the tilt of a device without an accelerometer, mounted
    /// level in a vehicle.
    private static let assumedTilt = 5.0
    /// The largest lean in degrees from the attitude of calibration at which a planar calibration holds.
    private static let planarReach = 10.0
    /// The horizontal field in µT below which there is no heading; it detects a blackout zone without a known position.
    private static let weakest = 2.0

    /// - Parameters:
    ///   - magnetometer: How the magnetometer sits in the device.
    ///   - accelerometer: How the accelerometer sits in the device.
    public init(magnetometer: Mounting = .aligned, accelerometer: Mounting = .aligned) {
        self.magnetometer = magnetometer
        self.accelerometer = accelerometer
    }

    /// The heading in portrait orientation, from this sample and those before it.
    ///
    /// - Parameters:
    ///   - calibration: The calibration of the magnetometer; nil while there is none.
    ///   - model: The Earth's field at the device's position; nil where the position is not known.
    public mutating func update(
        _ sample: CompassSample, calibration: CompassCalibration?, model: GeomagneticField?
    ) -> CompassHeading {
        let seconds = last.map { max(0, Double(sample.instant.nanoseconds(since: $0)) / 1e9) } ?? 0
        last = sample.instant
        let field = magnetometer.deviceFrame(calibration?.apply(to: sample.field) ?? sample.field)
        let upright = upright(calibration)
        let up = up(sample, upright: upright, seconds: seconds)
        guard !sample.isSaturated, field.norm.isFinite else { return none(.saturated, sample, field) }
        guard let up else { return none(sample.acceleration == nil ? .tiltUnknown : .accelerating, sample, field) }
        guard let calibration else {
            let view = FieldView(field, up: up.vector)
            return none(.uncalibrated, sample, field, view.map { CompassAttitude($0, deviation: 180, up) })
        }
        guard let view = FieldView(field, up: up.vector), view.horizontal >= HeadingEstimator.weakest,
            model?.compassZone != .blackout
        else { return none(.blackout, sample, field) }
        let lean = up.lean(from: upright)
        observe(view, norm: field.norm, up, lean: lean, calibration, model, seconds: seconds)
        var attitude = attitude(view, up, lean: lean, calibration, seconds: seconds)
        attitude.judge(after: frontLimits)
        frontLimits = attitude.limits
        leansTooFar =
            calibration.reach == .planar
            && Hysteresis.exceeds(lean, HeadingEstimator.planarReach, did: leansTooFar)
        if let problem { return none(problem, sample, field, attitude) }
        var heading = CompassHeading(instant: sample.instant, field: field, attitude: attitude, problem: nil)
        if let model, model.uncertainty != nil { heading.declination = model.declination }
        return heading
    }

    /// The upward direction in the device's frame while the calibration was made.
    private func upright(_ calibration: CompassCalibration?) -> SIMD3<Double> {
        guard let calibration, calibration.reach == .planar else { return SIMD3(0, 0, 1) }
        return calibration.axis.flatMap { magnetometer.deviceFrame($0).direction } ?? SIMD3(0, 0, 1)
    }

    /// The upward direction; nil where it cannot be determined.
    ///
    /// - Parameter upright: The upward direction that is assumed if no accelerometer ever gave one.
    private mutating func up(
        _ sample: CompassSample, upright: SIMD3<Double>, seconds: Double
    ) -> UpDirection? {
        if let force = sample.acceleration {
            upFilter.update(accelerometer.deviceFrame(force), seconds: seconds)
        } else if upFilter.hasBegun {
            // The board is not assumed to be level after the accelerometer fails, because it can have been tilted.
            upFilter.miss(seconds: seconds)
        } else {
            return UpDirection(vector: upright, deviation: HeadingEstimator.assumedTilt)
        }
        return upFilter.up
    }

    /// Compares the measured field with the expected one, to detect a disturbance.
    private mutating func observe(
        _ view: FieldView, norm: Double, _ up: UpDirection, lean: Double, _ calibration: CompassCalibration,
        _ model: GeomagneticField?, seconds: Double
    ) {
        if calibration != self.calibration {
            (self.calibration, watch, memory, leansTooFar) = (calibration, FieldWatch(), DipMemory(), false)
        }
        let expected = ExpectedField(calibration, model, lean: lean, up: up, memory: memory.inclination)
        watch.update(norm: norm, inclination: view.inclination, expected: expected, seconds: seconds)
        memory.update(view.inclination, isDisturbed: watch.isDisturbed, seconds: seconds)
        // Under a planar calibration the dip is not measured, so a change of the dip has no meaning.
        if calibration.reach == .planar || (model?.validity == .valid && !watch.isDisturbed) { memory.confirm() }
    }

    /// The board's attitude, with the standard deviation that results from all known errors.
    private mutating func attitude(
        _ view: FieldView, _ up: UpDirection, lean: Double, _ calibration: CompassCalibration, seconds: Double
    ) -> CompassAttitude {
        let noise = calibration.residual / view.horizontal
        let north = northFilter.update(view.north, up: view.up, noise: noise, seconds: seconds)
        var errors = HeadingErrors()
        errors.calibration = HeadingErrors.calibrationError(calibration, lean: lean, up)
        errors.noise = noise * northFilter.noiseFactor * Trigonometry.degreesPerRadian
        errors.tilt = up.deviation * view.tiltLeverage
        errors.disturbance = watch.remaining / view.horizontal * Trigonometry.degreesPerRadian
        // A disturbing field that stayed shows only as the change of the dip; its horizontal component, which rotates
        // the heading, is estimated from that change.
        errors.stayed = FieldWatch.spreadOfOne * memory.shift(view.inclination) * view.normRatio
        errors.lag = northFilter.lag * Trigonometry.degreesPerRadian
        return CompassAttitude(
            up: view.up, north: north, deviation: errors.deviation, tiltDeviation: up.deviation)
    }

    private var problem: HeadingProblem? {
        leansTooFar ? .notCalibratedForThisTilt : watch.isDisturbed ? .disturbed : nil
    }

    /// Returns a result without a heading, and makes the averaging of north start anew.
    private mutating func none(
        _ problem: HeadingProblem, _ sample: CompassSample, _ field: SIMD3<Double>, _ attitude: CompassAttitude? = nil
    ) -> CompassHeading {
        northFilter.restart()
        guard let attitude else { return CompassHeading(instant: sample.instant, field: field, problem: problem) }
        return CompassHeading(instant: sample.instant, field: field, attitude: attitude, problem: problem)
    }
}
