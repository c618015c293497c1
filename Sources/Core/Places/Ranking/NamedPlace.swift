/// A place with its names: its own, and those of the areas that hold it.
public struct NamedPlace: Sendable, Hashable {
    public var record: PlaceRecord
    public var name: String
    public var areas: AreaChain
    /// The zone's name in the tz database.
    public var zone: String?
    /// The name of the city that this place is a part of.
    public var city: String?
    public var source: Placemark.Source

    public init(
        record: PlaceRecord, name: String, areas: AreaChain, zone: String?, city: String?, source: Placemark.Source
    ) {
        self.record = record
        self.name = name
        self.areas = areas
        self.zone = zone
        self.city = city
        self.source = source
    }

    /// The name of the town, and of the part of it that this place is.
    ///
    /// GeoNames names parts of Swiss towns "Zürich (Kreis 11) / Oerlikon"; elsewhere a slash stands between two names of
    /// one place.
    ///
    /// A damaged table may have no name of a place.
    public var town: (locality: String?, part: String?) {
        guard !name.isEmpty else { return (city, nil) }
        let parts = PlaceName.parts(of: name)
        if source == .geonames, areas.country?.code == "CH", parts.count == 2 {
            let locality = city ?? PlaceName.withoutBrackets(parts[0])
            return (locality, PlaceName.withoutBrackets(parts[1]) == locality ? nil : parts[1])
        }
        guard let city else { return record.isSection ? (nil, name) : (name, nil) }
        guard PlaceName.withoutBrackets(name) == city, let part = PlaceName.inBrackets(name) else {
            return (city, name)
        }
        return (city, part)
    }

    /// This place, as the answer to a question for its name.
    public func placemark() -> Placemark {
        var mark = Placemark(
            latitude: record.latitude, longitude: record.longitude, radius: record.radius, source: source)
        mark.take(areas)
        mark.timeZone = zone
        (mark.locality, mark.subLocality) = town
        mark.name = mark.subLocality ?? mark.locality
        return mark
    }
}

extension Placemark {
    /// The answer to a question for the names of a point.
    ///
    /// - Parameters:
    ///   - nearest: The nearest place, which names the country and the zone, and its distance in metres.
    ///   - town: The place that `ReverseSearch` found for the town, and its distance in metres; nil where none is in reach.
    ///   - abroad: A place of another country that is nearer than `nearest`, and its distance in metres: without a town
    ///     it is in the words for people alone.
    ///   - ground: What is at the point by the table's cells. Outside territorial waters the sea is in no country.
    public init(
        latitude: Double, longitude: Double, nearest: (place: NamedPlace, distance: Double),
        town: (place: NamedPlace, distance: Double)?, abroad: (place: NamedPlace, distance: Double)? = nil,
        ground: Ground = .undecided
    ) {
        // A section of a town names the points beside it, also where its town is too far off.
        let isBesideSection = nearest.place.record.isSection && nearest.distance <= PlaceWords.partReach
        let shown = town ?? nearest
        self = shown.place.placemark()
        distance = shown.distance
        timeZone = nearest.place.zone ?? timeZone
        let told = town ?? abroad ?? nearest
        if !told.place.name.isEmpty {
            near = PlaceWords.near(
                latitude: latitude, longitude: longitude, place: told.place, distance: told.distance,
                isAtSea: ground.isSea)
        }
        if ground == .sea, nearest.distance > PlaceRules.territorialReach {
            (locality, subLocality, administrativeArea, subAdministrativeArea) = (nil, nil, nil, nil)
            (isoCountryCode, country, name) = (nil, nil, PlaceWords.atSea)
            return
        }
        guard town != nil || isBesideSection else {
            (locality, subLocality, name, subAdministrativeArea) = (nil, nil, nil, nil)
            return
        }
        // A section of the town may be nearer than any part that is a place of its own.
        if isBesideSection, subLocality == nil, !nearest.place.name.isEmpty {
            subLocality = nearest.place.name
            name = subLocality
        }
    }

    /// The answer for a point of the sea that no place is near: its own point, and the circle in which there is none.
    public init(ofOpenSeaAtLatitude latitude: Double, longitude: Double, source: Source) {
        self.init(latitude: latitude, longitude: longitude, radius: PlaceRules.reach, source: source)
        name = PlaceWords.atSea
        near = PlaceWords.openSea
    }

    /// The answer for a point on a country's land that none of the country's places is near: the country.
    ///
    /// - Parameter abroad: The nearest place, of another country, and its distance in metres: it is in the words for
    ///   people alone.
    public init(
        latitude: Double, longitude: Double, in country: Area, abroad: (place: NamedPlace, distance: Double)?,
        source: Source
    ) {
        var chain = AreaChain()
        chain.add(country)
        self = country.placemark(in: chain, source: source)
        name = nil
        near = PlaceWords.inCountry(country.name)
        guard let abroad, !abroad.place.name.isEmpty else { return }
        near = PlaceWords.near(
            latitude: latitude, longitude: longitude, place: abroad.place, distance: abroad.distance, isAtSea: false)
    }
}
