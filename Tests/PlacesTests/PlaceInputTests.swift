import Testing

@testable import SextantPlaces

@Suite("Input of places")
struct PlaceInputTests {
    private static let head = #"{"type":"NominatimDumpFile","content":{"version":"0.1.0"}}"#

    /// The items of lines, the first of which tells the format.
    private func items(_ lines: String...) throws -> [ImportedItem] {
        var input = PlaceInput()
        return try lines.flatMap { try input.read(line: Array($0.utf8)) }
    }

    private func objects(_ items: [ImportedItem]) -> [ImportedObject] {
        items.compactMap { item in
            guard case .object(let object) = item else { return nil }
            return object
        }
    }

    private func dumped(_ document: String) throws -> ImportedObject? {
        try objects(items(Self.head, #"{"type":"Place","content":[\#(document)]}"#)).first
    }

    private func problem(_ lines: String...) -> PlaceInput.Problem? {
        var input = PlaceInput()
        do throws(PlaceInput.Problem) {
            for line in lines { _ = try input.read(line: Array(line.utf8)) }
            try input.end()
            return nil
        } catch {
            return error
        }
    }

    @Test func `GEO-46: an address of a dump is read with its town and its areas`() throws {
        let address = try #require(
            try dumped(
                """
                {"place_id":"7","osm_key":"building","osm_value":"yes","address_type":"house","housenumber":"1a",
                "postcode":"8001","address":{"street":"Bahnhofstrasse","city":"Zürich","county":"Bezirk Zürich",
                "state":"Zürich","district":"Kreis 1"},"country_code":"ch","centroid":[8.5405,47.3673],"importance":0.1,"new":[{}]}
                """))
        #expect(address.kind == .address && address.street == "Bahnhofstrasse" && address.number == "1a")
        #expect(address.town == "Zürich" && address.county == "Bezirk Zürich" && address.state == "Zürich")
        #expect(address.district == "Kreis 1")
        #expect(address.country == "CH" && address.postcode == "8001")
        #expect(address.latitudeE7 == 473_673_000 && address.longitudeE7 == 85_405_000)
    }

    @Test func `GEO-46: the first name of a list is taken, and each corner of a box may come first`() throws {
        for box in ["[8.44,47.43,8.62,47.32]", "[8.62,47.32,8.44,47.43]"] {
            let town = try #require(
                try dumped(
                    """
                    {"osm_key":"place","osm_value":"city","name":{"name":["Zürich","Turicum"],"name:fr":"Zurich"},
                    "bbox":\(box),"extra":{"population":"415367"}}
                    """))
            #expect(town.kind == .town && town.name == "Zürich" && town.otherNames == ["Zurich"])
            #expect(town.population == 415_367 && abs(town.latitude - 47.375) < 1e-6)
        }
    }

