internal import Foundation

/// The shortest line over the WGS84 ellipsoid.
enum Geodesic {
    /// The length between two places.
    ///
    /// Unit: metre. T. Vincenty's inverse formula ("Direct and inverse solutions of geodesics on the ellipsoid", Survey
    /// Review XXIII 176, 1975), good to a millimetre. It does not converge where the places are nearly antipodal; there
    /// the great circle on the sphere of mean radius stands in, within 0.5 %. The order of the places is immaterial.
    static func distance(from start: CLLocationCoordinate2D, to end: CLLocationCoordinate2D) -> Double {
        let swapped = (end.latitude, end.longitude) < (start.latitude, start.longitude)
        return Line(from: swapped ? end : start, to: swapped ? start : end).length
    }
}

/// One pair of places on the auxiliary sphere.
private struct Line {
    /// Equatorial radius in metres and flattening; source: NGA.STND.0036, WGS 84.
    static let a = 6_378_137.0
    static let f = 1 / 298.257_223_563
    static let b = a * (1 - f)

    let sinU1: Double, cosU1: Double, sinU2: Double, cosU2: Double
    let longitudeDifference: Double

    init(from start: CLLocationCoordinate2D, to end: CLLocationCoordinate2D) {
        let u1 = atan((1 - Self.f) * tan(start.latitude * .pi / 180))
        let u2 = atan((1 - Self.f) * tan(end.latitude * .pi / 180))
        (sinU1, cosU1) = (sin(u1), cos(u1))
        (sinU2, cosU2) = (sin(u2), cos(u2))
        longitudeDifference = (end.longitude - start.longitude).remainder(dividingBy: 360) * .pi / 180
    }

    /// Unit: metre.
    var length: Double {
        var lambda = longitudeDifference
        for _ in 0..<100 {
            let arc = Arc(self, lambda: lambda)
            guard arc.sinSigma != 0 else { return 0 }
            let next = arc.nextLambda(from: longitudeDifference)
            guard abs(next) <= .pi else { break }
            if abs(next - lambda) < 1e-12 || next.isNaN { return arc.length }
            lambda = next
        }
        let mean = (2 * Self.a + Self.b) / 3
        return mean * Arc(self, lambda: longitudeDifference).sigma
    }
}

/// The arc at one guess of the difference in longitude on the auxiliary sphere, in Vincenty's letters.
private struct Arc {
    let sinSigma: Double, cosSigma: Double, sigma: Double
    let sinAlpha: Double, cosSquaredAlpha: Double, cos2SigmaM: Double

    init(_ line: Line, lambda: Double) {
        let (sinLambda, cosLambda) = (sin(lambda), cos(lambda))
        let across = line.cosU2 * sinLambda
        let along = line.cosU1 * line.sinU2 - line.sinU1 * line.cosU2 * cosLambda
        sinSigma = hypot(across, along)
        cosSigma = line.sinU1 * line.sinU2 + line.cosU1 * line.cosU2 * cosLambda
        sigma = atan2(sinSigma, cosSigma)
        sinAlpha = sinSigma == 0 ? 0 : line.cosU1 * line.cosU2 * sinLambda / sinSigma
        cosSquaredAlpha = 1 - sinAlpha * sinAlpha
        // Along the equator the middle of the line has no latitude to speak of.
        cos2SigmaM = cosSquaredAlpha == 0 ? 0 : cosSigma - 2 * line.sinU1 * line.sinU2 / cosSquaredAlpha
    }

    /// Equations 10 and 11.
    func nextLambda(from difference: Double) -> Double {
        let c = Line.f / 16 * cosSquaredAlpha * (4 + Line.f * (4 - 3 * cosSquaredAlpha))
        let inner = cos2SigmaM + c * cosSigma * (2 * cos2SigmaM * cos2SigmaM - 1)
        return difference + (1 - c) * Line.f * sinAlpha * (sigma + c * sinSigma * inner)
    }

    /// Equations 3, 4, 6 and 19, in metres.
    var length: Double {
        let u2 = cosSquaredAlpha * (Line.a * Line.a - Line.b * Line.b) / (Line.b * Line.b)
        let bigA = 1 + u2 / 16_384 * (4_096 + u2 * (-768 + u2 * (320 - 175 * u2)))
        let bigB = u2 / 1_024 * (256 + u2 * (-128 + u2 * (74 - 47 * u2)))
        let square = 2 * cos2SigmaM * cos2SigmaM - 1
        let cube = cos2SigmaM * (4 * sinSigma * sinSigma - 3) * (4 * cos2SigmaM * cos2SigmaM - 3)
        let delta = bigB * sinSigma * (cos2SigmaM + bigB / 4 * (cosSigma * square - bigB / 6 * cube))
        return Line.b * bigA * (sigma - delta)
    }
}
