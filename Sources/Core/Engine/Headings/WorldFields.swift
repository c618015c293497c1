internal import Magnetism
internal import Units

/// The Earth's field where the board is, evaluated again where that has moved by 2 km, and every day.
///
/// In 2 km the declination changes by some hundredths of a degree, but near the magnetic poles, where it is no use.
struct WorldFields: Sendable {
    private struct Entry: Sendable {
        let latitude: Double
        let longitude: Double
        let time: UTCInstant
        /// Nil at a time that the model does not cover.
        let field: GeomagneticField?
        let validity: WorldModelValidity

        func isNear(_ latitude: Double, _ longitude: Double, _ time: UTCInstant) -> Bool {
            guard abs(time.nanoseconds - self.time.nanoseconds) < UTCInstant.nanosecondsPerDay else { return false }
            let frame = LocalFrame(latitude: self.latitude, longitude: self.longitude)
            let point = frame.point(latitude: latitude, longitude: longitude)
            return point.distance(to: LocalPoint(east: 0, north: 0)) < WorldFields.reach
        }
    }

    private var precise: Entry?
    private var coarse: Entry?

    /// Metres.
    private static let reach = 2000.0

    /// Nil before a fix, and at a time that the model does not cover.
    var here: GeomagneticField? { precise?.field }

    /// Why nobody knows true north although the place is known, in a sentence; nil where somebody does.
    var problem: String? {
        guard let precise, precise.validity != .valid else { return nil }
        return precise.validity.description
    }

    /// From true to magnetic north where the board is, east positive; nil where nobody knows, or no compass serves.
    var declination: Double? { here.flatMap(WorldFields.declination) }

    /// Follows the board.
    ///
    /// - Parameter altitude: Metres above the ellipsoid.
    mutating func follow(latitude: Double, longitude: Double, altitude: Double, at time: UTCInstant) {
        guard precise?.isNear(latitude, longitude, time) != true else { return }
        precise = WorldFields.entry(latitude, longitude, altitude, time)
    }

    /// The declination at the place that stands for the board's surroundings.
    var coarseDeclination: Double? { coarse?.field.flatMap(WorldFields.declination) }

    /// Follows that place.
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
