internal import SextantUnits

/// A calibration computed from samples of a board that was turned, with measures of its quality.
public struct CalibrationFit: Sendable {
    /// Facts that a fit uses beside the samples.
    public struct Setting: Sendable {
        /// The world model's field where the samples were taken.
        public var earth: EarthField?
        /// How the chip sits in the device; this gives the device's roll axis in the chip's frame.
        public var mounting: Mounting

        public init(earth: EarthField? = nil, mounting: Mounting = .aligned) {
            self.earth = earth
            self.mounting = mounting
        }
    }

    public var calibration: CompassCalibration
    /// The parts of the sphere that the calibrated samples' directions cover.
    public var coverage: SphereCoverage
    /// The difference of each sample's calibrated norm from `calibration.norm`; microtesla, in the samples' order.
    public var residuals: [Double]
    /// Whether each sample was rejected as an outlier, in the samples' order.
    public var isOutlier: [Bool]
    /// One standard deviation of a sample's noise, estimated from the residuals; microtesla.
    public var noise: Double
    /// Whether the fit used the accelerometer's directions.
    public var usesGravity: Bool
    /// The field's dip that all samples have in common; degrees, nil where the fit did not use gravity.
    public var inclination: Double?
    /// Degrees by which the accelerometer's frame is turned against the magnetometer's; 0 where no turn was found.
    public var turn: Double
    /// The least standard deviation of the calibrated unit directions along any axis: 0.58 for a full sphere, 0 for a
    /// plane.
    public var minimumSpread: Double

    /// The limits that samples and calibrations must keep; `CalibrationRefusal` names each breach.
    enum Limit {
        static let fewest = 12
        /// The smallest ratio of the samples' spread across an arc to their spread along it; samples with a smaller
        /// ratio, as from a fortieth of a turn, count as a line.
        static let lineRatio = 0.05
        /// If the samples vary by more than this along an axis, in microtesla, equal extreme readings count as the end
        /// of the chip's range.
        static let movedRange = 20.0
        /// The smallest standard deviation of the samples in microtesla; a turn of some degrees gives more, even in the
        /// weakest horizontal field.
        static let minimumSpread = 1.5
        /// The share of samples that may be at the end of the chip's range.
        static let saturatedShare = 0.08
        static let outlierShare = 0.25
        /// The largest residual as a share of the norm: a chip with 1.5 µT of noise passes, a chip beside a motor does
        /// not.
        static let residualShare = 0.06
        /// The largest residual of a planar fit as a share of the norm, where tilts add to the residual.
        static let planarResidualShare = 0.2
        /// The acceptable norms of the field; microtesla.
        static let norm = 15.0...75.0
        /// The acceptable norms as a share of the world model's norm: soft iron changes the norm a little, a chip with
        /// a wrong scale by a quarter.
        static let normRatio = 0.8...1.2
        /// The largest heading error of a level board that is accepted; degrees.
        static let error = 10.0
        /// The limits of a spatial calibration: `tiltedError` is the largest error at 25° of roll, in degrees;
        /// `coverage` is the smallest fraction of sections with samples; `spread` is the smallest `minimumSpread`.
        static let tiltedError = 3.0
        static let coverage = 0.25
        static let spread = 0.1
        /// The largest standard deviation of the fitted sphere's radius, as a share of the radius: if the directions
        /// cover only a small cap, many spheres fit equally well.
        static let radiusDeviation = 0.05
        /// The largest ratio between the axes of the ellipsoid that soft iron makes of a sphere.
        static let axisRatio = 2.0
        /// The smallest number of a turn's twelve sectors that must hold samples for a planar fit.
        static let sectors = 9
    }

