internal import SextantUnits

/// A calibration from samples of a board that was turned about one axis only.
///
/// The hard iron along the axis stays unknown, so the field along the axis is left out altogether.
struct PlanarFit {
    let refinement: FieldRefinement
    let covariance: SquareMatrix
    /// The axis about which the board was turned, pointing up; length 1.
    let axis: SIMD3<Double>
    /// The rotation from the chip's frame to a frame whose z axis is `axis`.
    private let basis: Matrix3
    /// The mean raw field along the axis; microtesla.
    private let height: Double

    /// The component of the field along the axis in middle latitudes, in microtesla; a roll brings a part of it into
    /// the plane.
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

    /// The divisor that gives the 2 × 2 soft-iron matrix of the plane the determinant 1.
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
        // The field that a roll brings into the plane turns the heading by an angle that varies with the sine of the
        // heading. The root mean square of a sine is 1/√2.
        let rolled = PlanarFit.usualVertical * Trigonometry.sine(degrees: 25) / 2.0.squareRoot() / norm * 180 / .pi
        return CompassCalibration(
            reach: .planar, offset: offset, matrix: basis.transpose * plane * basis, norm: norm,
            residual: rootMeanSquare(refinement.radial, refinement.weights), levelHeadingError: level,
            tiltedHeadingError: min(90, (level * level + rolled * rolled).squareRoot()), axis: axis)
    }

    /// How many of the twelve sectors about the axis hold the direction of a calibrated sample.
    var sectorCount: Int {
        Set(refinement.calibratedFields.map { SphereCoverage.sector(y: $0.y, x: $0.x) }).count
    }

    /// The distance of each sample from the fitted ellipse in the plane; microtesla.
    var residuals: [Double] { refinement.radial }
    var noise: Double { refinement.noise }
}
