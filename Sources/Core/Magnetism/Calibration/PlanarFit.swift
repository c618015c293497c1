internal import Units

/// A circle's calibration: what samples of a board that turned about one axis can tell.
///
/// The hard iron along the axis stays unknown, so what is along it is taken out altogether.
struct PlanarFit {
    let refinement: FieldRefinement
    let covariance: SquareMatrix
    /// The axis of the turning, up.
    let axis: SIMD3<Double>
    /// Takes the chip's frame to one whose z is the axis.
    private let basis: Matrix3
    /// Along the axis; microtesla.
    private let height: Double

    /// Microtesla of field along the axis that a roll brings into the plane: that of middle latitudes.
    private static let usualVertical = 43.0

    init?(_ samples: [CalibrationSample], axis: SIMD3<Double>, _ setting: CalibrationFit.Setting) {
        let across = abs(axis.x) < 0.7 ? SIMD3<Double>(1, 0, 0) : SIMD3<Double>(0, 1, 0)
        let first = (across - across.dot(axis) * axis).unit
        let basis = Matrix3(columns: first, axis.cross(first), axis).transpose
        let heights = samples.map { $0.field.dot(axis) }
        let flat = samples.map { sample in
            let turned = basis * sample.field
            return CalibrationSample(field: SIMD3(turned.x, turned.y, 0))
        }
        let ups = [SIMD3<Double>?](repeating: nil, count: samples.count)
        guard let start = FieldStart.sphere(flat, ups: ups, earth: nil) else { return nil }
        let asked = FieldRefinement.Setting(isPlanar: true)
        let refinement = FieldRefinement(flat, ups: ups, from: start, asked)
        guard let covariance = refinement.covariance, refinement.isPossible else { return nil }
        self.refinement = refinement
        self.covariance = covariance
        self.axis = axis
        self.basis = basis
        height = heights.reduce(0, +) / Double(heights.count)
    }

    /// What makes the matrix of the plane have the determinant 1.
    private var size: Double {
        let elements = refinement.model.shape.symmetricElements
        return (elements[0] * elements[1] - elements[3] * elements[3]).squareRoot()
    }

    var calibration: CompassCalibration {
        let model = refinement.model
        let elements = model.shape.symmetricElements
        let plane = Matrix3(symmetric: [elements[0] / size, elements[1] / size, 1, elements[3] / size, 0, 0])
        let offset = basis.transpose * SIMD3(model.center.x, model.center.y, height)
        let norm = model.radius / size
        let frame = BodyFrame(.aligned)
        let level = HeadingErrorForecast(model, covariance: covariance, frame: frame, dipSine: 0).error(roll: 0)
        // Over all headings a side's share of what a roll brings into the plane is a sine.
        let rolled = PlanarFit.usualVertical * Trigonometry.sine(degrees: 25) / 2.0.squareRoot() / norm * 180 / .pi
        return CompassCalibration(
            reach: .planar, offset: offset, matrix: basis.transpose * plane * basis, norm: norm,
            residual: rootMeanSquare(refinement.radial, refinement.weights), levelHeadingError: level,
            tiltedHeadingError: min(90, (level * level + rolled * rolled).squareRoot()), axis: axis)
    }

    /// How many of the twelve sectors about the axis have been turned through.
    var sectorCount: Int {
        Set(refinement.calibratedFields.map { SphereCoverage.sector(y: $0.y, x: $0.x) }).count
    }

    /// The samples' residuals; microtesla.
    var residuals: [Double] { refinement.radial }
    var noise: Double { refinement.noise }
}
