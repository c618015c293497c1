/// The texts that describe a position to people, such as "near Oerlikon, Zürich" and "18 km NE of Chur".
public enum PlaceWords {
    /// The distance in metres within which a point counts as near a part of a town.
    static let partReach = 3000.0
    /// The distance in metres within which a point counts as near a town, even a very small one.
    static let townReach = 5000.0
    /// The placemark's name for a point of the sea that is in no country.
    static let atSea = "At sea"
    /// The description of a point at sea that is near no place.
    static let openSea = "at sea"

    /// The description of a point on a country's land that is near no place.
    static func inCountry(_ name: String) -> String { "in \(name)" }

    /// - Parameters:
    ///   - place: The place that the description names.
    ///   - distance: The distance from the place to the point, in metres.
    ///   - isAtSea: Whether the point is on the sea.
    static func near(
        latitude: Double, longitude: Double, place: NamedPlace, distance: Double, isAtSea: Bool
    ) -> String {
        let (locality, part) = place.town
        if let part, let locality, distance <= partReach { return "near \(part), \(locality)" }
        let name = locality ?? place.name
        if distance <= max(townReach, place.record.radius) { return "near \(name)" }
        if isAtSea { return "at sea, \(Int((distance / 1000).rounded())) km off \(part ?? name)" }
        let direction = CompassPoint(
            fromLatitude: place.record.latitude, longitude: place.record.longitude, toLatitude: latitude,
            longitude: longitude)
        return "\(Int((distance / 1000).rounded())) km \(direction.rawValue) of \(part ?? name)"
    }
}
