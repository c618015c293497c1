/// The series for the integrals along a geodesic, which is a great circle on the auxiliary sphere.
///
/// The series, in powers of Karney's small parameter ε, go to the sixth order: enough for the full precision of a
/// Double on the Earth's ellipsoid.
struct GeodesicSeries {
    /// The square of k = e′ cos α0, with the second eccentricity e′ and the azimuth α0 at the equator; Karney's
    /// equation 9.
    let modulusSquared: Double
    /// The expansion parameter ε; equation 16 of Karney's paper, which `Geodesic` names.
    let epsilon: Double

    typealias Terms = InlineArray<6, Double>

    /// - Parameter cosineEquatorAzimuth: The cosine of α0, the azimuth at the equator.
    init(cosineEquatorAzimuth: Double) {
        let squared =
            WGS84.eccentricitySquared / (1 - WGS84.eccentricitySquared) * cosineEquatorAzimuth * cosineEquatorAzimuth
        modulusSquared = squared
        epsilon = squared / (2 * (1 + (1 + squared).squareRoot()) + squared)
    }

    /// The factor A1 in the series for the distance; Karney's equation 17.
    var distanceFactor: Double {
        let square = epsilon * epsilon
        return (1 + square * (1 / 4 + square * (1 / 64 + square / 256))) / (1 - epsilon)
    }

    /// The terms C1 in the series for the distance; Karney's equation 18.
    var distanceTerms: Terms {
        let (e, q) = (epsilon, epsilon * epsilon)
        return [
            e * (-1 / 2 + q * (3 / 16 - q / 32)),
            q * (-1 / 16 + q * (1 / 32 - q * 9 / 2048)),
            e * q * (-1 / 48 + q * 3 / 256),
            q * q * (-5 / 512 + q * 3 / 512),
            -e * q * q * 7 / 1280,
            -q * q * q * 7 / 2048,
        ]
    }

    /// The terms C1′ in the series that turns a distance into an arc; Karney's equation 21.
    var reversedTerms: Terms {
        let (e, q) = (epsilon, epsilon * epsilon)
        return [
            e * (1 / 2 + q * (-9 / 32 + q * 205 / 1536)),
            q * (5 / 16 + q * (-37 / 96 + q * 1335 / 4096)),
            e * q * (29 / 96 - q * 75 / 128),
            q * q * (539 / 1536 - q * 2391 / 2560),
            e * q * q * 3467 / 7680,
            q * q * q * 38081 / 61440,
        ]
    }

    /// The factor A2 in the series for the reduced length; Karney's equation 42.
    var reducedLengthFactor: Double {
        let square = epsilon * epsilon
        return (1 - epsilon) * (1 + square * (1 / 4 + square * (9 / 64 + square * 25 / 256)))
    }

    /// The terms C2 in the series for the reduced length; Karney's equation 43.
    var reducedLengthTerms: Terms {
        let (e, q) = (epsilon, epsilon * epsilon)
        return [
            e * (1 / 2 + q * (1 / 16 + q / 32)),
            q * (3 / 16 + q * (1 / 32 + q * 35 / 2048)),
            e * q * (5 / 48 + q * 5 / 256),
            q * q * (35 / 512 + q * 7 / 512),
            e * q * q * 63 / 1280,
            q * q * q * 77 / 2048,
        ]
    }

    /// The third flattening n of the ellipsoid.
    private static let n = WGS84.flattening / (2 - WGS84.flattening)

    /// The factor A3 in the series for the longitude; Karney's equation 24.
    var longitudeFactor: Double {
        let (e, n) = (epsilon, GeodesicSeries.n)
        return 1 - e
            * ((1 - n) / 2 + e
                * (1 / 4 + n * (1 / 8 - n * 3 / 8) + e
                    * (1 / 16 + n * (3 / 16 + n / 16) + e * (3 / 64 + n / 32 + e * 3 / 128))))
    }

    /// The terms C3 in the series for the longitude, of which there are five; Karney's equation 25.
    var longitudeTerms: Terms {
        let (e, n) = (epsilon, GeodesicSeries.n)
        let q = e * e
        let first =
            (1 - n) / 4 + e
            * ((1 - n * n) / 8 + e * (3 / 64 + n * (3 / 64 - n / 64) + e * (5 / 128 + n / 64 + e * 3 / 128)))
        let second =
            1 / 16 + n * (-3 / 32 + n / 32) + e
            * (3 / 64 - n * (1 / 32 + n * 3 / 64) + e * (3 / 128 + n / 128 + e * 5 / 256))
        let third = 5 / 192 + n * (-3 / 64 + n * 5 / 192) + e * (3 / 128 - n * 5 / 192 + e * 7 / 512)
        let fourth = 7 / 512 - n * 7 / 256 + e * 7 / 512
        return [e * first, q * second, e * q * third, q * q * fourth, e * q * q * 21 / 2560, 0]
    }

    /// The sum Σ terms[l - 1] sin 2lσ over l = 1 to 6, by Clenshaw's recurrence.
    static func sum(_ terms: borrowing Terms, _ sigma: Direction) -> Double {
        // The factor 2 cos 2σ of the recurrence.
        let doubled = 2 * (sigma.cosine - sigma.sine) * (sigma.cosine + sigma.sine)
        var (last, beforeLast) = (0.0, 0.0)
        for index in terms.indices.reversed() {
            (last, beforeLast) = (doubled * last - beforeLast + terms[index], last)
        }
        return 2 * sigma.sine * sigma.cosine * last
    }
}
