/// A matrix of three rows and three columns, stored by columns.
public struct Matrix3: Sendable, Hashable {
    public var columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
        get { (first, second, third) }
        set { (first, second, third) = newValue }
    }

    private var first: SIMD3<Double>
    private var second: SIMD3<Double>
    private var third: SIMD3<Double>

    public init(columns first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
        self.first = first
        self.second = second
        self.third = third
    }

    public static let identity = Matrix3(columns: SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))

    public static func * (matrix: Matrix3, vector: SIMD3<Double>) -> SIMD3<Double> {
        matrix.first * vector.x + matrix.second * vector.y + matrix.third * vector.z
    }

    public static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
        Matrix3(columns: left * right.first, left * right.second, left * right.third)
    }
}
