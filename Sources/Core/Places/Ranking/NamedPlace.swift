/// A place, with its own name and the names of the country, state and county in which it lies.
public struct NamedPlace: Sendable, Hashable {
    public var record: PlaceRecord
    public var name: String
    public var areas: AreaChain
    /// The time zone's name in the tz database.
    public var zone: String?
    /// The name of the city of which this place is a part; nil if it is a part of none.
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

    /// The name of the town and, if the place is only a part of a town, the name of the part.
    ///
    /// In GeoNames, parts of Swiss towns are named like "Zürich (Kreis 11) / Oerlikon"; in other countries a slash
    /// separates two names of one place. In a damaged table a place can lack its name.
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

    /// The placemark of this place, as the result of a search for its name.
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
    /// The placemark for a point, as the result of reverse geocoding.
    ///
    /// - Parameters:
    ///   - nearest: The nearest place (in the point's country, if that is known), which gives the country and the time
    ///     zone, and its distance in metres.
    ///   - town: The place that `ReverseSearch` found for the town, and its distance in metres; nil where no town is in
    ///     reach.
    ///   - abroad: A nearer place in another country, and its distance in metres. It is used only if there is no town,
    ///     and only in the description `near`.
    ///   - ground: The land or sea at the point, from the table's cells. The sea outside territorial waters belongs to
    ///     no country.
    public init(
        latitude: Double, longitude: Double, nearest: (place: NamedPlace, distance: Double),
        town: (place: NamedPlace, distance: Double)?, abroad: (place: NamedPlace, distance: Double)? = nil,
        ground: Ground = .undecided
    ) {
        // A section of a town gives its name to points near it, even if the town's own point is too far away.
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
        // Near a section of a town the section is the sub-locality, unless the town's placemark names one already.
        if isBesideSection, subLocality == nil, !nearest.place.name.isEmpty {
            subLocality = nearest.place.name
            name = subLocality
        }
    }

    /// The placemark of a point at sea without a place in reach; its radius, in metres, is the distance that was
    /// searched.
    public init(ofOpenSeaAtLatitude latitude: Double, longitude: Double, source: Source) {
        self.init(latitude: latitude, longitude: longitude, radius: PlaceRules.reach, source: source)
        name = PlaceWords.atSea
        near = PlaceWords.openSea
    }

    /// The placemark of a country, for a point on its land without one of its places in reach.
    ///
    /// - Parameter abroad: The nearest place, which is in another country, and its distance in metres; nil if there is
    ///   none in reach. It is used only in the description `near`.
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
