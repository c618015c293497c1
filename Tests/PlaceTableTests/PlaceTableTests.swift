import CSextantSQLite
import Foundation
import PlaceTable
import SextantPlaces
import Testing

@Suite("Table of places")
struct PlaceTableTests {
    private let path: String
    private let table: PlaceTable

    init() throws {
        path = try SmallTable.write()
        table = try PlaceTable(path: path)
    }

    private func places(_ text: String, near hint: PlaceQuestion.Hint? = nil) throws -> [Placemark] {
        guard case .places(let found) = try table.forward(PlaceQuestion(text, hint: hint)) else { return [] }
        return found
    }

    @Test func `GEO-08: a point in a part of a town has the names of both`() throws {
        let part = try #require(try table.reverse(latitude: 47.4111, longitude: 8.5446))
        #expect(part.locality == "Zürich" && part.subLocality == "Oerlikon" && part.isoCountryCode == "CH")
        #expect(part.administrativeArea == "Zurich" && part.timeZone == "Europe/Zurich")
        #expect(try table.reverse(latitude: 47.3769, longitude: 8.5417)?.locality == "Zürich")
    }

    /// Cities with a part or a neighbour, small countries beside large ones, and two places that are alone.
    private static let neighbours = [
        "country\tCH\tSwitzerland", "country\tDE\tGermany", "country\tUS\tUnited States", "country\tMC\tMonaco",
        "country\tFR\tFrance", "country\tVA\tVatican", "country\tIT\tItaly", "country\tGI\tGibraltar",
        "country\tES\tSpain", "country\tLI\tLiechtenstein", "country\tNO\tNorway", "country\tLY\tLibya",
        "place\tLausanne\t46.516\t6.63282\t139111\tCH\t\t\tEurope/Zurich\t",
        "place\tRenens\t46.53989\t6.5881\t20927\tCH\t\t\tEurope/Zurich\t",
        "place\tBerlin\t52.52437\t13.41053\t3426354\tDE\t\t\tEurope/Berlin\t",
        "place\tKreuzberg\t52.49973\t13.40338\t153135\tDE\t\t\tEurope/Berlin\t",
        "place\tPasadena\t34.14778\t-118.14452\t142250\tUS\t\t\tAmerica/Los_Angeles\t",
        "place\tLos Angeles\t34.05223\t-118.24368\t3820914\tUS\t\t\tAmerica/Los_Angeles\t",
        "place\tMonaco\t43.73718\t7.42145\t32965\tMC\t\t\tEurope/Monaco\t",
        "place\tBeausoleil\t43.74311\t7.4225\t13376\tFR\t\t\tEurope/Paris\t",
        "place\tNice\t43.70313\t7.26608\t342669\tFR\t\t\tEurope/Paris\t",
        "place\tVatican City\t41.90268\t12.45414\t829\tVA\t\t\tEurope/Vatican\t",
        "place\tRome\t41.89193\t12.51133\t2318895\tIT\t\t\tEurope/Rome\t",
        "place\tGibraltar\t36.14474\t-5.35257\t26544\tGI\t\t\tEurope/Gibraltar\t",
        "place\tLa Línea de la Concepción\t36.16809\t-5.34777\t64595\tES\t\t\tEurope/Madrid\t",
        "place\tVaduz\t47.14151\t9.52154\t5197\tLI\t\t\tEurope/Vaduz\t",
        "place\tSevelen\t47.12213\t9.48601\t4392\tCH\t\t\tEurope/Zurich\t",
        "place\tHonningsvåg\t70.98209\t25.97037\t2484\tNO\t\t\tEurope/Oslo\t",
        "place\tAl Jaghbūb\t29.74262\t24.51676\t2768\tLY\t\t\tAfrica/Tripoli\t",
    ]

