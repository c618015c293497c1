public import SextantPlaces

// MARK: The address of a point

extension PlaceTable {
    /// The names of the address, street or point of interest that is nearest to a point; nil if none is near.
    func reverseObject(latitude: Double, longitude: Double) throws(PlaceTableError) -> Placemark? {
        guard let streets, PlaceRules.isPlace(latitude: latitude, longitude: longitude) else { return nil }
        var near = NearObjects()
        for found in try streets.objects(near: UnitVector(latitude: latitude, longitude: longitude)) {
            let distance = UnitVector.metres(squaredChord: found.squaredChord)
            if near.isDone(at: distance) { break }
            if let object = try streets.object(found.object) { near.consider(object, distance: distance) }
        }
        guard let best = near.best else { return nil }
        var mark = try placemark(of: best.object)
        mark.distance = best.distance
        mark.areasOfInterest = near.areasOfInterest
        mark.inlandWater = near.inlandWater
        return mark
    }

    /// The placemark of an address or point of interest, with its street and its town.
    private func placemark(of object: StoredObject) throws(PlaceTableError) -> Placemark {
        let street = try object.street.flatMap { number throws(PlaceTableError) in try streets?.street(number) }
        var mark = try placemark(in: try town(of: object), at: object.point, radius: StreetRules.houseRadius)
        if let district = try object.district.flatMap({ place throws(PlaceTableError) in try name(of: place) }),
            district != mark.locality
        {
            mark.subLocality = district
        }
        mark.thoroughfare = street?.name
        mark.subThoroughfare = street == nil ? nil : object.number
        mark.postalCode = object.postcode ?? street?.postcode
        if let name = object.name {
            mark.name = name
        } else if let street {
            mark.name = object.number.map {
                StreetRules.line(street: street.name, number: $0, country: mark.isoCountryCode)
            }
            mark.name = mark.name ?? street.name
            if object.number == nil { mark.radius = StreetRules.minimumStreetRadius }
        }
        if object.isAreaOfInterest, let name = object.name { mark.areasOfInterest = [name] }
        if object.isWater { mark.inlandWater = object.name }
        return mark
    }

    /// A placemark with the names of a town, at the position of an address or point of interest in the town.
    private func placemark(
        in town: UInt32?, at point: ObjectPoint, radius: Double
    ) throws(PlaceTableError) -> Placemark {
        var mark = Placemark(
            latitude: point.latitude, longitude: point.longitude, radius: radius, source: about.source)
        guard let town, let record = try record(of: town) else { return mark }
        mark = try namedPlace(town, record).placemark()
        (mark.latitude, mark.longitude, mark.radius) = (point.latitude, point.longitude, radius)
        return mark
    }
}

// MARK: The point of an address

extension PlaceTable {
    /// The streets, houses and points of interest that a searched text names; a table of towns has none.
    func forwardObjects(_ question: PlaceQuestion) throws(PlaceTableError) -> [Placemark] {
        guard streets != nil else { return [] }
        var search = AddressSearch(question, in: self)
        var marks: [Placemark] = []
        for result in try search.search() {
            if let mark = try placemark(of: result) { marks.append(mark) }
        }
        return marks
    }

    private func placemark(of result: AddressSearch<PlaceTable>.Result) throws(PlaceTableError) -> Placemark? {
        switch result {
        case .street(let street): return try placemark(ofStreet: street)
        case .interest(let object):
            guard let object = try streets?.object(object) else { return nil }
            return try placemark(of: object)
        case .house(let match):
            guard let object = try streets?.object(match.object) else { return nil }
            var mark = try placemark(of: object)
            if match.kind == .near {
                // The table does not have the house with the number that was asked for; the house that was found is
                // near it, on the same side of the street.
                (mark.subThoroughfare, mark.name) = (nil, mark.thoroughfare)
                mark.radius *= 2
            }
            return mark
        }
    }

    /// The placemark of a street, at that of its points that is nearest to the street's middle.
    private func placemark(ofStreet number: UInt32) throws(PlaceTableError) -> Placemark? {
        guard let streets, let street = try streets.street(number) else { return nil }
        var points: [ObjectPoint] = []
        for object in try streets.objects(of: number).prefix(StreetRules.maximumObjects) {
            if let point = try streets.point(of: object) { points.append(point) }
        }
        let units = points.map(\.unit)
        guard let first = units.first else { return nil }
        let box = units.reduce(into: UnitBox(lower: first, upper: first)) { $0.add($1) }
        let middle = units.indices.min {
            box.middle.squaredChord(to: units[$0]) < box.middle.squaredChord(to: units[$1])
        }
        guard let middle else { return nil }
        let radius = units.reduce(StreetRules.minimumStreetRadius) { max($0, $1.distance(to: units[middle])) }
        var mark = try placemark(in: street.place, at: points[middle], radius: radius)
        (mark.name, mark.thoroughfare, mark.postalCode) = (street.name, street.name, street.postcode)
        return mark
    }
}

extension PlaceTable: AddressNames {
    public func streets(named key: NameKey) throws(PlaceTableError) -> [StoredStreet] {
        try streets?.streets(named: key) ?? []
    }

    public func houses(of street: UInt32) throws(PlaceTableError) -> [(object: UInt32, number: String)] {
        var houses: [(object: UInt32, number: String)] = []
        for object in try streets?.objects(of: street) ?? [] {
            if let number = try streets?.object(object)?.number { houses.append((object, number)) }
        }
        return houses
    }

    public func isPostcode(_ text: [UInt8], of street: UInt32) throws(PlaceTableError) -> Bool {
        guard let streets else { return false }
        func isText(_ postcode: String?) -> Bool {
            postcode.map { Array(FoldedText($0).words.joined()) == text } ?? false
        }
        if let postcode = try streets.street(street)?.postcode { return isText(postcode) }
        for object in try streets.objects(of: street).prefix(StreetRules.maximumObjects) {
            if isText(try streets.object(object)?.postcode) { return true }
        }
        return false
    }

    public func interests(named key: NameKey) throws(PlaceTableError) -> [StoredObject] {
        var found: [StoredObject] = []
        for object in try streets?.objects(named: key).prefix(StreetRules.maximumObjects) ?? [] {
            if let object = try streets?.object(object) { found.append(object) }
        }
        return found
    }

    public func town(of object: StoredObject) throws(PlaceTableError) -> UInt32? {
        if let street = object.street { return try streets?.street(street)?.place }
        return try town(latitude: object.point.latitude, longitude: object.point.longitude)?.place
    }
}
