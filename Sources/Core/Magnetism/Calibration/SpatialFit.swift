internal import SextantUnits

/// The most likely model of samples from all attitudes; it does not check whether the samples suffice.
struct SpatialFit {
    private(set) var refinement: FieldRefinement
    private(set) var covariance: SquareMatrix
    private(set) var usesGravity: Bool

    /// The chi-square, with three degrees of freedom, above which a fitted rotation between the chips' frames is
    /// adopted; chance exceeds it once in a thousand times.
    private static let significance = 16.27
    /// The largest standard deviation of the dip's residuals as a share of the norm; above it the accelerometer's axes
    /// do not match the magnetometer's.
    private static let maximumArcNoise = 0.25

    /// Fits a model; nil where the samples leave it undetermined.
    init?(_ samples: [CalibrationSample], _ setting: CalibrationFit.Setting) {
        let ups = samples.map { $0.up }
        let knownCount = ups.count { $0 != nil }
        if knownCount >= CalibrationFit.Limit.fewest, 2 * knownCount > samples.count,
            let fit = SpatialFit(samples, ups, usesGravity: true, setting),
            fit.refinement.arcNoise < SpatialFit.maximumArcNoise * fit.refinement.model.radius
        {
            self = fit
            turn(samples, ups, setting)
            return
        }
        let none = [SIMD3<Double>?](repeating: nil, count: samples.count)
        guard let fit = SpatialFit(samples, none, usesGravity: false, setting) else { return nil }
        self = fit
    }

    private init?(
        _ samples: [CalibrationSample], _ ups: [SIMD3<Double>?], usesGravity: Bool, _ setting: CalibrationFit.Setting
    ) {
        let earth = setting.earth
        let asked = FieldRefinement.Setting(usesGravity: usesGravity, earth: earth)
        var best: (FieldRefinement, SquareMatrix)?
        func attempt(_ start: FieldModel?) {
            guard let start else { return }
            let refinement = FieldRefinement(samples, ups: ups, from: start, asked)
            guard let covariance = refinement.covariance, refinement.isPossible else { return }
            if let best, best.0.misfit <= refinement.misfit { return }
            best = (refinement, covariance)
        }
        attempt(FieldStart.ellipsoid(samples, ups: ups, earth: earth))
        // An ellipsoid fitted to samples of all directions is near the truth; one fitted to samples of few directions
        // may lie anywhere, so a sphere is tried too.
        if best.map({ SpatialFit.isSpread($0.0) }) != true {
            attempt(FieldStart.sphere(samples, ups: ups, earth: earth))
        }
        guard let best else { return nil }
        (refinement, covariance) = best
        self.usesGravity = usesGravity
    }

    /// The field's norm by the chip's own scale; microtesla.
    var rawNorm: Double { refinement.model.radius / Logarithm.cubeRoot(refinement.model.shape.determinant) }

    /// The standard deviation of the fitted radius as a share of the radius.
    var radiusDeviation: Double {
        let variance = covariance[FieldModel.Parameter.radius, FieldModel.Parameter.radius]
        return max(0, variance).squareRoot() / refinement.model.radius
    }

    private static func isSpread(_ refinement: FieldRefinement) -> Bool {
        FieldScatter(refinement.calibratedFields.compactMap { $0.direction }).deviations.x > 0.4
    }

    /// Adopts a rotation between the magnetometer's and the accelerometer's frame if the samples show one beyond
    /// chance.
    ///
    /// Otherwise there is no rotation, and the calibration's matrix stays symmetric: a rotation that noise suggests
    /// would only add to the heading's error.
    private mutating func turn(
        _ samples: [CalibrationSample], _ ups: [SIMD3<Double>?], _ setting: CalibrationFit.Setting
    ) {
        let asked = FieldRefinement.Setting(usesGravity: true, hasTurn: true, earth: setting.earth)
        let turned = FieldRefinement(samples, ups: ups, from: refinement.model, isRefined: true, asked)
        guard let covariance = turned.covariance, turned.isPossible else { return }
        var block = SquareMatrix(size: 3)
        for i in 0..<3 {
            for j in 0..<3 {
                block[i, j] = covariance[FieldModel.Parameter.turn + i, FieldModel.Parameter.turn + j]
            }
        }
        let vector = turnVector(turned.model.turn)
        let angles = [vector.x, vector.y, vector.z]
        guard let factor = block.cholesky() else { return }
        let chiSquare = zip(angles, factor.solve(angles)).reduce(0) { $0 + $1.0 * $1.1 }
        guard chiSquare > SpatialFit.significance else { return }
        (refinement, self.covariance) = (turned, covariance)
    }
}

extension FieldRefinement {
    /// The sum of two standard deviations in microtesla: that of the norm's residuals and, if gravity is used, that of
    /// the dip's residuals.
    var misfit: Double { noise + (usesGravity ? arcNoise : 0) }

    /// Whether the model is physically possible: finite numbers, and a matrix that mirrors no axis.
    var isPossible: Bool {
        model.shape.eigen.allSatisfy { $0.value > 0.05 } && model.matrix.isFinite
            && model.center.norm.isFinite && model.radius > 1 && noise.isFinite && arcNoise.isFinite
    }
}
