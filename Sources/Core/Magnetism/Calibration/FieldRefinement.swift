/// Finds the most likely model for the samples, by Levenberg-Marquardt steps with weights that remove outliers.
///
/// Each sample has two residuals with independent errors. The first is the difference between the calibrated field's
/// norm and the model's. The second exists if the accelerometer gives the upward direction: the difference between the
/// sample's dip and the common dip of all samples, times the norm.
struct FieldRefinement {
    typealias Parameter = FieldModel.Parameter

    private let samples: [CalibrationSample]
    private let ups: [SIMD3<Double>?]
    private let setting: Setting
    private let expectations: [FieldExpectation]
    private(set) var model: FieldModel
    /// The difference between each sample's calibrated norm and the model's, in microtesla of the raw field; `weights`
    /// tells how much each sample counts.
    ///
    /// Each difference is divided by the factor by which the calibration enlarges noise, so that a matrix that makes
    /// all fields small has no advantage.
    private(set) var radial: [Double]
    private(set) var weights: [Double]
    /// The difference between each sample's dip and the common dip, times the norm, in microtesla of the raw field;
    /// `arcWeights` tells how much each sample counts.
    private(set) var arcs: [Double]
    private(set) var arcWeights: [Double]
    /// The standard deviation of the residuals in `radial`, in microtesla; `arcNoise` is that of the residuals in
    /// `arcs`.
    private(set) var noise = 1.0
    private(set) var arcNoise = 1.0
    private var normal = SquareMatrix(size: Parameter.count)
    private var gradient = [Double](repeating: 0, count: Parameter.count)

    /// The smallest noise that is assumed, in microtesla; it is finer than any chip resolves.
    private static let minimumNoise = 0.01
    private static let steps = 25

    /// - Parameter isRefined: Whether `model` is already near the result, so that the first search, with Huber's loss,
    ///   is left out.
    init(
        _ samples: [CalibrationSample], ups: [SIMD3<Double>?], from model: FieldModel, isRefined: Bool = false,
        _ setting: Setting
    ) {
        self.samples = samples
        self.ups = setting.usesGravity ? ups : [SIMD3<Double>?](repeating: nil, count: samples.count)
        self.setting = setting
        expectations = FieldExpectation.all(setting)
        self.model = model
        radial = [Double](repeating: 0, count: samples.count)
        (weights, arcs, arcWeights) = (radial, radial, radial)
        if !isRefined { run(.huber, until: 1e-3) }
        run(.tukey, until: 1e-5)
        settle()
    }

    /// The number of parameters that the fit determines from the samples.
    private var parameterCount: Int {
        setting.isPlanar ? 5 : 9 + (setting.hasTurn ? 3 : 0)
    }

    // MARK: Steps

    /// - Parameter least: The step size below which the search ends: the sum of the changes of the matrices and the
    ///   dip, and the change of the center as a share of the radius.
    private mutating func run(_ loss: RobustScale.Loss, until least: Double) {
        var damping = 1e-3
        for _ in 0..<FieldRefinement.steps {
            measure(model)
            weigh(loss)
            let before = cost(of: model)
            gather()
            guard let step = step(damping), step.allSatisfy({ $0.isFinite }) else {
                damping *= 10
                continue
            }
            let moved = model.moved(by: step)
            measure(moved)
            guard cost(of: moved) <= before else {
                damping *= 10
                if damping > 1e8 { break }
                continue
            }
            damping = max(1e-12, damping / 10)
            model = moved
            if step[3..<Parameter.radius].reduce(0, { $0 + abs($1) }) < least,
                abs(step[0]) + abs(step[1]) + abs(step[2]) < least * model.radius
            {
                break
            }
        }
    }

    private func step(_ damping: Double) -> [Double]? {
        var damped = normal
        for i in 0..<Parameter.count { damped[i, i] *= 1 + damping }
        return damped.cholesky()?.solve(gradient)
    }

    private mutating func measure(_ model: FieldModel) {
        for index in samples.indices {
            let field = model.calibrated(samples[index].field)
            let norm = field.norm
            let outward = field / norm
            radial[index] = (norm - model.radius) / model.gain(along: outward)
            guard let up = ups[index] else { continue }
            arcs[index] = (field.dot(up) + norm * model.dipSine) / model.gain(along: up + model.dipSine * outward)
        }
    }

