internal import SextantUnits

/// How well measured directions cover the sphere: it has 72 sections of equal area, in 6 bands of 12.
public struct SphereCoverage: Sendable, Equatable {
    public static let bands = 6
    public static let sectors = 12
    public static let sectionCount = bands * sectors

    /// The number of samples in each section: band by band from -z to +z, and in each band from +x over +y all round.
    public private(set) var counts = [Int](repeating: 0, count: sectionCount)

    init(_ directions: [SIMD3<Double>]) {
        for direction in directions { counts[SphereCoverage.section(of: direction)] += 1 }
    }

    /// The number of the sphere's sections that hold a sample.
    public var filledCount: Int { counts.count { $0 > 0 } }

    /// The share of the sphere's sections that hold a sample, 0 to 1.
    public var filledShare: Double { Double(filledCount) / Double(SphereCoverage.sectionCount) }

    /// The index of the section in which a unit vector lies.
    ///
    /// Bands of equal height have equal area: Archimedes, "On the Sphere and Cylinder" I.
    static func section(of direction: SIMD3<Double>) -> Int {
        let band = min(bands - 1, max(0, Int(saturating: (direction.z + 1) / 2 * Double(bands), .towardZero)))
        return band * sectors + sector(y: direction.y, x: direction.x)
    }

    /// The sector of a direction in the x-y plane: a twelfth of a turn, counted 0 to 11 from +x over +y.
    static func sector(y: Double, x: Double) -> Int {
        let turn = Trigonometry.arctangent(y: y, x: x) / (2 * .pi)
        return min(sectors - 1, Int(saturating: (turn < 0 ? turn + 1 : turn) * Double(sectors), .towardZero))
    }
}

/// The standard deviations of vectors along their three principal axes, the smallest first.
struct FieldScatter {
    let mean: SIMD3<Double>
    /// The standard deviation along each axis, the smallest first; in the vectors' unit.
    let deviations: SIMD3<Double>
    let axes: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    init(_ points: [SIMD3<Double>]) {
        let mean = points.reduce(SIMD3.zero, +) / Double(max(1, points.count))
        var columns = (SIMD3<Double>.zero, SIMD3<Double>.zero, SIMD3<Double>.zero)
        for point in points {
            let rest = (point - mean) / Double(points.count).squareRoot()
            columns.0 += rest * rest.x
            columns.1 += rest * rest.y
            columns.2 += rest * rest.z
        }
        let pairs = Matrix3(columns: columns.0, columns.1, columns.2).eigen
        self.mean = mean
        deviations = SIMD3(
            max(0, pairs[0].value).squareRoot(), max(0, pairs[1].value).squareRoot(),
            max(0, pairs[2].value).squareRoot())
        axes = (pairs[0].vector, pairs[1].vector, pairs[2].vector)
    }
}
