import SextantPlaces
import Testing

@Suite("Folding of names")
struct FoldingTests {
    private func key(_ text: String) -> NameKey? { FoldedText(text).key }

    @Test(arguments: [
        ("Łódź", "lodz"), ("İstanbul", "istanbul"), ("København", "kobenhavn"), ("Straßburg", "STRASSBURG"),
        ("St. Gallen", "Sankt Gallen"), ("Ｚürich", "zurich"), ("Zu\u{308}rich", "Zürich"), ("Ft. Worth", "Fort Worth"),
        ("New-York", "newyork"),
    ])
    func `two spellings of a name have one key`(first: String, second: String) {
        #expect(key(first) == key(second) && key(first) != nil)
    }

    @Test func `a letter of another script makes another name`() { #expect(key("Rоma") != key("Roma")) }

    @Test(arguments: ["", "   ", "\u{200F}", "..,;", String(repeating: "a", count: 1001)])
    func `a text without words, or with too many bytes, is no question`(text: String) {
        #expect(!FoldedText(text).isQuestion)
    }

    @Test func `a question has at most 16 words`() {
        #expect(FoldedText(Array(repeating: "a", count: 16).joined(separator: " ")).isQuestion)
        #expect(!FoldedText(Array(repeating: "a", count: 17).joined(separator: " ")).isQuestion)
    }

    @Test func `a row of names has the places of each of its keys, and of a cut row those that are whole`() throws {
        let (zurich, bern) = (try #require(key("Zürich")), try #require(key("Bern")))
        let places: [(NameKey, UInt32)] = [(zurich, 7), (bern, 1), (zurich, 0xFFFF_FFFF), (zurich, 9)]
        let bytes = NameRow.bytes(of: places.map { (key: $0.0, place: $0.1) })
        let cut = Array(bytes.dropLast())
        #expect(NameRow.places(of: zurich, in: bytes.span, most: 2) == [7, 0xFFFF_FFFF])
        #expect(NameRow.places(of: bern, in: bytes.span, most: 2) == [1])
        #expect(NameRow.places(of: zurich, in: cut.span, most: 9) == [7, 0xFFFF_FFFF])
        #expect(NameRow.number(of: zurich) == zurich.rawValue >> 24)
    }

    @Test func `a name is found without its brackets, by each part, and with German spelling`() {
        let keys = NameKey.keys(of: "Zürich (Kreis 11) / Oerlikon")
        for text in ["Oerlikon", "Zürich", "Zuerich"] { #expect(key(text).map(keys.contains) == true, "\(text)") }
    }
}

@Suite("Rules of places")
struct PlaceRulesTests {
    @Test func `the urban radius of Zürich is 7.1 km, and that of a hamlet half a kilometre`() {
        #expect(abs(PlaceRules.urbanRadius(population: 415_367) - 7139) < 10)
        #expect(PlaceRules.urbanRadius(population: 0) == 500)
    }

    @Test(arguments: [(47.0, 8.0), (0, 179.9), (-89.5, 20), (65, -180)])
    func `the nearest place and the town are those that a look at all places finds`(
        latitude: Double, longitude: Double
    ) throws {
        var random = SystemRandomNumberGenerator()
        let (west, east) = longitude < 0 ? (-180.0, -178.0) : (0, 180)
        let records = (0..<2000).map { _ in
            PlaceRecord(
                latitudeE5: Int32(100_000 * max(-90, min(90, latitude + .random(in: -2...2, using: &random)))),
                longitudeE5: Int32(100_000 * Double.random(in: west...east, using: &random)),
                population: .random(in: 0...200_000, using: &random), area: nil, city: nil,
                country: .random(in: 0...1, using: &random), zone: nil, isSection: false)
        }
        var search = ReverseSearch(latitude: latitude, longitude: longitude)
        for (place, record) in records.enumerated() { search.consider(UInt32(place), record) }
        let chords = records.map { $0.point.squaredChord(to: search.point) }
        let nearest = try #require(chords.indices.min { chords[$0] < chords[$1] })
        let reach = UnitVector.squaredChord(metres: PlaceRules.reach)
        #expect(search.nearest.map(\.place) == (chords[nearest] < reach ? UInt32(nearest) : nil))
        guard search.lookForTown() else { return }
        for (place, record) in records.enumerated() { search.consider(UInt32(place), record) }
        let localityReach = UnitVector.squaredChord(metres: PlaceRules.localityReach)
        let towns = records.indices.filter {
            chords[$0] <= localityReach && records[$0].country == records[nearest].country
        }
        func depth(_ index: Int) -> Double { chords[index] / (records[index].radius * records[index].radius) }
        #expect(search.town.map { Int($0.place) } == towns.min { depth($0) < depth($1) })
    }

    @Test func `GEO-08: a section of a town is the nearest place, and never the town`() {
        func record(_ latitudeE5: Int32, isSection: Bool) -> PlaceRecord {
            PlaceRecord(
                latitudeE5: latitudeE5, longitudeE5: 854_000, population: 20_000, area: nil, city: nil, country: 0,
                zone: nil, isSection: isSection)
        }
        let records = [record(4_740_000, isSection: true), record(4_742_000, isSection: false)]
        var search = ReverseSearch(latitude: 47.4, longitude: 8.54)
        for (place, record) in records.enumerated() { search.consider(UInt32(place), record) }
        let isFound = search.lookForTown()
        #expect(isFound)
        for (place, record) in records.enumerated() { search.consider(UInt32(place), record) }
        #expect(search.nearest?.place == 0 && search.town?.place == 1)
    }

    @Test func `a record comes back from its bytes, and a damaged point does not`() {
        let record = PlaceRecord(
            latitudeE5: -1_680_000, longitudeE5: 17_999_000, population: 7, area: nil, city: 3, country: 2, zone: nil,
            isSection: true)
        #expect(record.latitude == -16.8 && record.point.squaredChord(to: record.point) == 0)
        let far = Array(repeating: UInt8(0x7F), count: PlaceRecord.byteCount)
        #expect(PlaceRecord(at: 0, in: far.span) == nil)
        #expect(PlaceRecord(at: 1, in: far.span) == nil)
    }

    @Test func `the direction across the antimeridian is the shorter one`() {
        let point = CompassPoint(fromLatitude: -16.8, longitude: 179.9, toLatitude: -16.8, longitude: -179.9)
        #expect(point == .east)
    }
}
