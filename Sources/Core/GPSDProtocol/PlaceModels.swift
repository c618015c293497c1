internal import GNSS
internal import Magnetism
internal import SextantUnits

/// The magnetic declination and the geoid at the place of a fix, from world models, for receivers that do not give
/// them.
///
/// Both change slowly, so they are computed again only after the receiver has moved by some kilometres, after 30 days,
/// or when the date becomes known.
struct PlaceModels {
    /// Degrees by which magnetic north lies east of true north, by WMM2025.
    private(set) var declination: Double?
    /// The geoid's height above the ellipsoid in metres, by EGM96.
    private(set) var geoidSeparation: Double?

    private var latitude = Double.infinity
    private var longitude = Double.infinity
    private var time: UTCInstant?

    /// The models are evaluated again when a fix has moved by this many degrees of latitude or longitude.
    private static let reach = 0.02
    /// Nanoseconds for which the declination stays the same to a hundredth of a degree.
    private static let lasting: Int64 = 30 * UTCInstant.nanosecondsPerDay

    mutating func found(_ fix: Fix) {
        guard fix.hasPosition, let latitude = fix.latitude, let longitude = fix.longitude else { return }
        let isNear =
            abs(latitude - self.latitude) < PlaceModels.reach && abs(longitude - self.longitude) < PlaceModels.reach
        guard !isNear || hasAged(since: fix.time) else { return }
        (self.latitude, self.longitude, time) = (latitude, longitude, fix.time)
        geoidSeparation = EGM96.undulation(latitude: latitude, longitude: longitude)
        let height = fix.heightAboveEllipsoid ?? fix.altitudeAboveMeanSeaLevel ?? 0
        declination =
            WorldMagneticModel.field(
                latitude: latitude, longitude: longitude, altitude: height, decimalYear: PlaceModels.year(of: fix.time)
            )?.declination
    }

    private func hasAged(since now: UTCInstant?) -> Bool {
        guard let now else { return false }
        guard let time else { return true }
        return now.nanoseconds(since: time).magnitude > PlaceModels.lasting
    }

    /// The decimal year of a time, clamped to the years for which the magnetic model is used.
    ///
    /// Recordings can be older than the model's first year; the model is used from five years before that year on, when
    /// its declinations are still right to some tenths of a degree.
    private static func year(of time: UTCInstant?) -> Double {
        guard let time else { return WorldMagneticModel.epoch }
        let first = WorldMagneticModel.epoch - 5
        return min(max(WorldMagneticModel.decimalYear(of: time), first), WorldMagneticModel.end)
    }
}
