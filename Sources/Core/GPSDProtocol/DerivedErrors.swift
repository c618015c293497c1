internal import GNSS
internal import SextantUnits

/// The values that gpsd derives for a TPV where the receiver gives none.
///
/// Factors: gpsd 3.27, user equivalent range errors times dilution (horizontal 15 m per axis and 19 m in all, vertical
/// 23 m, spherical 19 m; 3.75, 4.75, 5.75 and 4.75 m with differential corrections). The results follow gpsd's
/// convention, for gpsd's clients alone: `Fix.horizontalAccuracy` never comes from them.
struct DerivedErrors {
    private(set) var epx: Double?
    private(set) var epy: Double?
    private(set) var epv: Double?
    private(set) var eph: Double?
    private(set) var sep: Double?
    private(set) var eps: Double?
    private(set) var epc: Double?
    private(set) var epd: Double?
    private(set) var climb: Double?
    private(set) var speed: Double?
    /// The dilutions of precision computed from the satellites of the newest sky view; empty after an epoch without a
    /// position.
    private(set) var dilution = DilutionOfPrecision()

    private var previous: Previous?

    private struct Previous {
        var time: UTCInstant
        var latitude: Double
        var longitude: Double
        var height: Double?
        var horizontalError: Double?
        var verticalError: Double?
    }

    private struct Factors {
        var axis: Double
        var horizontal: Double
        var vertical: Double
        var spherical: Double

        static let plain = Factors(axis: 15, horizontal: 19, vertical: 23, spherical: 19)
        static let differential = Factors(axis: 3.75, horizontal: 4.75, vertical: 5.75, spherical: 4.75)
    }

    /// Takes an epoch, and derives from the dilutions of precision the errors that its receiver does not give.
    mutating func found(_ epoch: Epoch, geometry: DilutionOfPrecision?) {
        if let geometry { dilution = geometry }
        let fix = epoch.fix
        guard fix.hasPosition else {
            self = DerivedErrors()
            return
        }
        let factors = fix.quality == .differential ? Factors.differential : .plain
        let given = epoch.skyDilution ?? fix.dilution
        let own = epoch.axisErrors ?? AxisErrors()
        epx =
            own.easting ?? positive(epoch.errors?.longitude)
            ?? (fix.dilution.easting ?? dilution.easting).map { $0 * factors.axis }
        epy =
            own.northing ?? positive(epoch.errors?.latitude)
            ?? (fix.dilution.northing ?? dilution.northing).map { $0 * factors.axis }
        epv =
            own.vertical ?? positive(fix.verticalAccuracy)
            ?? (given.vertical ?? dilution.vertical).map { $0 * factors.vertical }
        eph =
            positive(fix.horizontalAccuracy)
            ?? (given.horizontal ?? dilution.horizontal).map { $0 * factors.horizontal }
        sep = own.spherical ?? (given.position ?? dilution.position).map { $0 * factors.spherical }
        difference(fix)
    }

    /// Derives speed, climb and their errors from two successive epochs.
    private mutating func difference(_ fix: Fix) {
        climb = fix.velocity.map { -$0.down }
        eps = fix.speedAccuracy
        epc = nil
        epd = nil
        speed = nil
        guard let time = fix.time, let latitude = fix.latitude, let longitude = fix.longitude else { return }
        let horizontalError = greater(epx, epy)
        let height = fix.type.hasHeight ? fix.heightAboveEllipsoid ?? fix.altitudeAboveMeanSeaLevel : nil
        if let previous, previous.time < time {
            let seconds = Double(time.nanoseconds(since: previous.time)) * 1e-9
            if climb == nil, let height, let before = previous.height { climb = (height - before) / seconds }
            if eps == nil { eps = sum(horizontalError, previous.horizontalError).map { $0 / seconds } }
            epc = sum(epv, previous.verticalError).map { $0 / seconds }
            let moved = distance(from: previous, toLatitude: latitude, longitude: longitude)
            if fix.speed == nil { speed = moved / seconds }
            if let error = horizontalError, moved > error {
                epd =
                    2 * Trigonometry.arcsine(error / (moved * moved + error * error).squareRoot())
                    * Trigonometry.degreesPerRadian
            }
        }
        previous = Previous(
            time: time, latitude: latitude, longitude: longitude, height: height, horizontalError: horizontalError,
            verticalError: epv)
    }

    /// The accuracy; nil where it is 0, with which receivers mean "unknown".
    private func positive(_ accuracy: Double?) -> Double? { accuracy.flatMap { $0 > 0 ? $0 : nil } }

    private func greater(_ first: Double?, _ second: Double?) -> Double? {
        guard let first, let second else { return nil }
        return max(first, second)
    }

    private func sum(_ first: Double?, _ second: Double?) -> Double? {
        guard let first, let second else { return nil }
        return first + second
    }

    /// The distance in metres from the previous epoch's position, on a sphere of the Earth's mean radius.
    private func distance(from previous: Previous, toLatitude latitude: Double, longitude: Double) -> Double {
        let metresPerDegree = GreatCircle.meanRadius / Trigonometry.degreesPerRadian
        let (_, cosine) = Trigonometry.sineAndCosine(latitude / Trigonometry.degreesPerRadian)
        var east = longitude - previous.longitude
        if east > 180 { east -= 360 }
        if east < -180 { east += 360 }
        let north = latitude - previous.latitude
        return metresPerDegree * (north * north + east * east * cosine * cosine).squareRoot()
    }
}