    @Test func `GEO-09: cities beside their neighbours, and small countries beside large ones, are named`() throws {
        let table = try PlaceTable(path: SmallTable.write(Self.neighbours))
        for (latitude, longitude, locality, country) in [
            (46.5197, 6.6323, "Lausanne", "CH"), (52.499, 13.403, "Berlin", "DE"),
            (34.1478, -118.1445, "Pasadena", "US"), (43.7325, 7.4189, "Monaco", "MC"),
            (41.9029, 12.4534, "Vatican City", "VA"), (36.1408, -5.3536, "Gibraltar", "GI"),
            (47.14, 9.52, "Vaduz", "LI"),
        ] {
            let mark = try #require(try table.reverse(latitude: latitude, longitude: longitude))
            #expect(mark.locality == locality && mark.isoCountryCode == country)
        }
    }

    @Test func `GEO-21: a town names a point 22 km off, and one 47 km off has its country and zone alone`() throws {
        let table = try PlaceTable(path: SmallTable.write(Self.neighbours))
        let cape = try #require(try table.reverse(latitude: 71.171, longitude: 25.7837))
        #expect(cape.locality == "Honningsvåg" && cape.near == "22 km N of Honningsvåg")
        let desert = try #require(try table.reverse(latitude: 30, longitude: 24.9))
        #expect(desert.locality == nil && desert.name == nil && desert.isoCountryCode == "LY")
        #expect(desert.timeZone == "Africa/Tripoli" && desert.near == "47 km NE of Al Jaghbūb")
    }

    @Test func `GEO-10: what the table does not know is nil`() throws {
        let mark = try #require(try table.reverse(latitude: 47.4111, longitude: 8.5446))
        #expect(mark.thoroughfare == nil && mark.subThoroughfare == nil && mark.postalCode == nil)
        #expect(mark.inlandWater == nil && mark.ocean == nil && mark.areasOfInterest.isEmpty)
    }

    @Test(arguments: ["Zürich", "zurich", "ZURICH", "Zuerich", "Цюрих", "苏黎世", "Zürich 苏黎世"])
    func `GEO-11: a name is found in each spelling and script`(text: String) throws {
        let first = try #require(try places(text).first)
        #expect(abs(first.latitude - 47.37) < 0.1 && first.isoCountryCode == "CH" && first.locality == "Zürich")
    }

    @Test func `GEO-12, GEO-06: the larger place comes first, and words beside a name say which`() throws {
        #expect(try places("Paris").map(\.isoCountryCode) == ["FR", "US"])
        for text in ["Paris, Texas", "Texas Paris", "Paris TX", "Paris, Texas, USA"] {
            #expect(try places(text).first?.isoCountryCode == "US", "\(text)")
        }
        #expect(try places("London, Ontario").first?.isoCountryCode == "CA")
        #expect(try places("Freiburg, Schweiz").first?.locality == "Fribourg")
        #expect(try places("Cologne").map(\.isoCountryCode) == ["DE", "IT"])
        #expect(try places("Oerlikon, Zürich").first?.subLocality == "Oerlikon")
    }

    @Test func `GEO-12: a place of the name comes before a larger one that was called so`() throws {
        let table = try PlaceTable(
            path: SmallTable.write(
                SmallTable.lines + [
                    "country\tPK\tPakistan", "country\tBD\tBangladesh",
                    "place\tIslamabad\t33.70411\t73.09723\t601600\tPK\t\t\tAsia/Karachi\t",
                    "place\tChattogram\t22.3384\t91.83168\t3920222\tBD\t\t\tAsia/Dhaka\t\tIslamabad",
                ]))
        guard case .places(let found) = try table.forward(PlaceQuestion("Islamabad")) else {
            Issue.record("no place")
            return
        }
        #expect(found.map(\.isoCountryCode) == ["PK", "BD"])
    }

    @Test(arguments: [(600_000, "IN"), (150_000, "JP")])
    func `GEO-12: a state comes before a town of its name abroad where it has three times the people`(
        people: Int, country: String
    ) throws {
        let table = try PlaceTable(
            path: SmallTable.write(
                SmallTable.lines + [
                    "country\tIN\tIndia", "country\tJP\tJapan", "state\tJP\t20\tKochi",
                    "place\tKochi\t9.93988\t76.26022\t\(people)\tIN\t\t\tAsia/Kolkata\t",
                    "place\tNankoku\t33.56667\t133.63333\t700000\tJP\t20\t\tAsia/Tokyo\t",
                ]))
        guard case .places(let found) = try table.forward(PlaceQuestion("Kochi")) else {
            Issue.record("no place")
            return
        }
        #expect(found.count == 2 && found.first?.isoCountryCode == country)
    }

