public import SextantPlaces

extension PlaceTables {
    /// Metres beyond which a place is too wide to have one time zone.
    private static let widestInOneZone = 100_000.0

    /// A server's placemarks with what only a local table knows: the time zone, and for a question about a point what is
    /// said of it to people.
    ///
    /// - Parameter point: The point that was asked about; nil where the question was for a name.
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
