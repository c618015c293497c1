import Foundation
import SextantPlaces
import Testing

@testable import PlaceTable

@Suite("Region table")
struct RegionTableTests {
    private let path: String
    private let table: PlaceTable

    init() throws {
        path = try SmallRegion.write()
        table = try PlaceTable(path: path)
    }

    private func places(_ text: String, in table: PlaceTable? = nil) throws -> [Placemark] {
        guard case .places(let found) = try (table ?? self.table).forward(PlaceQuestion(text)) else { return [] }
        return found
    }

    @Test func `GEO-46: a dump that is cut in line 700 000 is refused with the line's number`() throws {
        var writer = try RegionTableWriter(name: "dump.jsonl", path: path)
        try writer.add(line: Array(SmallRegion.head.utf8))
        let line = Array(#"{"type":"Later"}"#.utf8)
        for _ in 2..<700_000 { try writer.add(line: line) }
        let error = #expect(throws: PlaceTableError.self) {
            try writer.add(line: Array(#"{"type":"Place","content":[{"osm"#.utf8))
        }
        #expect(error.map { "\($0)".hasPrefix("dump.jsonl: line 700000: is damaged or cut off") } == true)
    }

    @Test func `of a thousand towns at one point an import looks at one for each address, the largest`() {
        let towns = (0..<1000).map { index in
            var town = ImportedObject(kind: .town, latitudeE7: 473_000_000, longitudeE7: 85_000_000)
            (town.name, town.population) = (index < 500 ? "Same" : "N\(index)", UInt32(2000 - index))
            return ListedPlace(town)
        }
        let finder = TownFinder(towns)
        var address = ImportedObject(kind: .address, latitudeE7: 473_010_000, longitudeE7: 85_000_000)
        #expect(finder.around(address) == [0] && finder.town(of: address) == 0)
        address.town = "Same"
        #expect(finder.named["Same"] == [0] && finder.town(of: address) == 0)
    }

    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    @Test(arguments: [
        "Bahnhofstrasse 1, Zürich", "zuerich bahnhofstrasse 1", "1 Bahnhofstrasse, 8001 Zürich, Schweiz",
    ])
    func `GEO-15: an address that a region table has is one placemark`(text: String) throws {
        let found = try places(text)
        #expect(found.count == 1 && found.first?.thoroughfare == "Bahnhofstrasse")
        #expect(found.first?.subThoroughfare == "1" && found.first.map { $0.radius <= 50 } == true)
        #expect(found.first?.locality == "Zürich" && found.first?.postalCode == "8001")
        #expect(found.first?.latitude == 47.3673 && found.first?.isoCountryCode == "CH")
    }

    @Test func `a number without its letter is found, else the nearest on the same side with twice the radius`() throws
    {
        #expect(try places("Bahnhofstrasse 5b, Zürich").first?.subThoroughfare == "5")
        #expect(try places("Bahnhofstrasse 6 A, Zürich").first?.subThoroughfare == "6a")
        for (number, latitude) in [("9", 47.37), ("7", 47.368), ("2", 47.3681)] {
            let near = try #require(try places("Bahnhofstrasse \(number), Zürich").first)
            #expect(near.subThoroughfare == nil && near.radius == 60 && near.thoroughfare == "Bahnhofstrasse")
            #expect(near.latitude == latitude || number == "9" && near.latitude == 47.37)
        }
    }

    @Test func `a street, and a point of interest, are found by name, and not in another town`() throws {
        #expect(try places("Rennweg, Zürich").first?.thoroughfare == "Rennweg")
        let museum = try #require(try places("Landesmuseum").first)
        #expect(museum.name == "Landesmuseum" && museum.areasOfInterest == ["Landesmuseum"])
        #expect(museum.locality == "Zürich" && museum.thoroughfare == nil)
        #expect(try places("Bahnhofstrasse 1, Biel/Bienne").isEmpty)
        #expect(try places("Biel").first?.locality == "Biel/Bienne")
    }

    @Test func `a street in the town that is named comes alone, and one beside it where the town has none`() throws {
        let near = [
            SmallRegion.place(#""osm_key":"place","osm_value":"town","name":{"name":"Opfikon"}"#, 47.4317, 8.5759),
            SmallRegion.house("1", 47.4320, 8.5760, in: "Opfikon"),
            SmallRegion.place(
                #""osm_key":"highway","osm_value":"path","name":{"name":"Auweg"},"address":{"city":"Opfikon"}"#,
                47.4330, 8.5770),
        ]
        let table = try PlaceTable(path: SmallRegion.write([SmallRegion.head] + SmallRegion.dump + near))
        #expect(try places("Bahnhofstrasse 1, Zürich", in: table).map(\.locality) == ["Zürich"])
        #expect(try places("Bahnhofstrasse 1, Opfikon", in: table).map(\.locality) == ["Opfikon"])
        #expect(try places("Bahnhofstrasse 1", in: table).map(\.locality) == ["Zürich", "Opfikon"])
        #expect(try places("Auweg, Zürich", in: table).map(\.locality) == ["Opfikon"])
    }

    @Test func `the town that has the very number comes before a larger one that has it without its letter`() throws {
        let near = [
            SmallRegion.place(#""osm_key":"place","osm_value":"town","name":{"name":"Opfikon"}"#, 47.4317, 8.5759),
            SmallRegion.house("5b", 47.4320, 8.5760, in: "Opfikon"),
        ]
        let table = try PlaceTable(path: SmallRegion.write([SmallRegion.head] + SmallRegion.dump + near))
        #expect(try places("Bahnhofstrasse 5b", in: table).map(\.locality) == ["Opfikon"])
        #expect(try places("Bahnhofstrasse 5", in: table).map(\.locality) == ["Zürich"])
    }

    @Test func `a point has the address within 50 m, else the street within 100 m, else a point of interest`() throws {
        let house = try #require(try table.reverse(latitude: 47.36735, longitude: 8.5405))
        #expect(house.name == "Bahnhofstrasse 1" && house.subThoroughfare == "1" && house.postalCode == "8001")
        let street = try #require(try table.reverse(latitude: 47.3736, longitude: 8.5390))
        #expect(street.thoroughfare == "Rennweg" && street.subThoroughfare == nil && street.name == "Rennweg")
        let museum = try #require(try table.reverse(latitude: 47.3791, longitude: 8.5402))
        #expect(museum.name == "Landesmuseum" && museum.areasOfInterest == ["Landesmuseum"])
        let town = try #require(try table.reverse(latitude: 47.3860, longitude: 8.5402))
        #expect(town.thoroughfare == nil && town.locality == "Zürich")
    }

    @Test func `the part of the town that an address names is told, though another one's point is nearer`() throws {
        func house(_ number: String, _ latitude: Double, in district: String) -> String {
            SmallRegion.place(
                """
                "osm_key":"place","osm_value":"house","housenumber":"\(number)",
                "address":{"street":"Seeweg","city":"Zürich","district":"\(district)"}
                """, latitude, 8.5405)
        }
        let suburb = SmallRegion.place(
            #""osm_key":"place","osm_value":"suburb","name":{"name":"Fluntern"}"#, 47.3600, 8.5405)
        let table = try PlaceTable(
            path: SmallRegion.write(
                [SmallRegion.head] + SmallRegion.dump + [
                    suburb, house("1", 47.3601, in: "Enge"), house("2", 47.3500, in: "Enge"),
                    house("3", 47.3400, in: "Zürich"),
                ]))
        let enge = try #require(try table.reverse(latitude: 47.3601, longitude: 8.5405))
        #expect(enge.subLocality == "Enge" && enge.locality == "Zürich" && enge.subThoroughfare == "1")
        #expect(try places("Seeweg 2, Zürich", in: table).first?.subLocality == "Enge")
        #expect(try places("Seeweg 3, Zürich", in: table).first?.subLocality == nil)
        #expect(try places("Enge", in: table).count == 1, "it stands in the middle of its addresses")
    }

    @Test func `parts of several towns that have one name are told in each of these towns`() throws {
        func house(_ town: String, _ latitude: Double, _ longitude: Double) -> String {
            SmallRegion.place(
                """
                "osm_key":"place","osm_value":"house","housenumber":"1",
                "address":{"street":"Marktgasse","city":"\(town)","district":"Altstadt"}
                """, latitude, longitude)
        }
        let towns = [("Zürich", 47.3720, 8.5420), ("Biel/Bienne", 47.1380, 7.2465), ("Baden", 47.4730, 8.3080)]
        let table = try PlaceTable(
            path: SmallRegion.write([SmallRegion.head] + SmallRegion.dump + towns.map { house($0, $1, $2) }))
        #expect(try places("Altstadt", in: table).count == 3)
        for (town, latitude, longitude) in towns {
            let mark = try #require(try table.reverse(latitude: latitude, longitude: longitude))
            #expect(mark.locality == town && mark.subLocality == "Altstadt")
        }
    }

    @Test func `a street is found by its names in other languages, and told by its own`() throws {
        let lines = [
            SmallRegion.feature(
                "w1", #"{"type":"LineString","coordinates":[[11.35,46.498],[11.352,46.499]]}"#,
                #""highway":"residential","name":"Via dei Portici - Lauben","name:de":"Lauben","name:it":"Via dei Portici""#
            )
        ]
        var options = RegionTableWriter.Options()
        let both = try PlaceTable(path: SmallRegion.write(lines, options: options))
        options.languages = try #require(NameLanguages("de"))
        let german = try PlaceTable(path: SmallRegion.write(lines, options: options))
        #expect(try places("Via dei Portici", in: both).first?.thoroughfare == "Via dei Portici - Lauben")
        #expect(try places("Lauben", in: german).first?.thoroughfare == "Via dei Portici - Lauben")
        #expect(try places("Via dei Portici", in: german).isEmpty)
    }

    @Test func `towns come from the table of towns where no object is near, and tell what the region does not`() throws
    {
        let towns = try SmallTable.write()
        let tables = PlaceTables { [path] in [towns, path] }
        let house = try #require(try tables.reverse(latitude: 47.36735, longitude: 8.5405))
        #expect(house.thoroughfare == "Bahnhofstrasse" && house.timeZone == "Europe/Zurich" && house.source == .osm)
        let oerlikon = try #require(try tables.reverse(latitude: 47.4111, longitude: 8.5446))
        #expect(oerlikon.subLocality == "Oerlikon" && oerlikon.source == .geonames)
        guard case .places(let found) = try tables.forward(PlaceQuestion("Bahnhofstrasse 1, Zürich")) else {
            Issue.record("no address")
            return
        }
        #expect(found.count == 1 && found.first?.timeZone == "Europe/Zurich" && found.first?.near == nil)
    }

    @Test func `GEO-47: a region table tells its source, date, licence, counts and bounds`() {
        let about = table.about
        #expect(about.kind == .region && about.origin == "OpenStreetMap" && about.date == "2026-02-01")
        #expect(about.license == "ODbL 1.0" && about.attribution == "© OpenStreetMap contributors, ODbL 1.0")
        #expect(about.places == 2 && about.streets == 2 && about.objects == 6)
        #expect(about.bounds?.south == 47.3673 && about.bounds?.east == 8.5405)
    }

    @Test func `GEO-46: the same lines give the same bytes, in any order and behind an older table`() throws {
        let other = try SmallRegion.write([SmallRegion.head] + SmallRegion.dump.reversed())
        #expect(try bytes(other) == bytes(path))
        #expect(try bytes(SmallRegion.write(to: other)) == bytes(path))
    }

    @Test func `GEO-46: an input that is wrong leaves the old table, and nothing beside it`() throws {
        let before = try bytes(path)
        for bad in [#"{"type":"Place","content":[{"#, "[]"] {
            #expect(throws: PlaceTableError.self) {
                try SmallRegion.write([SmallRegion.head] + SmallRegion.dump + [bad], to: path)
            }
        }
        #expect(throws: PlaceTableError.self) { try SmallRegion.write([SmallRegion.head], to: path) }
        #expect(try bytes(path) == before && !FileManager.default.fileExists(atPath: path + ".new"))
    }

    @Test func `GEO-46: an address of a closed way is there once, in the town of its boundary`() throws {
        let ring = "[[9.5,47.1],[9.501,47.1],[9.501,47.101],[9.5,47.1]]"
        let border = #"{"type":"MultiPolygon","coordinates":[[[[9,47],[10,47],[10,48],[9,48],[9,47]]]]}"#
        let address = #""addr:street":"Städtle","addr:housenumber":"32""#
        let lines = [
            SmallRegion.feature("w17", #"{"type":"LineString","coordinates":\#(ring)}"#, address),
            SmallRegion.feature("a34", #"{"type":"MultiPolygon","coordinates":[[\#(ring)]]}"#, address),
            SmallRegion.feature(
                "a7", border, #""boundary":"administrative","admin_level":"8","name":"Vaduz""#),
            SmallRegion.feature(
                "a9", border,
                #""boundary":"administrative","admin_level":"2","name":"Liechtenstein","ISO3166-1:alpha2":"LI""#),
        ]
        for lines in [lines, lines.reversed(), lines.map { "\u{1E}" + $0 }] {
            let table = try PlaceTable(path: SmallRegion.write(lines))
            let found = try places("Städtle 32, Vaduz", in: table)
            #expect(table.about.objects == 1 && found.count == 1 && found.first?.locality == "Vaduz")
            #expect(found.first?.country == "Liechtenstein" && found.first?.isoCountryCode == "LI")
        }
    }

    @Test func `a box, a country and the lack of points of interest leave the others out`() throws {
        var options = RegionTableWriter.Options()
        options.keepsInterests = false
        options.bounds = RegionBounds("47.36,8.53,47.372,8.55")
        #expect(try PlaceTable(path: SmallRegion.write(options: options)).about.objects == 4)
        options.country = "DE"
        #expect(throws: PlaceTableError.self) { try SmallRegion.write(options: options) }
        #expect(RegionBounds("47.4,8,47.3,9") == nil && RegionBounds("47.4,8,47.3") == nil)
    }

    @Test func `GEO-32: texts that are too long and points on no globe are nil, and no view is asked`() throws {
        change(
            path,
            """
            UPDATE street SET name = hex(zeroblob(500000)), place = 1 << 40;
            UPDATE object SET number = hex(zeroblob(500)), name = x'FF', class = 7, postcode = '';
            UPDATE object_block SET points = x'FFFFFF7FFFFFFF7F' || zeroblob(5)
            """)
        let hostile = try PlaceTable(path: path)
        let mark = try hostile.reverse(latitude: 47.36735, longitude: 8.5405)
        #expect(mark?.thoroughfare == nil && mark?.subThoroughfare == nil && mark?.postalCode == nil)
        for text in ["Bahnhofstrasse 1, Zürich", "Landesmuseum"] { #expect(try places(text, in: hostile).isEmpty) }
        change(path, "DROP TABLE street; CREATE VIEW street AS SELECT 0 AS id, 'a' AS name, 0 AS place, '' AS postcode")
        #expect(throws: PlaceTableError.self) { try PlaceTable(path: path) }
    }

    @Test func `GEO-29: a cut or changed region table answers or is an error, and never a trap`() throws {
        let whole = try bytes(path)
        let other = path + ".bad"
        for index in 0..<200 {
            var changed = index < 20 ? whole.prefix(whole.count / 20 * index) : whole
            if index >= 20 { changed[index * (whole.count / 200)] ^= 0xFF }
            try changed.write(to: URL(fileURLWithPath: other))
            do {
                let table = try PlaceTable(path: other)
                _ = try table.reverse(latitude: 47.36735, longitude: 8.5405)
                _ = try table.forward(PlaceQuestion("Bahnhofstrasse 1, Zürich"))
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }

    /// All that can be wrong with a tree of which many rows are gone is a text of kilobytes.
    @Test(arguments: [
        "UPDATE object_block_node SET data = zeroblob(length(data))",
        "DELETE FROM object_block_rowid WHERE rowid % 3 = 0",
    ])
    func `GEO-29: a spoilt tree of places in a sound database is found by the check`(sql: String) throws {
        try table.check()
        change(path, sql)
        #expect(throws: PlaceTableError.self) { try PlaceTable(path: path).check() }
    }

    @Test func `GEO-29: beside a damaged region table the table of towns answers`() throws {
        let (towns, other, whole) = (try SmallTable.write(), path + ".bad", try bytes(path))
        let tables = PlaceTables(patience: 0) { [towns, other] }
        var damaged = 0
        for page in 1..<whole.count / 4096 {
            var changed = whole
            for byte in 0..<64 { changed[page * 4096 + byte] = 0xFF }
            try changed.write(to: URL(fileURLWithPath: other))
            guard let region = try? PlaceTable(path: other) else { continue }
            do {
                _ = try region.reverse(latitude: 47.36735, longitude: 8.5405)
            } catch {
                damaged += 1
                #expect(try tables.reverse(latitude: 47.36735, longitude: 8.5405)?.locality == "Zürich")
                #expect(try tables.forward(PlaceQuestion("Zürich")) != .nothing)
            }
        }
        #expect(damaged > 0)
    }

    @Test func `an import of ten thousand lines is the same in any order`() throws {
        let houses = (0..<10_000).map { index in
            SmallRegion.house(
                "\(index)", 47 + Double(index % 100) / 1000, 8 + Double(index / 100) / 1000, in: "T\(index % 7)")
        }
        let first = try SmallRegion.write([SmallRegion.head] + houses)
        #expect(try bytes(first) == bytes(SmallRegion.write([SmallRegion.head] + houses.reversed())))
        let table = try PlaceTable(path: first)
        #expect(table.about.objects == 10_000 && table.about.places == 7)
        #expect(try table.reverse(latitude: 47.042, longitude: 8.037)?.subThoroughfare == "3742")
    }
}