    private mutating func weigh(_ loss: RobustScale.Loss) {
        noise = max(FieldRefinement.minimumNoise, spare * RobustScale.deviation(of: radial))
        for index in samples.indices { weights[index] = RobustScale.weight(radial[index] / noise, loss) }
        guard setting.usesGravity else { return }
        let known = samples.indices.filter { ups[$0] != nil }
        arcNoise = max(FieldRefinement.minimumNoise, spare * RobustScale.deviation(of: known.map { arcs[$0] }))
        for index in known { arcWeights[index] = RobustScale.weight(arcs[index] / arcNoise, loss) }
    }

    /// The factor that corrects the residuals' standard deviation upwards, because the fitted parameters absorb a part
    /// of the noise.
    private var spare: Double {
        let count = Double(samples.count)
        return (count / max(1, count - Double(parameterCount) / (setting.usesGravity ? 2 : 1))).squareRoot()
    }

    // MARK: Equations

    private func cost(of model: FieldModel) -> Double {
        var sum = 0.0
        for index in samples.indices {
            sum += weights[index] * radial[index] * radial[index] / (noise * noise)
            sum += arcWeights[index] * arcs[index] * arcs[index] / (arcNoise * arcNoise)
        }
        for expectation in expectations {
            let distance = expectation.distance(of: model)
            sum += expectation.precision * distance * distance
        }
        return sum
    }

    private mutating func gather() {
        normal.clear()
        for i in 0..<Parameter.count { gradient[i] = 0 }
        var row = [Double](repeating: 0, count: Parameter.count)
        for index in samples.indices {
            let raw = samples[index].field
            let field = model.calibrated(raw)
            let outward = field.unit
            if weights[index] > 0 {
                model.derivative(of: raw, along: outward, into: &row)
                row[Parameter.radius] = -1
                model.normalize(&row, along: outward, residual: radial[index])
                add(&row, radial[index], weights[index] / (noise * noise))
            }
            guard let up = ups[index], arcWeights[index] > 0 else { continue }
            let along = up + model.dipSine * outward
            model.derivative(of: raw, along: along, into: &row)
            row[Parameter.dip] = field.norm
            model.normalize(&row, along: along, residual: arcs[index])
            add(&row, arcs[index], arcWeights[index] / (arcNoise * arcNoise))
        }
        for expectation in expectations {
            normal.addSquare(of: expectation.row, weight: expectation.precision)
            let force = expectation.precision * expectation.distance(of: model)
            for i in gradient.indices { gradient[i] -= force * expectation.row[i] }
        }
    }

    private mutating func add(_ row: inout [Double], _ residual: Double, _ precision: Double) {
        if !setting.hasTurn { for axis in 0..<3 { row[Parameter.turn + axis] = 0 } }
        if setting.isPlanar { for index in [2, 5, 7, 8] { row[index] = 0 } }
        normal.addSquare(of: row, weight: precision)
        for i in 0..<Parameter.count { gradient[i] -= precision * residual * row[i] }
    }

    // MARK: The end

    /// Computes the final noise from all samples whose weight is not 0, and the equations of the final model.
    private mutating func settle() {
        measure(model)
        weigh(.tukey)
        noise = max(FieldRefinement.minimumNoise, spare * FieldRefinement.deviation(radial, weights))
        if setting.usesGravity {
            arcNoise = max(FieldRefinement.minimumNoise, spare * FieldRefinement.deviation(arcs, arcWeights))
        }
        gather()
    }

    /// The weighted standard deviation of residuals.
    ///
    /// Tukey's weights reduce the variance of normally distributed errors by 8 %, which is corrected.
    private static func deviation(_ residuals: [Double], _ weights: [Double]) -> Double {
        let sum = zip(residuals, weights).reduce(0) { $0 + $1.1 * $1.0 * $1.0 }
        let count = weights.reduce(0, +)
        return (1.087 * sum / max(count, 1e-9)).squareRoot()
    }

    var usesGravity: Bool { setting.usesGravity }

    var calibratedFields: [SIMD3<Double>] { samples.map { model.calibrated($0.field) } }

    /// The covariance of the parameters' errors; nil where the samples leave a parameter undetermined.
    var covariance: SquareMatrix? { normal.cholesky()?.inverseOfFactored() }
}
