/// The sum of the model's harmonics at a place, order by order, and by degree within each order.
///
/// For orders from 1 on, Legendre functions that are divided by the cosine of the latitude are used. Each of the
/// undivided functions contains that cosine as a factor, so nothing is divided by zero at the poles. Source: equations
/// 9 to 12 of the model's report.
struct SphericalHarmonics {
    /// The field vector in the spherical (geocentric) frame; nT.
    private(set) var vector = (north: 0.0, east: 0.0, down: 0.0)

    private let place: GeocentricPlace
    private let years: Double
    /// The powers (a / r) to the n + 2 for each degree n, where a is the radius of the geomagnetic sphere and r the
    /// distance from the Earth's centre.
    private var powers = InlineArray<13, Double>(repeating: 0)

    /// The radius of the geomagnetic reference sphere, in metres, from section 1.2 of the model's report.
    private static let referenceRadius = 6_371_200.0
    private static let degree = WMM2025Coefficients.degree

    /// - Parameter years: Years since the model's epoch.
    init(at place: GeocentricPlace, years: Double) {
        self.place = place
        self.years = years
        let ratio = SphericalHarmonics.referenceRadius / place.radius
        var power = ratio * ratio
        for degree in 0...SphericalHarmonics.degree {
            powers[degree] = power
            power *= ratio
        }
        // The Legendre functions whose degree equals their order, and the sines and cosines of multiples of the
        // longitude, are computed from those of the order before.
        addOrder(0, first: 1, sine: 0, cosine: 1)
        var sectoral = 1.0
        var (sine, cosine) = (place.sineLongitude, place.cosineLongitude)
        for order in 1...SphericalHarmonics.degree {
            addOrder(order, first: sectoral, sine: sine, cosine: cosine)
            let next = Double(order + 1)
            sectoral *= place.cosineLatitude * ((2 * next - 1) / (2 * next)).squareRoot()
            (sine, cosine) = (
                sine * place.cosineLongitude + cosine * place.sineLongitude,
                cosine * place.cosineLongitude - sine * place.sineLongitude
            )
        }
    }

    /// Adds the terms of one order, for all degrees.
    ///
    /// - Parameters:
    ///   - first: The order's first Schmidt semi-normalised function, whose degree equals the order; divided by the
    ///     latitude's cosine unless the order is 0.
    ///   - sine: The sine of the order times the longitude.
    private mutating func addOrder(_ order: Int, first: Double, sine: Double, cosine: Double) {
        let squaredOrder = Double(order * order)
        let scale = order == 0 ? 1 : place.cosineLatitude
        var before = LegendreTerm(value: 0, slope: 0)
        var now = LegendreTerm(value: first, slope: -Double(order) * place.sineLatitude * first)
        var beforeRoot = 0.0
        for degree in order...SphericalHarmonics.degree {
            if degree > order {
                let root = (Double(degree * degree) - squaredOrder).squareRoot()
                let factor = Double(2 * degree - 1) / root
                let next = LegendreTerm(
                    value: factor * place.sineLatitude * now.value - beforeRoot / root * before.value,
                    slope: factor * (place.cosineLatitude * scale * now.value + place.sineLatitude * now.slope)
                        - beforeRoot / root * before.slope)
                (before, now, beforeRoot) = (now, next, root)
            }
            if degree > 0 { add(now, scale, degree, order, sine, cosine) }
        }
    }

    /// A Legendre function, divided by the latitude's cosine unless the order is 0, and its derivative with respect to
    /// latitude.
    private struct LegendreTerm {
        var value: Double
        var slope: Double
    }

    private mutating func add(
        _ term: LegendreTerm, _ scale: Double, _ degree: Int, _ order: Int, _ sine: Double, _ cosine: Double
    ) {
        let index = 4 * WMM2025Coefficients.row(degree: degree, order: order)
        let g = WMM2025Coefficients.table[index] + years * WMM2025Coefficients.table[index + 2]
        let h = WMM2025Coefficients.table[index + 1] + years * WMM2025Coefficients.table[index + 3]
        let along = powers[degree] * (g * cosine + h * sine)
        vector.north -= along * term.slope
        vector.east += powers[degree] * Double(order) * (g * sine - h * cosine) * term.value
        vector.down -= Double(degree + 1) * along * term.value * scale
    }
}