    @Test func `GEO-13: places in the region come first, and the others follow`() throws {
        let hint = PlaceQuestion.Hint(latitude: 42.1, longitude: -72.59, radius: 50_000)
        #expect(try places("Springfield").map(\.administrativeArea) == ["Illinois", "Massachusetts"])
        #expect(try places("Springfield", near: hint).map(\.administrativeArea) == ["Massachusetts", "Illinois"])
    }

    @Test(arguments: ["Switzerland", "Schweiz", "スイス", "CHE"])
    func `GEO-14: a country alone is its whole area`(text: String) throws {
        let found = try places(text)
        #expect(found.count == 1 && found.first?.isoCountryCode == "CH" && found.first?.locality == nil)
        #expect(found.first.map { $0.radius > 50_000 } == true)
    }

    @Test func `GEO-15: a street that is not known leaves a partial answer`() throws {
        guard case .partial(let found) = try table.forward(PlaceQuestion("Bahnhofstrasse 1, Zürich")) else {
            Issue.record("no partial answer")
            return
        }
        #expect(found.first?.locality == "Zürich")
    }

    @Test func `GEO-16: the radius of a town is its urban radius`() throws {
        #expect(try places("Zürich").first.map { abs($0.radius - 7100) < 355 } == true)
    }

    /// Cities whose urban radius is larger than the 25 km in which a town is named, with their people.
    private static let megacities = [
        "London\t51.50853\t-0.12574\t8961989\tGB\t\t\tEurope/London\t",
        "Tokyo\t35.6895\t139.69171\t9733276\tJP\t\t\tAsia/Tokyo\t",
        "Delhi\t28.65195\t77.23149\t11034555\tIN\t\t\tAsia/Kolkata\t",
        "São Paulo\t-23.5475\t-46.63611\t12400232\tBR\t\t\tAmerica/Sao_Paulo\t",
    ]

    /// A table of one of these cities and a place beside it, and the point so many kilometres north of the city.
    private func ring(
        _ city: String, _ kilometres: Double, place name: String, _ away: Double, section: String = ""
    ) throws -> (mark: Placemark, city: String) {
        let fields = city.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        let longitude = try #require(Double(fields[2]))
        let latitude = try #require(Double(fields[1])) + kilometres / 111.195
        let place =
            "place\t\(name)\t\(latitude + away / 111.195)\t\(longitude)\t1500\t\(fields[4])\t\t\t\(fields[7])\t"
            + section
        let table = try PlaceTable(
            path: SmallTable.write(["country\t\(fields[4])\tthe country", "place\t" + city, place]))
        let mark = try #require(try table.reverse(latitude: latitude, longitude: longitude))
        #expect(mark.isoCountryCode == fields[4] && mark.timeZone == fields[7])
        return (mark, fields[0])
    }

    @Test(arguments: megacities, [26.0, 27, 28.5, 29.9, 31])
    func `GEO-08: where a city is too far off to name a point, the nearer town does`(
        city: String, kilometres: Double
    ) throws {
        let near = try ring(city, kilometres, place: "Littleton", 2).mark
        #expect(near.locality == "Littleton" && near.subLocality == nil && near.near == "near Littleton")
        // 20 km is beyond the place's urban radius too, and it is still the nearer of the two.
        let far = try ring(city, kilometres, place: "Littleton", 20).mark
        #expect(far.locality == "Littleton" && far.near == "20 km S of Littleton")
    }

    @Test(arguments: megacities)
    func `GEO-08: a city of millions does not name the point beside a town at its edge`(city: String) throws {
        #expect(try ring(city, 22, place: "Littleton", 1.5).mark.locality == "Littleton")
    }

