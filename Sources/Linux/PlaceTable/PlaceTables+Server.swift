public import SextantPlaces

extension PlaceTables {
    /// The radius in metres above which a place, such as a country, is too large to have a single time zone.
    private static let widestInOneZone = 100_000.0

    /// Adds to the placemarks of a geocoding server what only a table on the board knows.
    ///
    /// That is the time zone and, if the request was about a point, the description `near`, which is meant for people.
    ///
    /// - Parameter point: The point that the request was about; nil if it was about a name.
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
