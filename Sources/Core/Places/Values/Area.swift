/// A country, a state or a county; a table has its name and its centre, but not its border.
public struct Area: Sendable, Hashable {
    public enum Kind: Int, Sendable {
        case country = 0
        /// A state or province.
        case first = 1
        /// A county or district.
        case second = 2
    }

    public var kind: Kind
    /// The number of the next larger area, which contains this one; nil for a country.
    public var parent: UInt32?
    /// A country's ISO 3166-1 code of two letters; for a state or county, the code that the source of the data gives
    /// it.
    public var code: String
    public var name: String
    /// The latitude of the centre of the area's places, in degrees north.
    public var latitude: Double
    /// The longitude of the centre of the area's places, in degrees east.
    public var longitude: Double
    /// The distance in metres from the centre within which nearly all of the area's places lie.
    public var radius: Double
    /// The total population of the area's places.
    public var population: UInt64

    public init(
        kind: Kind, parent: UInt32?, code: String, name: String, latitude: Double, longitude: Double, radius: Double,
        population: UInt64
    ) {
        self.kind = kind
        self.parent = parent
        self.code = code
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        self.radius = radius
        self.population = population
    }
}

/// The names of the country, state and county in which a place or an area lies.
public struct AreaChain: Sendable, Hashable {
    public var country: Area?
    public var first: Area?
    public var second: Area?

    public init() {}

    public mutating func add(_ area: Area) {
        switch area.kind {
        case .country: country = area
        case .first: first = area
        case .second: second = area
        }
    }
}

extension Placemark {
    /// Writes the names of the country, state and county into a placemark.
    public mutating func take(_ chain: AreaChain) {
        administrativeArea = chain.first?.name
        subAdministrativeArea = chain.second?.name
        // In a damaged table a country may have no code.
        isoCountryCode = chain.country.flatMap { $0.code.isEmpty ? nil : $0.code }
        country = chain.country?.name
    }
}

extension Area {
    /// The placemark of this area, as the result of a search for its name.
    ///
    /// - Parameter chain: This area, and the larger areas that contain it.
    public func placemark(in chain: AreaChain, source: Placemark.Source) -> Placemark {
        var mark = Placemark(latitude: latitude, longitude: longitude, radius: radius, source: source)
        mark.take(chain)
        mark.name = name
        return mark
    }
}