    @Test(arguments: megacities)
    func `GEO-08: a city names the points up to 25 km off, and beyond none that is beside no other town`(
        city: String
    ) throws {
        let inside = try ring(city, 24, place: "Littleton", 2)
        #expect(inside.mark.locality == inside.city)
        let beyond = try ring(city, 27, place: "Littleton", 26).mark
        #expect(beyond.locality == nil && beyond.subLocality == nil)
    }

    @Test(arguments: megacities)
    func `GEO-08: where no town is near, a section of a city names the points beside it alone`(city: String) throws {
        let beside = try ring(city, 27, place: "Endwell", -2, section: "section").mark
        #expect(beside.locality == nil && beside.subLocality == "Endwell")
        let far = try ring(city, 27, place: "Endwell", 10, section: "section").mark
        #expect(far.locality == nil && far.subLocality == nil && far.name == nil)
        let part = try ring(city, 26, place: "Innerton", -8.5, section: "section")
        #expect(part.mark.locality == nil && part.mark.subLocality == nil)
    }

    @Test(arguments: [
        (90.0, 0.0), (90, 123), (-90, 0), (0, -30), (35, 165), (-48, 179.99), (-48, -179.99), (.nan, 0), (90.1, 0),
        (0, 180.1), (.infinity, 0),
    ])
    func `GEO-18, GEO-19: at the poles, in the open sea and on no globe there is no place`(
        latitude: Double, longitude: Double
    ) throws {
        #expect(try table.reverse(latitude: latitude, longitude: longitude) == nil)
    }

