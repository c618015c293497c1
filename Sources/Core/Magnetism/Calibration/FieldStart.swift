internal import SextantUnits

/// Computes, in closed form, the models at which a refinement begins its iteration.
enum FieldStart {
    /// The sphere that fits the samples best.
    ///
    /// With the world model and gravity, the sphere's centre is also fitted so that the samples' vertical components,
    /// counted from the centre, agree with the world model's.
    static func sphere(
        _ samples: [CalibrationSample], ups: [SIMD3<Double>?], earth: EarthField?
    ) -> FieldModel? {
        let mean = samples.reduce(SIMD3.zero) { $0 + $1.field } / Double(samples.count)
        var (normal, right) = (SquareMatrix(size: 4), [Double](repeating: 0, count: 4))
        func add(_ row: [Double], _ value: Double) {
            normal.addSquare(of: row, weight: 1)
            for i in 0..<4 { right[i] += value * row[i] }
        }
        // The sphere's equation is |x|² = 2c·x + d, where c is its centre and x a field. It is scaled so that an error
        // of 1 µT in a field's distance from the centre weighs as much as one of 1 µT in its vertical component.
        let size = samples.reduce(0) { $0 + ($1.field - mean).norm } / Double(samples.count)
        guard size > 0, size.isFinite else { return nil }
        let sine = earth.map { Trigonometry.sine(degrees: $0.inclination) }
        for (sample, up) in zip(samples, ups) {
            let x = sample.field - mean
            add([x.x / size, x.y / size, x.z / size, 0.5], x.dot(x) / (2 * size))
            guard let up, let earth, let sine else { continue }
            add([up.x, up.y, up.z, 0], up.dot(x) + earth.norm * sine)
        }
        for i in 0..<4 { normal[i, i] += 1e-6 * Double(samples.count) }
        guard let solution = normal.cholesky()?.solve(right) else { return nil }
        let center = mean + SIMD3(solution[0], solution[1], solution[2])
        let radius = max(1, samples.reduce(0) { $0 + ($1.field - center).norm } / Double(samples.count))
        return model(center, .identity, radius: radius, samples, ups, sine)
    }

    /// The ellipsoid that fits the samples best in the algebraic sense.
    static func ellipsoid(
        _ samples: [CalibrationSample], ups: [SIMD3<Double>?], earth: EarthField?
    ) -> FieldModel? {
        guard let fit = EllipsoidFit(samples.map({ $0.field })) else { return nil }
        let elements = fit.matrix.symmetricElements
        let radius = 3 / (elements[0] + elements[1] + elements[2])
        let sine = earth.map { Trigonometry.sine(degrees: $0.inclination) }
        return model(fit.center, radius * fit.matrix, radius: radius, samples, ups, sine)
    }

    private static func model(
        _ center: SIMD3<Double>, _ shape: Matrix3, radius: Double, _ samples: [CalibrationSample],
        _ ups: [SIMD3<Double>?], _ sine: Double?
    ) -> FieldModel? {
        var model = FieldModel(center: center, shape: shape, radius: radius, dipSine: sine ?? 0)
        guard sine == nil else { return model }
        let sines = zip(samples, ups).compactMap { sample, up in
            up.map { -model.calibrated(sample.field).unit.dot($0) }
        }
        model.dipSine = min(0.999, max(-0.999, RobustScale.median(sines)))
        return model
    }
}
