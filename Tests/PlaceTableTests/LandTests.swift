import PlaceTable
import SextantPlaces
import Testing

/// Tables with cells of land and sea.
@Suite("Land and sea")
struct LandTests {
    /// The row of a latitude: runs from 180° W on, of 50 cells a degree.
    private static func row(_ latitude: Double, _ runs: String) -> String {
        "land\t\(Int((latitude + 90) * 50))\t\(runs)"
    }

    private static func table(_ lines: [String]) throws -> PlaceTable {
        try PlaceTable(path: SmallTable.write(SmallTable.lines + lines))
    }

    private static let lerwick = [
        "country\tGB\tUnited Kingdom", "place\tLerwick\t60.15451\t-1.14941\t6958\tGB\t\t\tEurope/London\t",
        row(60.15451, "8900- 55? 9045-"), row(60.16, "8900- 55? 9045-"),
    ]

    @Test func `GEO-19: a point at sea is told from the nearest place, and beyond 12 miles has no country`() throws {
        let table = try Self.table(Self.lerwick)
        let far = try #require(try table.reverse(latitude: 60.155, longitude: -0.427))
        #expect(far.near == "at sea, 40 km off Lerwick" && far.name == "At sea")
        #expect(far.isoCountryCode == nil && far.country == nil && far.locality == nil)
        #expect(far.administrativeArea == nil && far.timeZone == "Europe/London")
        let close = try #require(try table.reverse(latitude: 60.155, longitude: -0.8))
        #expect(close.near == "at sea, 19 km off Lerwick" && close.isoCountryCode == "GB")
        let town = try #require(try table.reverse(latitude: 60.155, longitude: -1.16))
        #expect(town.near == "near Lerwick" && town.locality == "Lerwick")
    }

    @Test func `GEO-19, GEO-48: the sea beside land is in the nearest place's country, however far that is`() throws {
        // Land without a town, a coast alone, some 48 km east of Lerwick.
        let rows = [60.15451, 60.16].map { Self.row($0, "8900- 50? 30- 5~ 5? 5~ 9005-") }
        let table = try Self.table(Self.lerwick.prefix(2) + rows)
        let waters = try #require(try table.reverse(latitude: 60.155, longitude: -0.35))
        #expect(waters.near == "at sea, 44 km off Lerwick" && waters.isoCountryCode == "GB" && waters.locality == nil)
        let beyond = try #require(try table.reverse(latitude: 60.155, longitude: -0.5))
        #expect(beyond.near == "at sea, 36 km off Lerwick" && beyond.isoCountryCode == nil)
    }

    /// A town of France, moved away from all others, beside a border along 100.2° E, and one of Switzerland 45 km behind it.
    private static let border = [
        "place\tDivonne\t10.3\t100.19\t10000\tFR\t\t\tEurope/Paris\t",
        "place\tBern\t10.3\t100.6\t10000\tCH\t\t\tEurope/Zurich\t",
    ]

    @Test func `a point on the far side of a border is in its own country, though a town abroad is nearer`() throws {
        let row = Self.row(10.3, "14009FR 2? 3989CH")
        let table = try Self.table(Self.border + [row])
        let mark = try #require(try table.reverse(latitude: 10.3, longitude: 100.25))
        #expect(mark.isoCountryCode == "CH" && mark.timeZone == "Europe/Zurich" && mark.locality == nil)
        #expect(mark.near == "7 km E of Divonne")
        let beside = try #require(try table.reverse(latitude: 10.3, longitude: 100.205))
        #expect(beside.isoCountryCode == "FR", "the cell of the border is left to the nearest place")
    }

    @Test func `where the land of a place is another country's the place holds`() throws {
        let table = try Self.table(Self.border + [Self.row(10.3, "18000CH")])
        #expect(try table.reverse(latitude: 10.3, longitude: 100.25)?.isoCountryCode == "FR")
    }

    @Test func `the antimeridian and the poles have cells`() throws {
        let table = try Self.table([
            Self.row(-16.8, "1- 17998? 1FJ"), "land\t0\t18000-", "land\t8999\t18000-",
        ])
        #expect(try table.reverse(latitude: -16.8, longitude: 179.99)?.isoCountryCode == "FJ")
        for longitude in [180.0, -180] {
            #expect(try table.reverse(latitude: -16.8, longitude: longitude)?.name == "At sea")
        }
        for latitude in [90.0, -90] {
            #expect(try table.reverse(latitude: latitude, longitude: 180)?.near == "at sea")
        }
    }

    @Test func `GEO-19: where no place is near, the cells tell the sea and the country`() throws {
        let rows = [Self.row(0, "9000FR 1? 8999-"), Self.row(10.3, "14009FR 2? 3989CH")]
        let table = try Self.table(Self.border.prefix(1) + rows)
        let sea = try #require(try table.reverse(latitude: 0, longitude: 30))
        #expect(sea.name == "At sea" && sea.near == "at sea" && sea.country == nil && sea.timeZone == nil)
        #expect((sea.latitude, sea.longitude) == (0, 30))
        let land = try #require(try table.reverse(latitude: 0, longitude: -60))
        #expect(land.isoCountryCode == "FR" && land.near == "in France" && land.locality == nil && land.name == nil)
        #expect(try table.reverse(latitude: 0, longitude: 0.01) == nil)
        let abroad = try #require(try table.reverse(latitude: 10.3, longitude: 101.5))
        #expect(abroad.isoCountryCode == "CH" && abroad.near == "143 km E of Divonne")
    }

    @Test(arguments: [
        ("land\t9000\t18000-", "\"9000\" is no row of land: 0 to 8999"),
        ("land\t1\t17999-", "the runs of row 1 are not 18000 cells"),
        ("land\t1\t-18000-", "the runs of row 1 are not 18000 cells"),
        ("land\t1\t18000XX", "country \"XX\" of a row of land is not known"),
    ])
    func `a row that is wrong is named`(line: String, problem: String) {
        var writer = PlaceTableWriter(name: "list")
        #expect(throws: PlaceTableError(.wrongLine(number: 1, problem: problem), path: "list")) {
            try writer.add(line: line)
        }
    }
}
