internal import SextantUnits

/// A prior for the parameters of a `FieldModel`: the expected value of a weighted sum of them, with its precision.
struct FieldExpectation {
    let row: [Double]
    let target: Double
    /// The inverse of the variance of the expected value.
    let precision: Double

    private typealias Parameter = FieldModel.Parameter

    /// The standard deviation from 1 that is assumed for the diagonal elements of the soft iron's matrix; the other
    /// elements are assumed to deviate from 0 by 1/√2 of it.
    private static let shapeDeviation = 0.15
    /// The standard deviation that is assumed for the rotation between the magnetometer's and the accelerometer's
    /// frame; radians about each axis.
    private static let turnDeviation = 0.35
    /// A precision so high that the parameter stays at its expected value.
    private static let held = 1e8
    /// The standard deviation that is assumed for the difference between the measured norm and the world model's, as a
    /// share of the world model's; the chip's scale error and soft iron cause it.
    private static let radiusDeviation = 0.07
    /// A precision so low that it only keeps the equations solvable: that of a standard deviation of 1000 µT.
    private static let slight = 1e-6

    /// The weighted sum of a model's parameters minus the sum's expected value.
    func distance(of model: FieldModel) -> Double {
        let shape = model.shape.symmetricElements
        var sum = row[Parameter.dip] * model.dipSine + row[Parameter.radius] * model.radius - target
        for index in 0..<6 { sum += row[Parameter.shape + index] * shape[index] }
        return sum
    }

    static func all(_ setting: FieldRefinement.Setting) -> [FieldExpectation] {
        shape(setting) + turn(setting) + [dip(setting), radius(setting)]
            + (0..<3).map { FieldExpectation([(Parameter.center + $0, 1)], 0, slight) }
    }

    private init(_ terms: [(Int, Double)], _ target: Double, _ precision: Double) {
        var row = [Double](repeating: 0, count: Parameter.count)
        for (index, factor) in terms { row[index] = factor }
        self.row = row
        self.target = target
        self.precision = precision
    }

    private static func shape(_ setting: FieldRefinement.Setting) -> [FieldExpectation] {
        let precision = 1 / (shapeDeviation * shapeDeviation)
        let mixed = (3..<6).map { FieldExpectation([(Parameter.shape + $0, 1)], 0, 2 * precision) }
        let own = (0..<3).map { FieldExpectation([(Parameter.shape + $0, 1)], 1, precision) }
        let trace = FieldExpectation((0..<3).map { (Parameter.shape + $0, 1) }, 3, held)
        guard setting.isPlanar else { return own + mixed + [trace] }
        return own + mixed + [trace, FieldExpectation([(Parameter.shape + 2, 1)], 1, held)]
    }

    private static func turn(_ setting: FieldRefinement.Setting) -> [FieldExpectation] {
        let precision = setting.hasTurn ? 1 / (turnDeviation * turnDeviation) : held
        return (0..<3).map { FieldExpectation([(Parameter.turn + $0, 1)], 0, precision) }
    }

    private static func dip(_ setting: FieldRefinement.Setting) -> FieldExpectation {
        guard let earth = setting.earth, setting.usesGravity else {
            return FieldExpectation([(Parameter.dip, 1)], 0, setting.usesGravity ? 1e-2 : held)
        }
        let (sine, cosine) = Trigonometry.sineAndCosine(earth.inclination / Trigonometry.degreesPerRadian)
        let deviation = max(0.05, cosine) * max(0.05, earth.inclinationDeviation) / Trigonometry.degreesPerRadian
        return FieldExpectation([(Parameter.dip, 1)], sine, 1 / (deviation * deviation))
    }

    private static func radius(_ setting: FieldRefinement.Setting) -> FieldExpectation {
        guard let earth = setting.earth else { return FieldExpectation([(Parameter.radius, 1)], 45, slight) }
        let deviation = radiusDeviation * earth.norm
        return FieldExpectation([(Parameter.radius, 1)], earth.norm, 1 / (deviation * deviation))
    }
}
