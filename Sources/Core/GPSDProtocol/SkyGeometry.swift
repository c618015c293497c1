internal import GNSS
internal import Units

/// Dilution of precision from where the used satellites stand, for receivers that do not say.
///
/// Source: E. D. Kaplan and C. J. Hegarty, Understanding GPS/GNSS, 3rd edition, section 11.2: the covariance of a unit
/// range error, with one clock.
enum SkyGeometry {
    static func dilution(of satellites: [Satellite]) -> DilutionOfPrecision? {
        var normal = SymmetricMatrix4()
        var count = 0
        for index in satellites.indices {
            guard satellites[index].isUsed, let elevation = satellites[index].elevation,
                let azimuth = satellites[index].azimuth, elevation > 0 || azimuth > 0,
                isFirst(index, in: satellites)
            else { continue }
            let (sineElevation, cosineElevation) = WholeDegrees.sineAndCosine(Int(elevation))
            let (sineAzimuth, cosineAzimuth) = WholeDegrees.sineAndCosine(Int(azimuth))
            normal.add(
                east: cosineElevation * sineAzimuth, north: cosineElevation * cosineAzimuth, up: sineElevation)
            count += 1
        }
        guard count >= 4, let covariance = normal.inverseDiagonal() else { return nil }
        var dilution = DilutionOfPrecision()
        dilution.easting = covariance.0.squareRoot()
        dilution.northing = covariance.1.squareRoot()
        dilution.vertical = covariance.2.squareRoot()
        dilution.time = covariance.3.squareRoot()
        dilution.horizontal = (covariance.0 + covariance.1).squareRoot()
        dilution.position = (covariance.0 + covariance.1 + covariance.2).squareRoot()
        dilution.geometric = (covariance.0 + covariance.1 + covariance.2 + covariance.3).squareRoot()
        return dilution
    }

    /// Whether no earlier entry is the same satellite on another signal.
    private static func isFirst(_ index: Int, in satellites: [Satellite]) -> Bool {
        guard satellites[index].signal ?? 0 != 0 else { return true }
        for earlier in 0..<index where satellites[earlier].id == satellites[index].id { return false }
        return true
    }
}

/// The normal matrix of position and clock.
private struct SymmetricMatrix4 {
    /// Rows of the lower triangle.
    private var a = InlineArray<10, Double>(repeating: 0)

    mutating func add(east: Double, north: Double, up: Double) {
        let row: InlineArray<4, Double> = [east, north, up, 1]
        var place = 0
        for i in 0..<4 {
            for j in 0...i {
                a[place] += row[i] * row[j]
                place += 1
            }
        }
    }

    /// The diagonal of the inverse, by Cholesky; nil where the matrix is singular or nearly so.
    func inverseDiagonal() -> (Double, Double, Double, Double)? {
        var factor = a
        for i in 0..<4 {
            for j in 0...i {
                var sum = a[at(i, j)]
                for k in 0..<j { sum -= factor[at(i, k)] * factor[at(j, k)] }
                if i == j {
                    guard sum > 1e-9 else { return nil }
                    factor[at(i, i)] = sum.squareRoot()
                } else {
                    factor[at(i, j)] = sum / factor[at(j, j)]
                }
            }
        }
        return (
            squaredColumn(factor, 0), squaredColumn(factor, 1), squaredColumn(factor, 2), squaredColumn(factor, 3)
        )
    }

    /// The squared length of a column of the factor's inverse, which is the inverse's diagonal element.
    private func squaredColumn(_ factor: InlineArray<10, Double>, _ column: Int) -> Double {
        var solution = InlineArray<4, Double>(repeating: 0)
        var total = 0.0
        for i in column..<4 {
            var sum = i == column ? 1.0 : 0.0
            for k in column..<i { sum -= factor[at(i, k)] * solution[k] }
            solution[i] = sum / factor[at(i, i)]
            total += solution[i] * solution[i]
        }
        return total
    }

    private func at(_ i: Int, _ j: Int) -> Int { i * (i + 1) / 2 + j }
}

/// Sines of whole degrees, as receivers give directions in.
private enum WholeDegrees {
    private static let sines: [Double] = (0..<450).map {
        Trigonometry.sineAndCosine(Double($0) / Trigonometry.degreesPerRadian).sine
    }

    static func sineAndCosine(_ degrees: Int) -> (Double, Double) {
        let turned = degrees % 360
        let index = turned < 0 ? turned + 360 : turned
        return (sines[index], sines[index + 90])
    }
}
