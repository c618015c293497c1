internal import SextantUnits

/// Forecasts the heading errors that follow from the errors of a model's parameters.
struct HeadingErrorForecast {
    private let model: FieldModel
    private let covariance: SquareMatrix
    private let frame: BodyFrame
    private let dip: (sine: Double, cosine: Double)

    private static let headings = 16
    /// The dip in degrees that is assumed if the dip is not known: that of middle latitudes.
    private static let usualDip = 65.0

    /// - Parameter dipSine: The sine of the dip; nil where the dip is not known.
    init(_ model: FieldModel, covariance: SquareMatrix, frame: BodyFrame, dipSine: Double?) {
        self.model = model
        self.covariance = covariance
        self.frame = frame
        if let dipSine {
            dip = (dipSine, max(0.05, (1 - dipSine * dipSine).squareRoot()))
        } else {
            dip = Trigonometry.sineAndCosine(HeadingErrorForecast.usualDip / Trigonometry.degreesPerRadian)
        }
    }

    /// The root mean square heading error over all headings, with the device rolled by `degrees` to the left and to the
    /// right.
    ///
    /// Unit: degrees, at most 90, because a larger error leaves no heading.
    func error(roll degrees: Double) -> Double {
        var sum = 0.0
        for side in [degrees, -degrees] {
            let roll = Trigonometry.sineAndCosine(side / Trigonometry.degreesPerRadian)
            for index in 0..<HeadingErrorForecast.headings {
                let heading = 2 * Double.pi * Double(index) / Double(HeadingErrorForecast.headings)
                sum += variance(heading, roll)
            }
        }
        let root = (sum / Double(2 * HeadingErrorForecast.headings)).squareRoot()
        return min(90, root * Trigonometry.degreesPerRadian)
    }

    /// The variance of the heading's error at one heading and roll; radians squared.
    private func variance(_ heading: Double, _ roll: (sine: Double, cosine: Double)) -> Double {
        let (sine, cosine) = Trigonometry.sineAndCosine(heading)
        // A roll to the right lowers the right side, so the upward direction leans to the device's left.
        let up = roll.cosine * frame.up - roll.sine * frame.right
        let right = roll.cosine * frame.right + roll.sine * frame.up
        let north = cosine * frame.forward - sine * right
        let east = sine * frame.forward + cosine * right
        let field = model.radius * (dip.cosine * north - dip.sine * up)
        let raw = model.center + model.matrix.inverse * field
        var row = [Double](repeating: 0, count: FieldModel.Parameter.count)
        model.derivative(of: raw, along: east / (model.radius * dip.cosine), into: &row)
        return covariance.quadraticForm(row)
    }
}

/// The axes of a level device (forward, right, up) as vectors in the chip's frame.
struct BodyFrame {
    let forward: SIMD3<Double>
    let up: SIMD3<Double>

    var right: SIMD3<Double> { forward.cross(up) }

    init(_ mounting: Mounting) {
        forward = mounting.chipFrame(SIMD3(0, 1, 0))
        up = mounting.chipFrame(SIMD3(0, 0, 1))
    }
}
