import GNSS
import Glibc

/// Computes the dilution of precision by its definition: the square roots of the diagonal of (HᵀH)⁻¹.
///
/// H has one row for each used satellite: its direction in east, north and up, and 1 for the receiver's clock. Source:
/// Kaplan and Hegarty, "Understanding GPS", section 7.3.1.
enum Dilution {
    /// The dilution of precision for satellites in these directions; nil if there are too few or their geometry gives
    /// no solution.
    static func dilution(of directions: [SkyDirection], isHeightHeld: Bool) -> DilutionOfPrecision? {
        let rows = directions.map { row(of: $0, isHeightHeld: isHeightHeld) }
        let unknowns = isHeightHeld ? 3 : 4
        guard rows.count >= unknowns, let covariance = inverse(normal(rows, unknowns)) else { return nil }
        let variances = (0..<unknowns).map { covariance[$0][$0] }
        let vertical = isHeightHeld ? 0 : variances[2]
        let time = variances[unknowns - 1]
        var dilution = DilutionOfPrecision()
        dilution.easting = variances[0].squareRoot()
        dilution.northing = variances[1].squareRoot()
        dilution.horizontal = (variances[0] + variances[1]).squareRoot()
        dilution.vertical = isHeightHeld ? nil : vertical.squareRoot()
        dilution.position = (variances[0] + variances[1] + vertical).squareRoot()
        dilution.time = time.squareRoot()
        dilution.geometric = (variances[0] + variances[1] + vertical + time).squareRoot()
        return dilution
    }

    private static func row(of direction: SkyDirection, isHeightHeld: Bool) -> [Double] {
        let level = cos(direction.elevation)
        let (east, north) = (level * sin(direction.azimuth), level * cos(direction.azimuth))
        return isHeightHeld ? [east, north, 1] : [east, north, sin(direction.elevation), 1]
    }

    private static func normal(_ rows: [[Double]], _ unknowns: Int) -> [[Double]] {
        (0..<unknowns).map { line in
            (0..<unknowns).map { column in rows.reduce(0) { $0 + $1[line] * $1[column] } }
        }
    }

    /// The inverse of a matrix, by Gauss-Jordan elimination with partial pivoting; nil if the matrix is singular.
    private static func inverse(_ matrix: [[Double]]) -> [[Double]]? {
        let size = matrix.count
        var work = matrix.indices.map { line in
            matrix[line] + (0..<size).map { $0 == line ? 1 : 0 }
        }
        for column in 0..<size {
            guard let pivot = (column..<size).max(by: { abs(work[$0][column]) < abs(work[$1][column]) }),
                abs(work[pivot][column]) > 1e-6
            else { return nil }
            work.swapAt(column, pivot)
            let scale = work[column][column]
            work[column] = work[column].map { $0 / scale }
            for line in 0..<size where line != column {
                let factor = work[line][column]
                work[line] = zip(work[line], work[column]).map { $0 - factor * $1 }
            }
        }
        return work.map { Array($0[size...]) }
    }
}
