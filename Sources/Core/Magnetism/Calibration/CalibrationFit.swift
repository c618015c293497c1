internal import SextantUnits

/// A calibration that was computed from samples of a turned board, with measures of its quality.
public struct CalibrationFit: Sendable {
    /// What a fit needs to know besides the samples.
    public struct Setting: Sendable {
        /// The world model's field where the samples were taken.
        public var earth: EarthField?
        /// How the chip sits in the device, from which the fit knows the device's roll axis in the chip's frame.
        public var mounting: Mounting

        public init(earth: EarthField? = nil, mounting: Mounting = .aligned) {
            self.earth = earth
            self.mounting = mounting
        }
    }

    public var calibration: CompassCalibration
    /// How well the directions of the calibrated samples cover the sphere of all directions.
    public var coverage: SphereCoverage
    /// The difference of each sample's calibrated norm from `calibration.norm`; microtesla, in the samples' order.
    public var residuals: [Double]
    /// Whether each sample was rejected as an outlier, in the samples' order.
    public var isOutlier: [Bool]
    /// The standard deviation of one sample's noise, estimated from the residuals; microtesla.
    public var noise: Double
    /// Whether the fit used the upward directions that the accelerometer gave.
    public var usesGravity: Bool
    /// The dip of the field in degrees, fitted as one value for all samples; nil if the fit did not use gravity.
    public var inclination: Double?
    /// The angle in degrees by which the accelerometer's frame is rotated from the magnetometer's; 0 if no rotation was
    /// found.
    public var turn: Double
    /// The standard deviation of the calibrated directions (vectors of length 1) along the axis where it is smallest:
    /// 0.58 if they fill the sphere, 0 if they lie in a plane.
    public var minimumSpread: Double

    /// The limits for samples and calibrations; `CalibrationRefusal` has a case for each limit that can be broken.
    enum Limit {
        static let fewest = 12
        /// The smallest ratio of the samples' second largest standard deviation to their largest, along their principal
        /// axes.
        ///
        /// Samples with a smaller ratio, as from a fortieth of a turn, count as a line.
        static let lineRatio = 0.05
        /// If the samples' values on an axis span more than this many microtesla, a smallest or largest value that
        /// repeats counts as the end of the chip's range.
        static let movedRange = 20.0
        /// The smallest accepted standard deviation of the samples along the axis where they vary most; microtesla.
        ///
        /// A turn of some degrees gives more, even in the weakest horizontal field.
        static let minimumSpread = 1.5
        /// The largest accepted share of samples at the end of the chip's range.
        static let saturatedShare = 0.08
        static let outlierShare = 0.25
        /// The largest accepted root mean square residual as a share of the norm: a chip with 1.5 µT of noise passes, a
        /// chip beside a motor does not.
        static let residualShare = 0.06
        /// The largest accepted root mean square residual of a planar fit as a share of the norm; it is larger than for
        /// a spatial fit, because tilts add to the residual.
        static let planarResidualShare = 0.2
        /// The acceptable norms of the field; microtesla.
        static let norm = 15.0...75.0
        /// The acceptable norms as a share of the world model's norm: soft iron changes the norm by less than this, a
        /// chip with a wrong scale by about a quarter.
        static let normRatio = 0.8...1.2
        /// The largest accepted heading error of a level board; degrees, root mean square.
        static let error = 10.0
        /// The limits of a spatial calibration: `tiltedError` is the largest heading error at 25° of roll, in degrees;
        /// `coverage` is the smallest share of the sphere's sections that must hold samples; `spread` is the smallest
        /// `minimumSpread` of the fit.
        static let tiltedError = 3.0
        static let coverage = 0.25
        static let spread = 0.1
        /// The largest standard deviation of the fitted sphere's radius, as a share of the radius: if the directions
        /// cover only a small cap, many spheres fit equally well.
        static let radiusDeviation = 0.05
        /// The largest accepted ratio of the longest to the shortest axis of the ellipsoid that soft iron makes of a
        /// sphere.
        static let axisRatio = 2.0
        /// The smallest number of sectors, of the twelve of a full turn, that must hold samples for a planar fit.
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

    /// The reason to refuse the calibration, if its samples disagree or its heading is too uncertain; nil if it is
    /// good.
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
