/// The names of a place, part by part, as in `CLPlacemark`.
///
/// A part that is not known is nil, never an empty text.
public struct Placemark: Sendable, Hashable {
    /// Where the names come from.
    public enum Source: String, Sendable {
        case geonames
        case osm
        case server
    }

    /// The latitude of the place itself, not of a requested point, in degrees north.
    public var latitude: Double
    /// The longitude of the place itself, not of a requested point, in degrees east.
    public var longitude: Double
    /// The radius in metres around the place's point within which the place lies: a town's urban radius, some metres
    /// for a house.
    public var radius: Double
    public var source: Source

    public var name: String?
    /// The street.
    public var thoroughfare: String?
    /// The number of the house.
    public var subThoroughfare: String?
    /// The town.
    public var locality: String?
    /// The part of the town.
    public var subLocality: String?
    /// The state or province.
    public var administrativeArea: String?
    /// The county.
    public var subAdministrativeArea: String?
    public var postalCode: String?
    /// The country's code: two capital letters, ISO 3166-1.
    public var isoCountryCode: String?
    /// The country's name as it stands in the table of places.
    public var country: String?
    public var inlandWater: String?
    public var ocean: String?
    public var areasOfInterest: [String] = []
    /// The time zone's name in the tz database.
    public var timeZone: String?
    /// The description of the requested point for display, such as "18 km NE of Chur"; nil in the result of a search
    /// for a name.
    public var near: String?
    /// The distance in metres from the requested point to the place; nil in the result of a search for a name.
    public var distance: Double?

    public init(latitude: Double, longitude: Double, radius: Double, source: Source) {
        self.latitude = latitude
        self.longitude = longitude
        self.radius = radius
        self.source = source
    }
}
