internal import GNSS
internal import Magnetism
internal import Parts
internal import SextantUnits

/// The Earth's magnetic field at the board's position, computed again after the board has moved by 2 km, and every day.
///
/// Over 2 km the declination changes by some hundredths of a degree, except near the magnetic poles, where a compass is
/// of no use anyway.
struct WorldFields: Sendable {
    private struct Entry: Sendable {
        let latitude: Double
        let longitude: Double
        let time: UTCInstant
        /// The Earth's magnetic field at this place and time; nil at a time that the model does not cover.
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

    /// Metres that the board can move before the field is computed again.
    private static let reach = 2000.0

    /// A sentence that says why the magnetic model does not cover the present time; nil where it does, or before a fix.
    var problem: String? {
        guard let precise, precise.validity != .valid else { return nil }
        return precise.validity.description
    }

    /// The declination at the board's position, in degrees from true to magnetic north, east positive.
    ///
    /// Nil where the field is not known, and in the blackout zones about the magnetic poles.
    var declination: Double? { precise?.field.flatMap(WorldFields.declination) }

    /// The Earth's magnetic field at the place of the last fix, computed again when needed; nil before a fix, and at a
    /// time that the model does not cover.
    mutating func field(at fix: Fix?, _ time: UTCInstant) -> GeomagneticField? {
        guard let fix, let latitude = fix.latitude, let longitude = fix.longitude else { return nil }
        if precise?.isNear(latitude, longitude, time) != true {
            precise = WorldFields.entry(latitude, longitude, fix.heightAboveEllipsoid ?? 0, time)
        }
        return precise?.field
    }

    /// The declination in degrees for a session that is allowed to know the board's position as exactly as `grant`
    /// says; nil if it is not allowed to, or if the declination is not known.
    ///
    /// A session with reduced accuracy gets the declination at the middle of its grid cell, so that the declination
    /// reveals no more than the cell.
    ///
    /// - Parameter estimate: The present estimate for clients with reduced accuracy, at the middle of the cell; nil
    ///   where there is none.
    mutating func declination(for grant: LocationGrant, _ estimate: Fix?, _ time: UTCInstant) -> Double? {
        switch grant {
        case .none: return nil
        case .full: return declination
        case .reduced:
            if let latitude = estimate?.latitude, let longitude = estimate?.longitude,
                coarse?.isNear(latitude, longitude, time) != true
            {
                coarse = WorldFields.entry(latitude, longitude, 0, time)
            }
            return coarse?.field.flatMap(WorldFields.declination)
        }
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
