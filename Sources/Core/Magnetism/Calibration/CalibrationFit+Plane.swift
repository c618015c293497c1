internal import SextantUnits

extension CalibrationFit {
    /// - Parameter candidate: A spatial fit of these samples; it is returned as a planar calibration if it is better
    ///   than the planar fit.
    static func planar(
        _ samples: [CalibrationSample], _ setting: Setting, _ scatter: FieldScatter, beside candidate: CalibrationFit?
    ) throws(CalibrationRefusal) -> CalibrationFit {
        let axis = axis(samples, setting, scatter)
        guard let flat = PlanarFit(samples, axis: axis, setting) else { throw .line }
        guard flat.sectorCount >= Limit.sectors else {
            throw .arc(sectors: flat.sectorCount, of: SphereCoverage.sectors)
        }
        let fit = CalibrationFit(flat, samples)
        let refusal = fit.refusal(residualShare: Limit.planarResidualShare)
        if var candidate, candidate.refusal(residualShare: Limit.residualShare) == nil,
            refusal != nil || candidate.calibration.levelHeadingError < fit.calibration.levelHeadingError
        {
            candidate.calibration.reach = .planar
            candidate.calibration.axis = axis
            candidate.widen(samples)
            return candidate
        }
        if let refusal { throw refusal }
        // A planar fit sees only the field's component in the plane, whose size is anything from zero to the whole
        // field's, so only the upper limit of the norm is checked.
        guard fit.calibration.norm <= Limit.norm.upperBound else { throw .impossibleNorm(fit.calibration.norm) }
        return fit
    }

    /// Enlarges the heading error at 25° of roll by the effect of errors in the measured tilts, which the fit assumes
    /// to be exact.
    ///
    /// If the tilts were small, their noise makes the fit underestimate how a tilt changes the field. The underestimate
    /// is proportional to the share that noise has in the variance of the tilts.
    private mutating func widen(_ samples: [CalibrationSample]) {
        guard usesGravity, let inclination else { return }
        let tilts = FieldScatter(samples.compactMap { $0.up }).deviations
        let error = noise / calibration.norm
        let share = error * error / max(1e-9, (tilts.y * tilts.y + tilts.z * tilts.z) / 2)
        let (dip, roll) = (Trigonometry.sine(degrees: inclination), Trigonometry.sine(degrees: 25))
        let bias = Trigonometry.degrees(ofSine: share * abs(dip) * roll / max(0.1, (1 - dip * dip).squareRoot()))
        let before = calibration.tiltedHeadingError
        calibration.tiltedHeadingError = min(90, (before * before + bias * bias).squareRoot())
    }

    /// The axis about which the board was turned.
    ///
    /// It is the mean upward direction if the accelerometer gives one for most samples; otherwise it is the axis along
    /// which the samples vary least.
    private static func axis(
        _ samples: [CalibrationSample], _ setting: Setting, _ scatter: FieldScatter
    ) -> SIMD3<Double> {
        let ups = samples.compactMap { $0.up }
        let mean = ups.reduce(SIMD3.zero, +) / Double(max(1, ups.count))
        if 2 * ups.count > samples.count, mean.norm > 0.9 { return mean.unit }
        return scatter.axes.0.dot(BodyFrame(setting.mounting).up) < 0 ? -scatter.axes.0 : scatter.axes.0
    }

    private init(_ flat: PlanarFit, _ samples: [CalibrationSample]) {
        let calibration = flat.calibration
        self.calibration = calibration
        let fields = samples.map { calibration.apply(to: $0.field) }
        let isOutlier = flat.refinement.weights.map { $0 == 0 }
        let directions = zip(fields, isOutlier).compactMap { field, isOutlier in isOutlier ? nil : field.direction }
        coverage = SphereCoverage(directions)
        residuals = flat.residuals
        self.isOutlier = isOutlier
        noise = flat.noise
        usesGravity = false
        inclination = nil
        turn = 0
        minimumSpread = FieldScatter(directions).deviations.x
    }
}
