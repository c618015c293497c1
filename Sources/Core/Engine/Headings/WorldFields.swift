internal import Magnetism
internal import SextantUnits

/// The Earth's magnetic field at the board's place, evaluated anew after the board has moved by 2 km, and every day.
///
/// Over 2 km the declination changes by some hundredths of a degree, except near the magnetic poles, where a compass is
/// of no use anyway.
struct WorldFields: Sendable {
    private struct Entry: Sendable {
        let latitude: Double
        let longitude: Double
        let time: UTCInstant
        /// The field at this place and time; nil at a time that the model does not cover.
        let field: GeomagneticField?
        let validity: WorldModelValidity

        func isNear(_ latitude: Double, _ longitude: Double, _ time: UTCInstant) -> Bool {
            guard time.nanoseconds(since: self.time).magnitude < UTCInstant.nanosecondsPerDay else { return false }
            let frame = LocalFrame(latitude: self.latitude, longitude: self.longitude)
            let point = frame.point(latitude: latitude, longitude: longitude)
            return point.distance(to: LocalPoint(east: 0, north: 0)) < WorldFields.reach
        }
    }

    private var precise: Entry?
    private var coarse: Entry?

    /// Metres that the board may move before the field is evaluated anew.
    private static let reach = 2000.0

    /// The field at the board's place; nil before a fix, and at a time that the model does not cover.
    var here: GeomagneticField? { precise?.field }

    /// Why true north is not known although the place is, in a sentence; nil where nothing is wrong.
    var problem: String? {
        guard let precise, precise.validity != .valid else { return nil }
        return precise.validity.description
    }

    /// The declination at the board's place, in degrees from true to magnetic north, east positive.
    ///
    /// Nil where the field is not known, and in the blackout zones about the magnetic poles.
    var declination: Double? { here.flatMap(WorldFields.declination) }

    /// Evaluates the field for the board's place, where the last evaluation no longer holds.
    ///
    /// - Parameter altitude: Metres above the ellipsoid.
    mutating func found(latitude: Double, longitude: Double, altitude: Double, at time: UTCInstant) {
        guard precise?.isNear(latitude, longitude, time) != true else { return }
        precise = WorldFields.entry(latitude, longitude, altitude, time)
    }

    /// The declination at the cell's representative point, for clients with reduced accuracy.
    var coarseDeclination: Double? { coarse?.field.flatMap(WorldFields.declination) }

    /// Evaluates the field for the cell's representative point, where the last evaluation no longer holds.
    mutating func followCoarse(latitude: Double, longitude: Double, at time: UTCInstant) {
        guard coarse?.isNear(latitude, longitude, time) != true else { return }
        coarse = WorldFields.entry(latitude, longitude, 0, time)
    }

    private static func entry(
        _ latitude: Double, _ longitude: Double, _ altitude: Double, _ time: UTCInstant
    ) -> Entry {
        let field = WorldMagneticModel.field(latitude: latitude, longitude: longitude, altitude: altitude, at: time)
        return Entry(
            latitude: latitude, longitude: longitude, time: time, field: field?.validity == .valid ? field : nil,
            validity: field?.validity ?? .valid)
    }

    private static func declination(_ field: GeomagneticField) -> Double? {
        field.compassZone == .blackout ? nil : field.declination
    }
}
