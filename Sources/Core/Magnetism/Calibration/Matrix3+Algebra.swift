extension Matrix3 {
    /// Makes a symmetric matrix from its elements xx, yy, zz, xy, xz, yz.
    init(symmetric e: [Double]) {
        self.init(columns: SIMD3(e[0], e[3], e[4]), SIMD3(e[3], e[1], e[5]), SIMD3(e[4], e[5], e[2]))
    }

    init(diagonal d: SIMD3<Double>) {
        self.init(columns: SIMD3(d.x, 0, 0), SIMD3(0, d.y, 0), SIMD3(0, 0, d.z))
    }

    /// The elements xx, yy, zz, xy, xz, yz of a symmetric matrix.
    var symmetricElements: [Double] {
        let (first, second, third) = columns
        return [first.x, second.y, third.z, second.x, third.x, third.y]
    }

    static func * (scale: Double, matrix: Matrix3) -> Matrix3 {
        let (first, second, third) = matrix.columns
        return Matrix3(columns: scale * first, scale * second, scale * third)
    }

    var transpose: Matrix3 {
        let (a, b, c) = columns
        return Matrix3(columns: SIMD3(a.x, b.x, c.x), SIMD3(a.y, b.y, c.y), SIMD3(a.z, b.z, c.z))
    }

    public var determinant: Double {
        let (first, second, third) = columns
        return first.dot(second.cross(third))
    }

    /// The inverse matrix; not finite where the determinant is 0.
    var inverse: Matrix3 {
        let (first, second, third) = columns
        let rows = Matrix3(columns: second.cross(third), third.cross(first), first.cross(second))
        return (1 / determinant) * rows.transpose
    }

    var isFinite: Bool {
        let (first, second, third) = columns
        return (first.dot(first) + second.dot(second) + third.dot(third)).isFinite
    }

    /// The eigenvalues of a symmetric matrix in ascending order, each with its eigenvector of length 1.
    var eigen: [(value: Double, vector: SIMD3<Double>)] {
        let (first, second, third) = columns
        var matrix = SquareMatrix(size: 3)
        for (column, vector) in [first, second, third].enumerated() {
            for row in 0..<3 { matrix[row, column] = vector[row] }
        }
        return matrix.eigen().map { ($0.value, SIMD3($0.vector[0], $0.vector[1], $0.vector[2])) }
    }

    /// The symmetric square root of a symmetric, positive definite matrix; nil where the matrix is not positive
    /// definite.
    var squareRoot: Matrix3? {
        let pairs = eigen
        guard pairs.allSatisfy({ $0.value > 0 && $0.value.isFinite }) else { return nil }
        let vectors = Matrix3(columns: pairs[0].vector, pairs[1].vector, pairs[2].vector)
        let roots = SIMD3(
            pairs[0].value.squareRoot(), pairs[1].value.squareRoot(), pairs[2].value.squareRoot())
        return vectors * Matrix3(diagonal: roots) * vectors.transpose
    }

    /// Makes the right-handed rotation about a vector whose length is the angle in radians.
    init(turn: SIMD3<Double>) {
        // The Cayley transform gives an orthogonal matrix for any vector, up to rounding. For a short vector, the error
        // of the angle is of the third order in the vector's length.
        let half = turn / 2
        let square = half.dot(half)
        let scale = 2 / (1 + square)
        func column(_ axis: SIMD3<Double>) -> SIMD3<Double> {
            axis + scale * (half.cross(axis) + half.cross(half.cross(axis)))
        }
        self.init(columns: column(SIMD3(1, 0, 0)), column(SIMD3(0, 1, 0)), column(SIMD3(0, 0, 1)))
    }
}

extension SIMD3<Double> {
    /// The vector of length 1 in this vector's direction; this vector must not be zero.
    var unit: SIMD3<Double> { self / norm }
}
