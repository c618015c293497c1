public import SextantPlaces

extension PlaceTables {
    /// The radius in metres above which a place is too wide to have a single time zone.
    private static let widestInOneZone = 100_000.0

    /// Adds to a server's placemarks what only a local table knows.
    ///
    /// That is the time zone and, for a request about a point, the description `near` for people.
    ///
    /// - Parameter point: The point of the request; nil for a request about a name.
    public func completed(
        _ marks: [Placemark], of point: (latitude: Double, longitude: Double)? = nil
    ) -> [Placemark] {
        marks.map { mark in
            guard mark.radius <= PlaceTables.widestInOneZone,
                let town = try? reverse(
                    latitude: point?.latitude ?? mark.latitude, longitude: point?.longitude ?? mark.longitude),
                mark.isoCountryCode == nil || mark.isoCountryCode == town.isoCountryCode
            else { return mark }
            var completed = mark
            completed.timeZone = town.timeZone
            if point != nil { completed.near = town.near }
            return completed
        }
    }
}