    /// - Throws: The reason why the samples give no calibration.
    public init(_ samples: [CalibrationSample], _ setting: Setting = Setting()) throws(CalibrationRefusal) {
        let scatter = try SampleCheck.check(samples)
        if let fit = SpatialFit(samples, setting) {
            let candidate = CalibrationFit(fit, samples, setting)
            if candidate.isSpatial(fit) {
                try CalibrationFit.check(norm: fit.rawNorm, setting.earth)
                if let refusal = candidate.refusal(residualShare: Limit.residualShare) { throw refusal }
                self = candidate
                return
            }
            self = try CalibrationFit.planar(samples, setting, scatter, beside: candidate)
            return
        }
        self = try CalibrationFit.planar(samples, setting, scatter, beside: nil)
    }

    private init(_ fit: SpatialFit, _ samples: [CalibrationSample], _ setting: Setting) {
        let model = fit.refinement.model
        // Without the world model the scale is the chip's own: the matrix gets the determinant 1.
        let size = setting.earth.map { model.radius / $0.norm } ?? Logarithm.cubeRoot(model.shape.determinant)
        let matrix = (1 / size) * model.matrix
        let norm = model.radius / size
        let isOutlier = fit.refinement.weights.map { $0 == 0 }
        let directions = zip(samples, isOutlier).compactMap { sample, isOutlier in
            isOutlier ? nil : model.calibrated(sample.field).direction
        }
        let forecast = HeadingErrorForecast(
            model, covariance: fit.covariance, frame: BodyFrame(setting.mounting),
            dipSine: fit.usesGravity ? model.dipSine : setting.earth.map { Trigonometry.sine(degrees: $0.inclination) })
        residuals = samples.map { (matrix * ($0.field - model.center)).norm - norm }
        self.isOutlier = isOutlier
        noise = fit.refinement.noise
        usesGravity = fit.usesGravity
        inclination = fit.usesGravity ? Trigonometry.degrees(ofSine: model.dipSine) : nil
        turn = Trigonometry.degrees(ofSine: turnVector(model.turn).norm)
        coverage = SphereCoverage(directions)
        minimumSpread = FieldScatter(directions).deviations.x
        calibration = CompassCalibration(
            reach: .spatial, offset: model.center, matrix: matrix, norm: norm,
            residual: rootMeanSquare(residuals, fit.refinement.weights),
            levelHeadingError: forecast.error(roll: 0), tiltedHeadingError: forecast.error(roll: 25))
    }

    public var outlierCount: Int { isOutlier.count { $0 } }

    /// Whether the samples suffice for a calibration that holds in every attitude.
    private func isSpatial(_ fit: SpatialFit) -> Bool {
        let values = fit.refinement.model.shape.eigen.map { $0.value }
        guard fit.radiusDeviation <= Limit.radiusDeviation else { return false }
        return minimumSpread >= Limit.spread && coverage.filledShare >= Limit.coverage
            && calibration.tiltedHeadingError <= Limit.tiltedError && values[2] <= Limit.axisRatio * values[0]
    }

    /// The reason to refuse the calibration because its samples disagree or give too uncertain a heading; nil for no
    /// reason.
    func refusal(residualShare: Double) -> CalibrationRefusal? {
        let count = residuals.count
        if outlierCount > Int(Limit.outlierShare * Double(count)) {
            return .inconsistent(outliers: outlierCount, of: count)
        }
        let (error, limit) = (calibration.levelHeadingError, residualShare * calibration.norm)
        guard calibration.residual <= limit else {
            return .residualTooLarge(residual: calibration.residual, limit: limit)
        }
        return error <= Limit.error ? nil : .tooUncertain(error: error, limit: Limit.error)
    }

    /// - Parameter norm: The field's norm by the chip's own scale; microtesla.
    private static func check(norm: Double, _ earth: EarthField?) throws(CalibrationRefusal) {
        guard Limit.norm.contains(norm) else { throw .impossibleNorm(norm) }
        guard let earth, !Limit.normRatio.contains(norm / earth.norm) else { return }
        throw .normAgainstModel(norm: norm, model: earth.norm)
    }
}
