internal import Units

/// A calibration worked out from samples of a board that was turned, and what is known of how good it is.
public struct CalibrationFit: Sendable {
    /// What is known beside the samples.
    public struct Setting: Sendable {
        /// The world model's field where the samples were taken.
        public var earth: EarthField?
        /// How the chip sits in the device: for what roll means.
        public var mounting: Mounting

        public init(earth: EarthField? = nil, mounting: Mounting = .aligned) {
            self.earth = earth
            self.mounting = mounting
        }
    }

    public var calibration: CompassCalibration
    /// The calibrated samples' directions.
    public var coverage: SphereCoverage
    /// By how much each sample's calibrated norm missed; microtesla, in the samples' order.
    public var residuals: [Double]
    /// Which samples were taken for wrong, and did not count.
    public var isOutlier: [Bool]
    /// The deviation of one sample, as the residuals show it; microtesla.
    public var noise: Double
    /// Whether the accelerometer's directions told something.
    public var usesGravity: Bool
    /// The dip that the samples share; degrees, nil where gravity did not tell.
    public var inclination: Double?
    /// By how many degrees the accelerometer's frame was found turned against the magnetometer's; 0 where none was.
    public var turn: Double
    /// The least deviation of the calibrated directions along any axis: 0.58 of a full sphere, 0 of a plane.
    public var leastSpread: Double

    /// What a calibration must keep to; the reasons are those of `CalibrationRefusal`.
    enum Limit {
        static let fewest = 12
        /// An arc of a fortieth of a turn is a line to any chip: what its bow is of its length.
        static let lineRatio = 0.05
        /// Microtesla along an axis, from which on a converter's end is one.
        static let movedRange = 20.0
        /// Microtesla: less than the weakest field's horizontal part turned by some degrees.
        static let leastSpread = 1.5
        /// The share of samples that may be at the end of the range.
        static let saturatedShare = 0.08
        static let outlierShare = 0.25
        /// Of the norm: a chip of 1.5 µT of noise passes, one beside a motor does not.
        static let residualShare = 0.06
        /// The same in the plane, where tilts add to it.
        static let planarResidualShare = 0.2
        /// Microtesla.
        static let norm = 15.0...75.0
        /// Of the world model's norm: soft iron takes and gives some, a wrong scale a quarter.
        static let normRatio = 0.8...1.2
        /// Degrees, level.
        static let error = 10.0
        /// What a claim for every attitude needs: degrees at 25° of roll, the share of sections, and the least spread.
        static let tiltedError = 3.0
        static let coverage = 0.25
        static let spread = 0.1
        /// The radius's deviation as a part of it: of a small cap any sphere is as good as any other.
        static let radiusDeviation = 0.05
        /// The axes of what the soft iron makes of a sphere differ by no more.
        static let axisRatio = 2.0
        /// Sectors of a turn in the plane.
        static let sectors = 9
    }

    /// - Throws: Where the samples allow no claim.
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
        // Without the world model the scale is the chip's own: a matrix of determinant 1.
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
        leastSpread = FieldScatter(directions).deviations.x
        calibration = CompassCalibration(
            reach: .spatial, offset: model.center, matrix: matrix, norm: norm,
            residual: rootMeanSquare(residuals, fit.refinement.weights),
            levelHeadingError: forecast.error(roll: 0), tiltedHeadingError: forecast.error(roll: 25))
    }

    public var outlierCount: Int { isOutlier.count { $0 } }

    /// Whether the samples carry a claim for every attitude.
    private func isSpatial(_ fit: SpatialFit) -> Bool {
        let values = fit.refinement.model.shape.eigen.map(\.value)
        guard fit.radiusDeviation <= Limit.radiusDeviation else { return false }
        return leastSpread >= Limit.spread && coverage.filledShare >= Limit.coverage
            && calibration.tiltedHeadingError <= Limit.tiltedError && values[2] <= Limit.axisRatio * values[0]
    }

    /// What is wrong with the samples' agreement; nil for nothing.
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

    /// - Parameter norm: By the chip's own scale; microtesla.
    private static func check(norm: Double, _ earth: EarthField?) throws(CalibrationRefusal) {
        guard Limit.norm.contains(norm) else { throw .impossibleNorm(norm) }
        guard let earth, !Limit.normRatio.contains(norm / earth.norm) else { return }
        throw .normAgainstModel(norm: norm, model: earth.norm)
    }
}
