internal import GNSS
internal import SextantUnits

/// Dilution of precision from the directions of the used satellites, for receivers that do not report it.
///
/// It is computed from the covariance of a solution whose ranges all have an error with the standard deviation 1, with
/// one receiver clock; every signal in use counts as a range of its own. Source: E. D. Kaplan and C. J. Hegarty,
/// Understanding GPS/GNSS, 3rd edition, section 11.2.
enum SkyGeometry {
    static func dilution(of satellites: [Satellite]) -> DilutionOfPrecision? {
        var normal = SymmetricMatrix4()
        var count = 0
        for satellite in satellites {
            guard satellite.isUsed, let elevation = satellite.elevation, let azimuth = satellite.azimuth,
                elevation > 0 || azimuth > 0
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
}

/// The normal matrix of a solution for position and clock; only its lower triangle is stored, as `a` with row and
/// column.
private struct SymmetricMatrix4 {
    private var a00 = 0.0
    private var a10 = 0.0, a11 = 0.0
    private var a20 = 0.0, a21 = 0.0, a22 = 0.0
    private var a30 = 0.0, a31 = 0.0, a32 = 0.0, a33 = 0.0

    /// Adds a satellite in the direction of the unit vector (east, north, up): the outer product of the vector (east,
    /// north, up, 1) with itself.
    mutating func add(east: Double, north: Double, up: Double) {
        a00 += east * east
        a10 += north * east
        a11 += north * north
        a20 += up * east
        a21 += up * north
        a22 += up * up
        a30 += east
        a31 += north
        a32 += up
        a33 += 1
    }

    /// The diagonal of the inverse matrix, by Cholesky's method; nil where the matrix is singular or nearly so.
    ///
    /// The Cholesky factor l is inverted column by column; each diagonal element of the result is the squared length of
    /// a column of the inverted factor.
    func inverseDiagonal() -> (Double, Double, Double, Double)? {
        guard a00 > 1e-9 else { return nil }
        let l00 = a00.squareRoot()
        let (l10, l20, l30) = (a10 / l00, a20 / l00, a30 / l00)
        let d11 = a11 - l10 * l10
        guard d11 > 1e-9 else { return nil }
        let l11 = d11.squareRoot()
        let (l21, l31) = ((a21 - l20 * l10) / l11, (a31 - l30 * l10) / l11)
        let d22 = a22 - l20 * l20 - l21 * l21
        guard d22 > 1e-9 else { return nil }
        let l22 = d22.squareRoot()
        let l32 = (a32 - l30 * l20 - l31 * l21) / l22
        let d33 = a33 - l30 * l30 - l31 * l31 - l32 * l32
        guard d33 > 1e-9 else { return nil }
        let l33 = d33.squareRoot()

        let (m00, m11, m22, m33) = (1 / l00, 1 / l11, 1 / l22, 1 / l33)
        let m10 = (0 - l10 * m00) / l11
        let m20 = (0 - l20 * m00 - l21 * m10) / l22
        let m30 = (0 - l30 * m00 - l31 * m10 - l32 * m20) / l33
        let m21 = (0 - l21 * m11) / l22
        let m31 = (0 - l31 * m11 - l32 * m21) / l33
        let m32 = (0 - l32 * m22) / l33
        return (
            m00 * m00 + m10 * m10 + m20 * m20 + m30 * m30, m11 * m11 + m21 * m21 + m31 * m31, m22 * m22 + m32 * m32,
            m33 * m33
        )
    }
}

/// A table of the sines and cosines of whole degrees; receivers give directions in whole degrees.
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
