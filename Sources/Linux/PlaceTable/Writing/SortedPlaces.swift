internal import SextantPlaces
internal import SextantSQLite
internal import SextantUnits

/// The places of a table in the order in which they are stored.
struct SortedPlaces {
    private var areas: [(key: String, value: PlaceTableWriter.ListedArea)]
    private var areaIDs: [String: UInt32] = [:]
    let places: [ListedPlace]
    private let zones: [String]
    private let land: [Int: [LandRun]]

    init(_ list: PlaceTableWriter) {
        areas = list.areas.map { (key: $0.key, value: $0.value) }.sorted {
            ($0.value.kind.rawValue, $0.key) < ($1.value.kind.rawValue, $1.key)
        }
        for (index, area) in areas.enumerated() { areaIDs[area.key] = UInt32(index) }
        let order = list.places.map { place in
            (HilbertCurve.index(latitude: place.latitude, longitude: place.longitude), place)
        }.sorted { first, second in
            if first.0 != second.0 { return first.0 < second.0 }
            if first.1.population != second.1.population { return first.1.population > second.1.population }
            if first.1.name != second.1.name { return first.1.name < second.1.name }
            return (first.1.latitudeE5, first.1.longitudeE5) < (second.1.latitudeE5, second.1.longitudeE5)
        }
        places = order.map(\.1)
        land = list.land
        zones = Set(places.map(\.zone)).filter { !$0.isEmpty }.sorted()
    }

    /// - Returns: The numbers of places and of names that were written.
    func write(to file: TableFile) throws(PlaceTableError) -> (places: Int, names: Int) {
        let zone = try file.prepare("INSERT INTO zone VALUES (?, ?)")
        for (index, name) in zones.enumerated() {
            try zone.run([.integer(Int64(index)), .text(name)])
        }
        let place = try file.prepare("INSERT INTO place VALUES (?, ?)")
        for (index, listed) in places.enumerated() {
            try place.run([.integer(Int64(index)), .text(listed.name)])
        }
        try writeBlocks(to: file)
        let extents = extents()
        try writeAreas(extents, to: file)
        try writeAreaNames(extents, to: file)
        if !land.isEmpty { try writeLand(to: file) }
        return (places.count, try writeNames(to: file))
    }

    private func writeBlocks(to file: TableFile) throws(PlaceTableError) {
        let records = records()
        let insert = try file.prepare(
            "INSERT INTO block(id, x0, x1, y0, y1, z0, z1, r0, r1, records) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        for first in stride(from: 0, to: records.count, by: PlaceRecord.perBlock) {
            let block = records[first..<min(first + PlaceRecord.perBlock, records.count)]
            var writer = RecordWriter()
            var box: UnitBox?
            var (smallest, largest) = (Double.infinity, 0.0)
            for record in block {
                record.write(to: &writer)
                let radius = record.radius / GreatCircle.meanRadius
                (smallest, largest) = (min(smallest, radius), max(largest, radius))
                if box == nil { box = UnitBox(lower: record.point, upper: record.point) }
                box?.add(record.point)
            }
            guard let box else { continue }
            let bounds = [
                box.lower.x, box.upper.x, box.lower.y, box.upper.y, box.lower.z, box.upper.z, smallest, largest,
            ]
            try insert.run(
                [SQLValue.integer(Int64(first / PlaceRecord.perBlock))] + bounds.map { SQLValue.real($0) }
                    + [SQLValue.blob(writer.bytes)])
        }
    }

    private func writeLand(to file: TableFile) throws(PlaceTableError) {
        let insert = try file.prepare("INSERT INTO land VALUES (?, ?)")
        for (row, runs) in land.sorted(by: { $0.key < $1.key }) {
            let cells = LandCells.bytes(of: runs.map { ($0.count, ground($0.kind)) })
            try insert.run([.integer(Int64(row)), .blob(cells)])
        }
    }

    private func ground(_ kind: LandRun.Kind) -> Ground {
        switch kind {
        case .sea: .sea
        case .territorialSea: .territorialSea
        case .undecided: .undecided
        case .country(let code): areaIDs[code].map { .country(UInt16(truncatingIfNeeded: $0)) } ?? .undecided
        }
    }

    /// The records of all places, in the order in which the places are stored.
    private func records() -> [PlaceRecord] {
        let zoneIDs = Dictionary(uniqueKeysWithValues: zones.enumerated().map { ($1, UInt16($0)) })
        let cities = CityParts.cities(
            of: places.map { place in
                CityParts.Item(
                    latitude: place.latitude, longitude: place.longitude, population: place.population,
                    state: Int(areaIDs["\(place.country).\(place.state)"] ?? areaIDs[place.country] ?? 0))
            })
        return places.enumerated().map { index, place in
            PlaceRecord(
                latitudeE5: place.latitudeE5, longitudeE5: place.longitudeE5, population: place.population,
                area: smallestArea(of: place), city: cities[index].map { UInt32($0) },
                country: UInt16(truncatingIfNeeded: areaIDs[place.country] ?? 0), zone: zoneIDs[place.zone],
                isSection: place.isSection)
        }
    }

