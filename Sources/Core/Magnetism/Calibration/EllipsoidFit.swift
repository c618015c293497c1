/// The ellipsoid that fits points best in the algebraic sense, in closed form and without iteration.
///
/// Source: Q. Li and J. G. Griffiths, "Least squares ellipsoid specific fitting", Geometric Modeling and Processing
/// 2004: under the constraint 4J - I² = 1 the result is an ellipsoid, never another quadric.
package struct EllipsoidFit {
    /// The ellipsoid's center; microtesla.
    package var center: SIMD3<Double>
    /// The symmetric matrix that turns the ellipsoid into the unit sphere; 1/microtesla.
    package var matrix: Matrix3

    /// Fits an ellipsoid to points; nil where they are fewer than nine or lie in a plane.
    package init?(_ points: [SIMD3<Double>]) {
        guard points.count >= 9 else { return nil }
        let mean = points.reduce(SIMD3.zero, +) / Double(points.count)
        let scale = (points.reduce(0) { $0 + ($1 - mean).dot($1 - mean) } / Double(points.count)).squareRoot()
        guard scale > 0, scale.isFinite,
            let quadric = EllipsoidFit.quadric(points.map { ($0 - mean) / scale })
        else { return nil }
        let form = Matrix3(symmetric: Array(quadric[0..<6]))
        let linear = SIMD3(quadric[6], quadric[7], quadric[8])
        guard abs(form.determinant) > 1e-12 else { return nil }
        // With A the quadratic `form`, b the `linear` terms and d the constant, xᵀAx + 2bᵀx + d = 0 is the same as (x -
        // c)ᵀA(x - c) = cᵀAc - d, with the centre c = -A⁻¹b.
        let middle = form.inverse * (-linear)
        let size = middle.dot(form * middle) - quadric[9]
        guard size != 0, let root = ((1 / size) * form).squareRoot, root.isFinite else { return nil }
        center = mean + scale * middle
        matrix = (1 / scale) * root
    }

    /// The coefficients of the quadric that fits the points: those of xx, yy, zz, xy, xz, yz, x, y, z and 1.
    ///
    /// Those of the mixed and of the linear terms are half of the polynomial's coefficients.
    private static func quadric(_ points: [SIMD3<Double>]) -> [Double]? {
        var scatter = SquareMatrix(size: 10)
        for p in points {
            // The mixed terms stand in the order xy, xz, yz, while the paper has yz, xz, xy; the order does not matter,
            // because the constraint treats the three alike.
            let row = [
                p.x * p.x, p.y * p.y, p.z * p.z, 2 * p.x * p.y, 2 * p.x * p.z, 2 * p.y * p.z, 2 * p.x, 2 * p.y,
                2 * p.z, 1,
            ]
            scatter.addSquare(of: row, weight: 1)
        }
        // Points that lie exactly on an ellipsoid make the scatter matrix singular. This addition prevents that, and is
        // far below what any sensor resolves.
        for i in 0..<10 { scatter[i, i] += 1e-12 * Double(points.count) }
        // In reversed order the linear terms come first, so the last 6 × 6 block of the Cholesky factor belongs to the
        // quadratic terms alone.
        var reversed = SquareMatrix(size: 10)
        for i in 0..<10 {
            for j in 0...i { reversed[9 - j, 9 - i] = scatter[i, j] }
        }
        guard let factor = reversed.cholesky() else { return nil }
        return solve(factor)
    }

    /// - Parameter factor: The Cholesky factor of the points' scatter matrix, with rows in the order 1, z, y, x, yz,
    ///   xz, xy, zz, yy, xx.
    private static func solve(_ factor: SquareMatrix) -> [Double]? {
        // The lower right block of the Cholesky factor is the Cholesky factor of the Schur complement of the quadratic
        // terms.
        var block = SquareMatrix(size: 6)
        for i in 0..<6 {
            for j in 0...i { block[i, j] = factor[i + 4, j + 4] }
        }
        guard let quadratic = constrained(block) else { return nil }
        // The linear coefficients v follow from the quadratic ones u: L11ᵀ v = -L21ᵀ u. L11 and L21 are the upper and
        // lower left blocks of the factor.
        var corner = SquareMatrix(size: 4)
        var right = [Double](repeating: 0, count: 4)
        for i in 0..<4 {
            for j in 0...i { corner[i, j] = factor[i, j] }
            for k in 0..<6 { right[i] -= factor[k + 4, i] * quadratic[k] }
        }
        let linear = corner.solveUpper(right)
        return Array(quadratic.reversed()) + Array(linear.reversed())
    }

    /// The coefficients of the quadratic terms in reversed order: yz, xz, xy, zz, yy, xx.
    ///
    /// With the Cholesky factor L and the paper's constraint matrix C, they follow from the eigenvector of the one
    /// positive eigenvalue of L⁻¹ C L⁻ᵀ.
    private static func constrained(_ factor: SquareMatrix) -> [Double]? {
        // The matrix of the constraint 4J - I², where I is the trace of the quadratic form and J the sum of its
        // principal minors; the first three rows belong to yz, xz, xy.
        let constraint: [[Double]] = [
            [-4, 0, 0, 0, 0, 0], [0, -4, 0, 0, 0, 0], [0, 0, -4, 0, 0, 0],
            [0, 0, 0, -1, 1, 1], [0, 0, 0, 1, -1, 1], [0, 0, 0, 1, 1, -1],
        ]
        var left = SquareMatrix(size: 6)
        for column in 0..<6 {
            let solved = factor.solveLower((0..<6).map { constraint[$0][column] })
            for row in 0..<6 { left[row, column] = solved[row] }
        }
        var whole = SquareMatrix(size: 6)
        for row in 0..<6 {
            let solved = factor.solveLower((0..<6).map { left[row, $0] })
            for column in 0..<6 { whole[row, column] = solved[column] }
        }
        guard let greatest = whole.eigen().last, greatest.value > 0 else { return nil }
        return factor.solveUpper(greatest.vector)
    }
}
