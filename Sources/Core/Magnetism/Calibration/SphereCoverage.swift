internal import SextantUnits

/// The parts of the sphere of directions that have been seen: 72 sections of equal area, in 6 bands of 12.
public struct SphereCoverage: Sendable, Equatable {
    public static let bands = 6
    public static let sectors = 12
    public static let sectionCount = bands * sectors

    /// How many samples each section holds, band by band from the bottom, sector by sector from +x to +y.
    public private(set) var counts = [Int](repeating: 0, count: sectionCount)

    init(_ directions: [SIMD3<Double>]) {
        for direction in directions { counts[SphereCoverage.section(of: direction)] += 1 }
    }

    /// How many sections hold a sample.
    public var filledCount: Int { counts.count { $0 > 0 } }

    /// The share of the sphere that has been seen, 0 to 1.
    public var filledShare: Double { Double(filledCount) / Double(SphereCoverage.sectionCount) }

    /// The section of a unit vector.
    ///
    /// Bands of equal height have equal area: Archimedes, "On the Sphere and Cylinder" I.
    static func section(of direction: SIMD3<Double>) -> Int {
        let band = min(bands - 1, max(0, Int(saturating: (direction.z + 1) / 2 * Double(bands), .towardZero)))
        return band * sectors + sector(y: direction.y, x: direction.x)
    }

    /// The twelfth of a turn, 0 to 11 from +x to +y, in which a direction of the x-y plane lies.
    static func sector(y: Double, x: Double) -> Int {
        let turn = Trigonometry.arctangent(y: y, x: x) / (2 * .pi)
        return min(sectors - 1, Int(saturating: (turn < 0 ? turn + 1 : turn) * Double(sectors), .towardZero))
    }
}

/// The spread of samples along three axes at right angles, smallest first.
struct FieldScatter {
    let mean: SIMD3<Double>
    /// One standard deviation along each axis, smallest first; in the samples' unit.
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
