import Testing

@testable import Magnetism

@Suite("Ellipsoid fit")
struct EllipsoidFitTests {
    /// Directions in a spiral from pole to pole.
    static func directions(_ count: Int) -> [SIMD3<Double>] {
        (0..<count).map { index in
            let z = 1 - 2 * (Double(index) + 0.5) / Double(count)
            let turn = Matrix3(turn: SIMD3(0, 0, 0.3))
            var radius = SIMD3<Double>((1 - z * z).squareRoot(), 0, 0)
            for _ in 0..<index { radius = turn * radius }
            return radius + SIMD3(0, 0, z)
        }
    }

    @Test func `finds the ellipsoid on which exact points lie`() throws {
        let shape = Matrix3(symmetric: [1.1, 0.95, 1.02, 0.04, -0.03, 0.02])
        let center = SIMD3(12.0, -34, 20)
        let points = Self.directions(60).map { shape.inverse * (48 * $0) + center }
        let fit = try #require(EllipsoidFit(points))
        #expect((fit.center - center).norm < 1e-3)
        let difference = (48 * fit.matrix).symmetricElements.enumerated().map { abs($1 - shape.symmetricElements[$0]) }
        #expect(difference.allSatisfy { $0 < 1e-4 })
    }

    @Test func `eight points, or one point repeated, give no fit`() {
        #expect(EllipsoidFit(Array(Self.directions(8))) == nil)
        #expect(EllipsoidFit([SIMD3<Double>](repeating: SIMD3(1, 2, 3), count: 40)) == nil)
    }

    @Test func `eigenvalues come with their vectors, the smallest first`() {
        var matrix = SquareMatrix(size: 6)
        for i in 0..<6 {
            for j in 0..<6 { matrix[i, j] = Double((i + 1) * (j + 1) % 7) + (i == j ? 10 : 0) }
        }
        for (value, vector) in matrix.eigen() {
            for i in 0..<6 {
                let image = (0..<6).reduce(0.0) { $0 + matrix[i, $1] * vector[$1] }
                #expect(abs(image - value * vector[i]) < 1e-9)
            }
        }
        let values = matrix.eigen().map(\.value)
        #expect(values == values.sorted())
    }

    @Test func `a Cholesky factor solves its equations, and a matrix that is not positive definite has none`() throws {
        var matrix = SquareMatrix(size: 3)
        (matrix[0, 0], matrix[1, 1], matrix[2, 2]) = (4, 5, 6)
        (matrix[1, 0], matrix[2, 0], matrix[2, 1]) = (1, -1, 2)
        let factor = try #require(matrix.cholesky())
        let x = factor.solve([1, 2, 3])
        #expect(abs(4 * x[0] + x[1] - x[2] - 1) < 1e-12)
        #expect(abs(x[0] + 5 * x[1] + 2 * x[2] - 2) < 1e-12)
        matrix[2, 2] = -6
        #expect(matrix.cholesky() == nil)
    }

    @Test func `the square root of a squared matrix is the matrix, and a rotation keeps lengths`() throws {
        let matrix = Matrix3(symmetric: [2, 3, 4, 0.5, -0.2, 0.1])
        let root = try #require((matrix * matrix).squareRoot)
        for (one, other) in zip(root.symmetricElements, matrix.symmetricElements) { #expect(abs(one - other) < 1e-12) }
        #expect(Matrix3(symmetric: [1, 1, -1, 0, 0, 0]).squareRoot == nil)
        let turn = Matrix3(turn: SIMD3(0.3, -0.2, 0.9))
        #expect(abs((turn * SIMD3(1, 2, 3)).norm - 14.0.squareRoot()) < 1e-12)
        #expect(abs(turn.determinant - 1) < 1e-12)
    }
}