    @Test(arguments: [
        ("", ["Rooma", "Rome", "Roma antica", "罗马", "羅馬"]), ("en", ["Rome", "Roma antica"]),
        ("fi,zh", ["Rooma", "Roma antica", "罗马", "羅馬"]), ("zh-Hant", ["Roma antica", "羅馬"]),
    ])
    func `names in the languages that are asked for are kept, and keys that are no language are not`(
        list: String, others: [String]
    ) throws {
        let languages = try list.isEmpty ? NameLanguages() : #require(NameLanguages(list))
        let names = """
            "name":"Roma","name:fi":"Rooma","name:en":"Rome","alt_name":"Roma antica","name:zh":"罗马",
            "name:zh-Hant":"羅馬","name:etymology:wikidata":"Q1"
            """
        let dump = #"{"osm_key":"place","osm_value":"city","name":{\#(names)},"centroid":[12.5,41.9]}"#
        let feature = """
            {"type":"Feature","id":"n1","geometry":{"type":"Point","coordinates":[12.5,41.9]},
            "properties":{"place":"city",\(names)}}
            """
        for lines in [[Self.head, #"{"type":"Place","content":[\#(dump)]}"#], [feature]] {
            var input = PlaceInput(languages)
            let found = objects(try lines.flatMap { try input.read(line: Array($0.utf8)) })
            #expect(found.first?.name == "Roma" && found.first?.otherNames == others.sorted())
        }
    }

    @Test(arguments: ["", "deutsch", "de,", "d", "de;fr", "de fr"])
    func `what is no list of languages is refused`(list: String) { #expect(NameLanguages(list) == nil) }

    @Test func `GEO-46: unknown types of a dump hold nothing, and countries are not needed`() throws {
        #expect(try items(Self.head, #"{"type":"Weather","content":5}"#, #"{"type":"Place"}"#).isEmpty)
        let found = try items(
            Self.head, #"{"type":"CountryInfo","content":[{"country_code":"ch","name":{"name":"Schweiz"}}]}"#)
        guard case .country("CH", ["Schweiz"])? = found.first else {
            Issue.record("no country")
            return
        }
    }

    @Test(arguments: ["0.2.0", "1.0.0"])
    func `GEO-46: a head of another version is refused, and both versions are named`(version: String) {
        let text = problem(#"{"type":"NominatimDumpFile","content":{"version":"\#(version)"}}"#)
        #expect(
            text?.line == 1 && text?.text.contains(version) == true && text?.text.contains("0.1.0") == true)
        #expect(problem(#"{"type":"NominatimDumpFile","content":{"version":"0.1.7"}}"#) == nil)
    }

    @Test func `GEO-46: a line that is cut off or is no object is named by its number`() {
        let cut = problem(Self.head, "", #"{"type":"Place","content":[{"osm_key""#)
        #expect(cut?.line == 3 && cut?.text.hasPrefix("is damaged or cut off:") == true)
        #expect(cut?.text.hasSuffix("; make the file again") == true && cut?.text.count { $0 == ";" } == 1)
        #expect(problem(Self.head, "[1]")?.line == 2)
        #expect(problem(#"{"type":"FeatureCollection","features":[]}"#)?.text.contains("geojsonseq") == true)
        #expect(problem(#"{"type":"Song"}"#)?.line == 1 && problem()?.line == 1)
    }

    @Test func `GEO-46: a feature is read with a record separator and without`() throws {
        let line = """
            {"type":"Feature","id":"n5","geometry":{"type":"Point","coordinates":[9.52,47.14]},"properties":
            {"addr:street":"Städtle","addr:housenumber":"32","addr:city":"Vaduz","tourism":"museum","name":"Museum"}}
            """
        for text in [line, "\u{1E}" + line] {
            let address = try #require(objects(try items(text)).first)
            #expect(address.kind == .address && address.street == "Städtle" && address.number == "32")
            #expect(address.id == "n5" && address.name == "Museum" && address.category == "tourism.museum")
        }
    }

    @Test func `GEO-46: a closed way and its area are one object`() throws {
        func feature(_ id: String, _ geometry: String) throws -> [ImportedObject] {
            objects(
                try items(
                    """
                    {"type":"Feature","id":"\(id)","geometry":\(geometry),"properties":
                    {"addr:place":"Dorf","addr:housenumber":"3"}}
                    """))
        }
        let ring = "[[9.5,47.1],[9.6,47.1],[9.6,47.2],[9.5,47.1]]"
        let way = try feature("w17", #"{"type":"LineString","coordinates":\#(ring)}"#)
        #expect(way == (try feature("a34", #"{"type":"MultiPolygon","coordinates":[[\#(ring)]]}"#)))
        #expect(way.count == 1 && way.first?.id == "w17" && way.first?.street == "Dorf")
        #expect(try feature("a35", #"{"type":"Polygon","coordinates":[\#(ring)]}"#).first?.id == "r17")
    }

    @Test func `a street has a point each 50 m, and a node without a name or a number has none`() throws {
        let points = objects(
            try items(
                """
                {"type":"Feature","id":"w1","geometry":{"type":"LineString","coordinates":[[9,47],[9,47.002]]},
                "properties":{"highway":"residential","name":"Im Rain"}}
                """))
        #expect(points.count == 6 && points.allSatisfy { $0.kind == .street && $0.street == "Im Rain" })
        let globe = (0..<100).map { $0 % 2 == 0 ? "[-179,-89]" : "[179,89]" }.joined(separator: ",")
        let endless = try items(
            """
            {"type":"Feature","id":"w1","geometry":{"type":"LineString","coordinates":[\(globe)]},
            "properties":{"highway":"residential","name":"Im Rain"}}
            """)
        #expect(endless.count == 10_000)
        let node = #"{"type":"Feature","id":"n1","geometry":{"type":"Point","coordinates":[9,47]},"properties":{}}"#
        let nowhere = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[9,97]},"properties":{"shop":"a"}}"#
        #expect(try items(node, nowhere).isEmpty)
    }

    @Test func `a boundary holds the points within its ring and not those in its hole`() throws {
        let found = try items(
            """
            {"type":"Feature","id":"a9","geometry":{"type":"Polygon","coordinates":[
            [[0,0],[4,0],[4,4],[0,4],[0,0]],[[1,1],[2,1],[2,2],[1,2],[1,1]]]},
            "properties":{"boundary":"administrative","admin_level":"8","name":"Vaduz"}}
            """)
        guard case .boundary(let boundary)? = found.first else {
            Issue.record("no boundary")
            return
        }
        #expect(boundary.contains(latitude: 3, longitude: 3) && boundary.contains(latitude: 0.5, longitude: 1.5))
        #expect(!boundary.contains(latitude: 1.5, longitude: 1.5) && !boundary.contains(latitude: 5, longitude: 3))
        #expect(!boundary.contains(latitude: 3, longitude: 4.5) && !boundary.contains(latitude: .nan, longitude: 1))
    }

    @Test func `of places at one point the largest is the city that others may be parts of`() {
        let items = (0..<1000).map { index in
            CityParts.Item(latitude: 47.3, longitude: 8.5, population: index == 700 ? 30_000 : 3000, state: 1)
        }
        #expect(CityParts.seats(of: items) == [700])
        #expect(CityParts.cities(of: items) == items.indices.map { $0 == 700 ? nil : 700 })
    }
}