    private func smallestArea(of place: ListedPlace) -> UInt32? {
        areaIDs["\(place.country).\(place.state).\(place.county)"] ?? areaIDs["\(place.country).\(place.state)"]
            ?? areaIDs[place.country]
    }

    private func writeNames(to file: TableFile) throws(PlaceTableError) -> Int {
        var keys: [(key: NameKey, place: UInt32)] = []
        keys.reserveCapacity(places.count * 5)
        for (index, place) in places.enumerated() {
            var own = NameKey.keys(of: place.name)
            for name in place.otherNames { own.formUnion(NameKey.keys(of: name)) }
            for key in own { keys.append((key, UInt32(index))) }
        }
        keys.sort { ($0.key.rawValue, $0.place) < ($1.key.rawValue, $1.place) }
        let insert = try file.prepare("INSERT INTO name VALUES (?, ?)")
        var rest = keys[...]
        while let first = rest.first {
            let row = NameRow.number(of: first.key)
            let entries = rest.prefix { NameRow.number(of: $0.key) == row }
            try insert.run([.integer(row), .blob(NameRow.bytes(of: entries))])
            rest = rest[entries.endIndex...]
        }
        return keys.count
    }
}

// MARK: Areas

extension SortedPlaces {
    /// The position and radius of each country and state, from the positions of its places.
    private func extents() -> [AreaExtent] {
        var extents = Array(repeating: AreaExtent(), count: areas.count)
        for place in places {
            var next: String? = smallestArea(of: place).map { areas[Int($0)].key }
            while let key = next, let id = areaIDs[key] {
                extents[Int(id)].add(place)
                next = areas[Int(id)].value.parent
            }
        }
        return extents
    }

    private func writeAreas(_ extents: [AreaExtent], to file: TableFile) throws(PlaceTableError) {
        let insert = try file.prepare("INSERT INTO area VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        for (index, area) in areas.enumerated() {
            let (latitude, longitude, radius) = extents[index].circle
            let parent = area.value.parent.flatMap { areaIDs[$0] }.map { Int64($0) } ?? -1
            try insert.run([
                .integer(Int64(index)), .integer(Int64(area.value.kind.rawValue)), .integer(parent),
                .text(area.value.code), .text(area.value.names.first ?? area.value.code),
                .integer(Int64((latitude * 100_000).rounded())), .integer(Int64((longitude * 100_000).rounded())),
                .integer(Int64(radius.rounded())), .integer(Int64(extents[index].population)),
            ])
        }
    }

    private func writeAreaNames(_ extents: [AreaExtent], to file: TableFile) throws(PlaceTableError) {
        var rows: [(hash: Int64, area: UInt32, use: Int64)] = []
        // A country or state without places is left out, because its position is not known.
        for (index, area) in areas.enumerated() where !extents[index].isEmpty {
            var uses: [NameKey: NamedArea.Use] = [:]
            for text in area.value.abbreviations { for key in NameKey.keys(of: text) { uses[key] = .besidePlace } }
            for text in area.value.codes { for key in NameKey.keys(of: text) { uses[key] = .code } }
            for text in area.value.names { for key in NameKey.keys(of: text) { uses[key] = .name } }
            for (key, use) in uses { rows.append((key.rawValue, UInt32(index), use.rawValue)) }
        }
        rows.sort { $0 < $1 }
        let insert = try file.prepare("INSERT INTO area_name VALUES (?, ?, ?)")
        for row in rows {
            try insert.run([.integer(row.hash), .integer(Int64(row.area)), .integer(row.use)])
        }
    }
}

/// The position and radius of a country or state, from the positions of the places in it.
private struct AreaExtent {
    private(set) var population: UInt64 = 0
    private var points: [UnitVector] = []

    var isEmpty: Bool { points.isEmpty }

    mutating func add(_ place: ListedPlace) {
        population += UInt64(place.population)
        points.append(UnitVector(latitude: place.latitude, longitude: place.longitude))
    }

    /// The mean position of the places, and the radius in metres within which 95 % of them are, at least 1 km.
    var circle: (latitude: Double, longitude: Double, radius: Double) {
        guard !points.isEmpty else { return (0, 0, 1000) }
        let sum = points.reduce(UnitVector(x: 0, y: 0, z: 0)) { sum, point in
            UnitVector(x: sum.x + point.x, y: sum.y + point.y, z: sum.z + point.z)
        }
        let flat = (sum.x * sum.x + sum.y * sum.y).squareRoot()
        let latitude = Trigonometry.arctangent(y: sum.z, x: flat) * Trigonometry.degreesPerRadian
        let longitude = Trigonometry.arctangent(y: sum.y, x: sum.x) * Trigonometry.degreesPerRadian
        let centre = UnitVector(latitude: latitude, longitude: longitude)
        let distances = points.map { $0.distance(to: centre) }.sorted()
        return (latitude, longitude, max(1000, distances[min(distances.count - 1, distances.count * 95 / 100)]))
    }
}
