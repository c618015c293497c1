/// The model that a fit assumes for the samples: a constant field of the Earth, seen through hard and soft iron.
struct FieldModel {
    /// The offset by the hard iron; microtesla.
    var center: SIMD3<Double>
    /// The matrix that removes the soft iron: symmetric, with a trace of 3, so that the scale stays the chip's own.
    var shape: Matrix3
    /// The rotation from the magnetometer's frame to the accelerometer's.
    var turn: Matrix3 = .identity
    /// The field's norm by the chip's own scale; microtesla.
    var radius: Double
    /// The sine of the field's dip below the horizontal.
    var dipSine: Double

    /// The indices of the model's parameters in the equations: three of `center`, six of `shape` (xx, yy, zz, xy, xz,
    /// yz), three of `turn`, then `dipSine` and `radius`.
    enum Parameter {
        static let center = 0
        static let shape = 3
        static let turn = 9
        static let dip = 12
        static let radius = 13
        static let count = 14
    }

    var matrix: Matrix3 { turn * shape }

    func calibrated(_ raw: SIMD3<Double>) -> SIMD3<Double> { matrix * (raw - center) }

    /// The ratio of the noise of the calibrated field's component along `direction` to the noise of the raw field.
    func gain(along direction: SIMD3<Double>) -> Double { (shape * (turn.transpose * direction)).norm }

    /// Writes the derivatives of the calibrated field's component along `direction` by the parameters.
    ///
    /// The derivatives by the dip and the radius are 0.
    func derivative(of raw: SIMD3<Double>, along direction: SIMD3<Double>, into row: inout [Double]) {
        let y = raw - center
        let q = turn.transpose * direction
        let towardsCenter = shape * q
        let towardsTurn = (turn * (shape * y)).cross(direction)
        for axis in 0..<3 {
            row[Parameter.center + axis] = -towardsCenter[axis]
            row[Parameter.shape + axis] = q[axis] * y[axis]
            row[Parameter.turn + axis] = towardsTurn[axis]
        }
        row[Parameter.shape + 3] = q.x * y.y + q.y * y.x
        row[Parameter.shape + 4] = q.x * y.z + q.z * y.x
        row[Parameter.shape + 5] = q.y * y.z + q.z * y.y
        (row[Parameter.dip], row[Parameter.radius]) = (0, 0)
    }

    /// Divides a row of derivatives by the gain (the ratio of the calibrated field's noise to the raw field's) along a
    /// direction, and accounts for the change of the gain with `shape`.
    ///
    /// - Parameter residual: The residual, already divided by the gain.
    func normalize(_ row: inout [Double], along direction: SIMD3<Double>, residual: Double) {
        let q = turn.transpose * direction
        let image = shape * q
        let gain = image.norm
        let v = image / gain
        row[Parameter.shape] -= residual * v.x * q.x
        row[Parameter.shape + 1] -= residual * v.y * q.y
        row[Parameter.shape + 2] -= residual * v.z * q.z
        row[Parameter.shape + 3] -= residual * (v.x * q.y + v.y * q.x)
        row[Parameter.shape + 4] -= residual * (v.x * q.z + v.z * q.x)
        row[Parameter.shape + 5] -= residual * (v.y * q.z + v.z * q.y)
        for index in row.indices { row[index] /= gain }
    }

    /// The model whose parameters are changed by the values in `step`.
    func moved(by step: [Double]) -> FieldModel {
        var moved = self
        moved.center += SIMD3(step[0], step[1], step[2])
        let elements = shape.symmetricElements
        moved.shape = Matrix3(symmetric: (0..<6).map { elements[$0] + step[Parameter.shape + $0] })
        moved.turn = Matrix3(turn: SIMD3(step[9], step[10], step[11])) * turn
        moved.dipSine = min(1, max(-1, dipSine + step[Parameter.dip]))
        moved.radius += step[Parameter.radius]
        return moved
    }
}
