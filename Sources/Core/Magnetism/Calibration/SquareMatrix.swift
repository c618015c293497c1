/// A square matrix of any size, stored row by row, for the equations of a fit.
struct SquareMatrix {
    let size: Int
    private var elements: [Double]

    init(size: Int) {
        self.size = size
        elements = [Double](repeating: 0, count: size * size)
    }

    subscript(row: Int, column: Int) -> Double {
        get { elements[row * size + column] }
        set { elements[row * size + column] = newValue }
    }

    mutating func clear() { for index in elements.indices { elements[index] = 0 } }

    /// Adds `weight` × `row` × `row`ᵀ to the lower triangle, which is all that a Cholesky factor needs.
    mutating func addSquare(of row: [Double], weight: Double) {
        for i in 0..<size where row[i] != 0 {
            let scaled = weight * row[i]
            for j in 0...i { elements[i * size + j] += scaled * row[j] }
        }
    }

    /// The Cholesky factor: the lower triangle L with L × Lᵀ equal to this matrix; nil if it is not positive definite.
    ///
    /// Only the lower triangle is read.
    func cholesky() -> SquareMatrix? {
        var factor = SquareMatrix(size: size)
        for i in 0..<size {
            for j in 0...i {
                var sum = self[i, j]
                for k in 0..<j { sum -= factor[i, k] * factor[j, k] }
                if i == j {
                    guard sum > 0, sum.isFinite else { return nil }
                    factor[i, i] = sum.squareRoot()
                } else {
                    factor[i, j] = sum / factor[j, j]
                }
            }
        }
        return factor
    }

    /// Solves L × Lᵀ × x = `right` for x, where this matrix is the Cholesky factor L.
    func solve(_ right: [Double]) -> [Double] {
        var x = solveLower(right)
        for i in (0..<size).reversed() {
            for k in (i + 1)..<max(size, i + 1) { x[i] -= self[k, i] * x[k] }
            x[i] /= self[i, i]
        }
        return x
    }

    /// Solves L × x = `right` for x, where this matrix is the lower triangle L.
    func solveLower(_ right: [Double]) -> [Double] {
        var x = right
        for i in 0..<size {
            for k in 0..<i { x[i] -= self[i, k] * x[k] }
            x[i] /= self[i, i]
        }
        return x
    }

    /// Solves Lᵀ × x = `right` for x, where this matrix is the lower triangle L.
    func solveUpper(_ right: [Double]) -> [Double] {
        var x = right
        for i in (0..<size).reversed() {
            for k in (i + 1)..<max(size, i + 1) { x[i] -= self[k, i] * x[k] }
            x[i] /= self[i, i]
        }
        return x
    }

    /// The inverse of the matrix A = L × Lᵀ, where this matrix is the Cholesky factor L.
    func inverseOfFactored() -> SquareMatrix {
        var inverse = SquareMatrix(size: size)
        for column in 0..<size {
            var unit = [Double](repeating: 0, count: size)
            unit[column] = 1
            let x = solve(unit)
            for row in 0..<size { inverse[row, column] = x[row] }
        }
        return inverse
    }

    /// The quadratic form vᵀ × M × v, where M is this matrix and v the vector.
    func quadraticForm(_ vector: [Double]) -> Double {
        var sum = 0.0
        for i in 0..<size where vector[i] != 0 {
            for j in 0..<size { sum += vector[i] * self[i, j] * vector[j] }
        }
        return sum
    }
}

extension SquareMatrix {
    /// The eigenvalues of a symmetric matrix in ascending order, each with its eigenvector of length 1, by Jacobi's
    /// rotations.
    func eigen() -> [(value: Double, vector: [Double])] {
        var matrix = self
        var vectors = SquareMatrix(size: size)
        for i in 0..<size { vectors[i, i] = 1 }
        // Each sweep over all elements squares the relative size of the elements off the diagonal; a 6 × 6 matrix needs
        // about eight sweeps.
        for _ in 0..<40 where matrix.offDiagonal > 1e-30 * matrix.diagonal {
            for p in 0..<size {
                for q in (p + 1)..<max(size, p + 1) { matrix.rotate(p, q, &vectors) }
            }
        }
        return (0..<size).map { column in (matrix[column, column], (0..<size).map { vectors[$0, column] }) }
            .sorted { $0.0 < $1.0 }
    }

    private var diagonal: Double { (0..<size).reduce(0) { $0 + self[$1, $1] * self[$1, $1] } }

    private var offDiagonal: Double {
        var sum = 0.0
        for i in 0..<size {
            for j in 0..<i { sum += self[i, j] * self[i, j] }
        }
        return sum
    }

    private mutating func rotate(_ p: Int, _ q: Int, _ vectors: inout SquareMatrix) {
        guard self[p, q] != 0 else { return }
        let theta = (self[q, q] - self[p, p]) / (2 * self[p, q])
        let tangent = (theta < 0 ? -1 : 1) / (abs(theta) + (theta * theta + 1).squareRoot())
        let cosine = 1 / (tangent * tangent + 1).squareRoot()
        let sine = tangent * cosine
        for k in 0..<size {
            let (left, right) = (self[k, p], self[k, q])
            self[k, p] = cosine * left - sine * right
            self[k, q] = sine * left + cosine * right
        }
        for k in 0..<size {
            let (left, right) = (self[p, k], self[q, k])
            self[p, k] = cosine * left - sine * right
            self[q, k] = sine * left + cosine * right
            let (first, second) = (vectors[k, p], vectors[k, q])
            vectors[k, p] = cosine * first - sine * second
            vectors[k, q] = sine * first + cosine * second
        }
    }
}