    @Test func `GEO-20: the antimeridian is no border`() throws {
        var distances: [Double] = []
        for longitude in [179.99, -179.99, 180, -180] {
            let mark = try #require(try table.reverse(latitude: -16.8, longitude: longitude))
            #expect(mark.isoCountryCode == "FJ" && mark.timeZone == "Pacific/Fiji" && mark.locality == nil)
            distances.append(try #require(mark.distance))
        }
        let (least, most) = (try #require(distances.min()), try #require(distances.max()))
        #expect(most - least < 3000)
    }

    @Test(arguments: [
        "", "   ", "...", "\u{200F}", String(repeating: "a", count: 10_000), String(repeating: "\u{FDFA}", count: 300),
        String(repeating: "Zürich ", count: 1500), String(repeating: "Paris ", count: 500), "Pa\0ris",
        "Pa\u{FFFD}ris", "qwertz uiop", "\" OR 1=1 --", "'; drop table place",
    ])
    func `GEO-04, GEO-22, GEO-23: a text that names nothing finds nothing, and changes nothing`(text: String) throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(try table.forward(PlaceQuestion(text)) == .nothing)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test(arguments: ["Zürich*", "\"Zürich\" --", "'Zürich'; --", "{Zürich}:", "(Zürich)", "Zürich%", "^Zürich"])
    func `GEO-23: the signs of a query language stand between words, and change nothing`(text: String) throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        let (found, plain) = (try places(text), try places("Zürich"))
        #expect(found == plain && plain.first?.locality == "Zürich")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    }

    @Test func `GEO-24: a letter of another script names no other place`() throws {
        #expect(try places("Pаris").isEmpty)
    }

    @Test func `GEO-29: a cut or changed file answers or is an error, and never a trap`() throws {
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let other = path + ".bad"
        var damaged: [Data] = [Data(), Data("no table".utf8)]
        for size in stride(from: 100, to: whole.count, by: whole.count / 16) { damaged.append(whole.prefix(size)) }
        for index in 0..<100 {
            var changed = whole
            changed[index * (whole.count / 100)] ^= 0xFF
            damaged.append(changed)
        }
        for data in damaged {
            try data.write(to: URL(fileURLWithPath: other))
            do {
                let table = try PlaceTable(path: other)
                _ = try table.reverse(latitude: 47.4, longitude: 8.5)
                _ = try table.forward(PlaceQuestion("Paris, Texas"))
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }

    @Test func `GEO-30: a newer format, an older one and a foreign file are told apart`() throws {
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        data[63] = 3
        try data.write(to: URL(fileURLWithPath: path))
        #expect(throws: PlaceTableError(.newerFormat(found: 3), path: path)) { try PlaceTable(path: path) }
        data[63] = 1
        try data.write(to: URL(fileURLWithPath: path))
        #expect(throws: PlaceTableError(.olderFormat(found: 1), path: path)) { try PlaceTable(path: path) }
        data[68] = 0
        try data.write(to: URL(fileURLWithPath: path))
        #expect(throws: PlaceTableError(.notATable, path: path)) { try PlaceTable(path: path) }
        #expect(
            "\(PlaceTableError(.newerFormat(found: 3), path: "/a/places.sqlite"))"
                == "places.sqlite has format 3; this Sextant reads 2: update sextant")
    }

    @Test func `GEO-31: a table that is replaced serves on until the new one is opened`() throws {
        let tables = PlaceTables(patience: 0) { [path] in [path] }
        #expect(try tables.reverse(latitude: 47.4111, longitude: 8.5446)?.locality == "Zürich")
        let changed = try SmallTable.write(SmallTable.lines.map { $0.replacing("Oerlikon", with: "Seebach") })
        #expect(unsafe rename(changed, path) == 0)
        #expect(try table.reverse(latitude: 47.4111, longitude: 8.5446)?.subLocality == "Oerlikon")
        #expect(try tables.reverse(latitude: 47.4111, longitude: 8.5446)?.subLocality == "Seebach")
    }

    @Test func `a table that could not be opened is tried again, also where the file's size and time stay`() throws {
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let modified = Date(timeIntervalSince1970: 1_700_000_000)
        let tables = PlaceTables(patience: 0) { [path] in [path] }
        for bytes in [Data(count: whole.count), whole] {
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.write(contentsOf: bytes)
            try file.close()
            try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: path)
            guard bytes == whole else {
                #expect(throws: PlaceTableError.self) { try tables.tables() }
                continue
            }
            #expect(try tables.tables().count == 1)
        }
    }

    @Test func `GEO-31: a table that is cut while it is open answers or is an error, and never a trap`() throws {
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        for size in stride(from: whole.count - 1, through: 0, by: -(whole.count / 8)) {
            try whole.write(to: URL(fileURLWithPath: path))
            let table = try PlaceTable(path: path)
            #expect(unsafe truncate(path, off_t(size)) == 0)
            do {
                _ = try table.reverse(latitude: 47.4, longitude: 8.5)
                _ = try table.forward(PlaceQuestion("Paris, Texas"))
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }

    @Test func `GEO-32: a table of towns with hostile values has no texts of them, and no view of it is asked`() throws
    {
        change(
            path,
            """
            UPDATE place SET name = hex(zeroblob(500000)); UPDATE zone SET name = '../../etc/passwd';
            UPDATE area SET latitude = 1 << 40 WHERE kind = 1
            """)
        let hostile = try PlaceTable(path: path)
        let mark = try #require(try hostile.reverse(latitude: 47.3769, longitude: 8.5417))
        #expect(mark.locality == nil && mark.name == nil && mark.near == nil)
        #expect(mark.timeZone == nil && mark.administrativeArea == nil && mark.isoCountryCode == "CH")
        change(path, "UPDATE area SET code = ''")
        let nameless = try #require(try PlaceTable(path: path).reverse(latitude: 47.3769, longitude: 8.5417))
        #expect(nameless.isoCountryCode == nil && nameless.country == "Switzerland")
        change(path, "UPDATE block SET id = 9223372036854775800 - id")
        #expect(try PlaceTable(path: path).reverse(latitude: 47.3769, longitude: 8.5417) == nil)
        change(path, "UPDATE block SET records = x'FFFFFF7FFFFFFF7F' || zeroblob(16)")
        #expect(try PlaceTable(path: path).reverse(latitude: 47.3769, longitude: 8.5417) == nil)
        change(path, "DROP TABLE place; CREATE VIEW place AS SELECT 0 AS id, 'a' AS name")
        #expect(throws: PlaceTableError.self) { try PlaceTable(path: path) }
    }

    /// Numbers that follow from a seed (SplitMix64).
    private struct Seeded: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
    }

    private static let columns = [
        ("area", ["kind", "parent", "code", "name", "latitude", "longitude", "radius", "population"]),
        ("place", ["name"]), ("zone", ["name"]), ("name", ["entries"]), ("area_name", ["area", "use"]),
        ("block", ["x0", "x1", "y1", "z0", "r0", "r1", "records"]), ("meta", ["value"]),
    ]
    private static let values = [
        "9223372036854775807", "-9223372036854775808", "0", "-1", "1", "255", "65536", "2147483647", "4294967296",
        "9.9e307", "-9.9e307", "9e999", "NULL", "''", "x'FF'", "x'FFFFFF7FFFFFFF7F' || zeroblob(16)",
        "randomblob(384)", "zeroblob(5000)", "'a' || char(0) || 'b'",
    ]

    @Test(arguments: [UInt64(0x6C07)])
    func `two thousand tables with values of every size are asked without a trap`(seed: UInt64) throws {
        var random = Seeded(state: seed)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        let texts = ["Zürich", "Switzerland", "Paris, Texas", "Ontario", "Springfield IL", "Oerlikon, Zürich"]
        for _ in 0..<2000 {
            let (table, columns) = try #require(Self.columns.randomElement(using: &random))
            let column = try #require(columns.randomElement(using: &random))
            let value = try #require(Self.values.randomElement(using: &random))
            var database: OpaquePointer?
            #expect(unsafe sqlite3_open(path, &database) == SQLITE_OK)
            let sql = "BEGIN; UPDATE OR IGNORE \(table) SET \(column) = \(value)"
            // A value that a column does not take leaves the table as it is.
            _ = unsafe sqlite3_exec(database, sql + ";COMMIT", nil, nil, nil)
            _ = unsafe sqlite3_close(database)
            if let hostile = try? PlaceTable(path: path) {
                for text in texts {
                    guard let answer = try? hostile.forward(PlaceQuestion(text)) else { continue }
                    switch answer {
                    case .places(let marks), .partial(let marks): for mark in marks { check(mark) }
                    case .nothing: break
                    }
                }
                if let mark = try? hostile.reverse(latitude: 47.41, longitude: 8.54) { check(mark) }
            }
            try whole.write(to: URL(fileURLWithPath: path))
        }
    }

    /// Whether what is told of a place can be told of one on the Earth.
    private func check(_ mark: Placemark) {
        #expect((-90...90).contains(mark.latitude) && (-180...180).contains(mark.longitude))
        #expect((0...20_100_000).contains(mark.radius), "\(mark.radius)")
        _ = mark.members
    }

    @Test func `GEO-33: no file beside the table is opened, not even one with which SQLite would undo a change`() throws
    {
        // The head of a rollback journal of no pages (sqlite.org/fileformat2.html, section 3).
        let head: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7] + Array(repeating: 0, count: 1016)
        try Data(head).write(to: URL(fileURLWithPath: path + "-journal"))
        let table = try PlaceTable(path: path)
        #expect(try table.reverse(latitude: 47.3769, longitude: 8.5417)?.locality == "Zürich")
    }

    @Test func `GEO-45: a point is told in words`() throws {
        #expect(try table.reverse(latitude: 47.4111, longitude: 8.5446)?.near == "near Oerlikon, Zürich")
        #expect(try table.reverse(latitude: 46.95, longitude: 7.15)?.near == "16 km N of Fribourg")
    }

    @Test func `the same lines give the same bytes, in any order of places`() throws {
        let again = try SmallTable.write(SmallTable.lines.prefix(21) + SmallTable.lines.dropFirst(21).reversed())
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: again)) == Data(contentsOf: URL(fileURLWithPath: path)))
    }

    @Test func `a wrong line is named by its number`() {
        var writer = PlaceTableWriter(name: "list")
        #expect(
            throws: PlaceTableError(
                .wrongLine(number: 1, problem: "country \"XX\" of Nowhere is not known"), path: "list")
        ) { try writer.add(line: "place\tNowhere\t0\t0\t0\tXX\t\t\t\t") }
    }
}
