import Foundation
import PlaceTable
import SextantPlaces
import Testing

/// The table of all towns, where one is installed or named in SEXTANT_PLACES.
private enum WholeTable {
    static let path = PlaceFiles.paths().first { path in
        ((try? PlaceTable(path: path))?.about.places ?? 0) >= 170_000
    }
}

@Suite(
    "Table of all towns",
    .enabled(if: WholeTable.path != nil, "needs the table of scripts/build-places, installed or in SEXTANT_PLACES"))
struct WholeTableTests {
    private let table: PlaceTable

    init() throws { table = try PlaceTable(path: try #require(WholeTable.path)) }

    private func places(_ text: String) throws -> [Placemark] {
        guard case .places(let found) = try table.forward(PlaceQuestion(text)) else { return [] }
        return found
    }

    // MARK: Points

    @Test(arguments: [
        (46.5197, 6.6323, "Lausanne", "CH"), (52.499, 13.403, "Berlin", "DE"), (34.1478, -118.1445, "Pasadena", "US"),
        (43.7325, 7.4189, nil, "MC"), (41.9029, 12.4534, nil, "VA"), (36.1408, -5.3536, nil, "GI"),
        (47.14, 9.52, "Vaduz", "LI"), (47.4111, 8.5446, "Zürich", "CH"), (47.3769, 8.5417, "Zürich", "CH"),
    ])
    func `GEO-08, GEO-09: cities, and small countries beside large ones, are named`(
        latitude: Double, longitude: Double, locality: String?, country: String
    ) throws {
        let mark = try #require(try table.reverse(latitude: latitude, longitude: longitude))
        #expect(mark.isoCountryCode == country && (locality == nil || mark.locality == locality))
    }

    @Test(arguments: [
        (90.0, 0.0), (90, 123), (-90, 0), (85, 0), (0, -30), (35, 165), (-48, 179.99), (-48, -179.99), (30, -50),
        (45, -30), (-30, -20), (-40, 20), (10, -40), (-10, -110), (20, -140), (40, -150), (-30, -90), (-45, -120),
        (-60, 0), (-60, 90), (-60, -150), (-20, 85), (30, 160), (0, -120),
    ])
    func `GEO-19: at the poles and in the open sea there is no place`(latitude: Double, longitude: Double) throws {
        guard let mark = try table.reverse(latitude: latitude, longitude: longitude) else { return }
        #expect(mark.name == "At sea" && mark.near == "at sea" && mark.country == nil && mark.timeZone == nil)
    }

    /// What stands at a point, from maps: not from the table.
    struct Spot: CustomTestStringConvertible {
        var testDescription: String
        var latitude: Double
        var longitude: Double
        /// What is told of the country; nil for the sea, where a zone and a place may be told all the same.
        var country: String?
        var locality: String?
        var zone: String?

        init(
            _ name: String, _ latitude: Double, _ longitude: Double, _ country: String?, _ locality: String? = nil,
            _ zone: String? = nil
        ) {
            (testDescription, self.latitude, self.longitude) = (name, latitude, longitude)
            (self.country, self.locality, self.zone) = (country, locality, zone)
        }
    }

    private static let spots = [
        Spot("Fair Isle", 59.53, -1.63, "GB"), Spot("Heligoland", 54.182, 7.886, "DE", "Helgoland"),
        Spot("Lampedusa", 35.502, 12.609, "IT", "Lampedusa", "Europe/Rome"),
        Spot("Jan Mayen", 70.98, -8.5, "SJ"), Spot("St Kilda", 57.815, -8.58, "GB"),
        Spot("Chatham Island", -43.95, -176.56, "NZ", "Waitangi", "Pacific/Chatham"),
        Spot("Kiritimati", 1.98, -157.47, "KI", nil, "Pacific/Kiritimati"),
        Spot("Socotra", 12.65, 54.02, "YE", "Hadibu", "Asia/Aden"), Spot("Venice", 45.434, 12.339, "IT", "Venice"),
        Spot("inland ice", 72.58, -38.46, "GL"), Spot("Ny-Ålesund", 78.925, 11.93, "SJ"),
        Spot("North Pole", 90, 0, nil), Spot("North Pole, other way", 90, -180, nil),
        Spot("Apia", -13.83, -171.76, "WS", "Apia", "Pacific/Apia"),
        Spot("Anadyr", 64.733, 177.51, "RU", "Anadyr", "Asia/Anadyr"),
        Spot("Egvekinot, of 179° W", 66.32, -179.12, "RU", "Egvekinot", "Asia/Anadyr"),
        Spot("Pacific, 180° E", -48, 180, nil), Spot("Pacific, 180° W", -48, -180, nil),
        Spot("off Lerwick", 60.153, -0.42, nil, nil, "Europe/London"), Spot("Channel", 50.2, -0.5, nil),
        Spot("sea among the Marquesas", -9, -139.5, "PF", nil, "Pacific/Marquesas"),
        Spot("North Sea", 56, 3, nil), Spot("Baltic", 57.3, 20, nil), Spot("Mediterranean", 38, 5, nil),
        Spot("Caspian Sea", 42, 50.5, nil), Spot("Black Sea", 43, 34, nil), Spot("Atlantic", 0, -30, nil),
        Spot("Sydney Harbour", -33.8568, 151.2153, "AU", "Sydney"), Spot("Solent", 50.76, -1.4, "GB"),
        Spot("Basel", 47.5596, 7.5886, "CH", "Basel"), Spot("Saint-Louis", 47.585, 7.565, "FR", "Saint-Louis"),
        Spot("Weil", 47.594, 7.62, "DE", "Weil am Rhein"), Spot("Annemasse", 46.193, 6.236, "FR", "Annemasse"),
        Spot("Kreuzlingen", 47.645, 9.175, "CH", "Kreuzlingen"), Spot("Konstanz", 47.663, 9.175, "DE", "Konstanz"),
        Spot("Büsingen, within Switzerland", 47.697, 8.69, "DE", "Büsingen", "Europe/Busingen"),
        Spot("Llívia, within France", 42.465, 1.98, "ES", "Llívia"), Spot("Ceuta", 35.889, -5.32, "ES", "Ceuta"),
        Spot("San Marino", 43.9356, 12.4473, "SM", "San Marino"), Spot("Woodlands", 1.436, 103.786, "SG"),
        Spot("Johor Bahru", 1.4655, 103.7578, "MY", "Johor Bahru"), Spot("Windsor", 42.305, -83.02, "CA", "Windsor"),
        Spot("Detroit", 42.335, -83.045, "US", "Detroit"), Spot("Maseru", -29.31, 27.48, "LS", "Maseru"),
        Spot("Brazzaville", -4.27, 15.28, "CG", "Brazzaville"), Spot("Kinshasa", -4.325, 15.31, "CD", "Kinshasa"),
        Spot("desert of Rub al-Khali", 20, 51, "SA"), Spot("Gobi", 42.8, 106, "MN", nil, "Asia/Ulaanbaatar"),
        Spot("Sahara east of Al Jaghbub", 30, 24.9, "EG"),
    ]

    @Test(arguments: spots)
    func `GEO-09, GEO-19: islands, poles, the antimeridian, the sea and borders are told as maps have them`(
        spot: Spot
    ) throws {
        let mark = try #require(try table.reverse(latitude: spot.latitude, longitude: spot.longitude))
        #expect(mark.isoCountryCode == spot.country && (mark.name == "At sea") == (spot.country == nil))
        #expect(spot.locality == nil || mark.locality == spot.locality)
        #expect(spot.zone == nil || mark.timeZone == spot.zone)
    }

    @Test func `GEO-20: on both sides of the antimeridian there is the same country`() throws {
        let marks = try [179.99, -179.99, 180, -180].map {
            try #require(try table.reverse(latitude: -16.8, longitude: $0))
        }
        for mark in marks {
            #expect(mark.isoCountryCode == "FJ" && mark.timeZone == "Pacific/Fiji" && mark.locality == nil)
            #expect(mark.latitude == marks[0].latitude && mark.longitude == marks[0].longitude)
        }
        let distances = marks.compactMap(\.distance).sorted()
        #expect(distances.count == 4 && distances[3] - distances[0] < 3000)
    }

    @Test(arguments: [
        (-37.0676, -12.3116, "Edinburgh of the Seven Seas", "SH"), (-51.7, -57.85, "Stanley", "FK"),
        (-25.066, -130.1015, "Adamstown", "PN"), (-27.15, -109.43, "Hanga Roa", "CL"),
        (-19.055, -169.92, "Alofi", "NU"),
        (-29.056, 167.96, "Kingston", "NF"), (-8.524, 179.194, "Funafuti", "TV"), (-0.5477, 166.92, "Yaren", "NR"),
        (78.2232, 15.6469, "Longyearbyen", "SJ"), (-13.28, -176.17, "Mata-Utu", "WF"),
        (-21.207, -159.775, "Avarua", "CK"), (62.0097, -6.7716, "Tórshavn", "FO"),
        (46.778, -56.178, "Saint-Pierre", "PM"), (32.2949, -64.7814, "Hamilton", "BM"),
        (-17.5334, -149.5667, "Papeete", "PF"), (-12.188, 96.829, "West Island", "CC"),
    ])
    func `a town on a small island is named`(
        latitude: Double, longitude: Double, locality: String, country: String
    ) throws {
        let mark = try #require(try table.reverse(latitude: latitude, longitude: longitude))
        #expect(mark.locality == locality && mark.isoCountryCode == country)
    }

    @Test func `GEO-21, GEO-45: a town names a point up to 25 km off, and its country a point farther off`() throws {
        let cape = try #require(try table.reverse(latitude: 71.171, longitude: 25.7837))
        #expect(cape.locality == "Honningsvåg" && cape.distance.map { abs($0 - 22_000) < 500 } == true)
        let desert = try #require(try table.reverse(latitude: 30, longitude: 24.9))
        #expect(desert.locality == nil && desert.country != nil && desert.timeZone != nil)
        #expect(desert.near == "47 km NE of Al Jaghbūb")
    }

    // MARK: Names

    @Test(arguments: [
        ["Zürich", "zurich", "ZURICH", "Zuerich", "Цюрих", "苏黎世", "Zürich 苏黎世"], ["lodz", "Łódź", "LODZ"],
        ["İstanbul", "istanbul"], ["København", "kobenhavn"], ["Straßburg", "strassburg"],
        ["St. Gallen", "Sankt Gallen"], ["Paris, Texas", "Texas Paris"],
    ])
    func `GEO-11, GEO-12: spellings of one name have one place`(texts: [String]) throws {
        let firsts = try texts.map { try places($0).first }
        #expect(firsts.allSatisfy { $0 != nil && $0 == firsts[0] })
    }

    @Test(arguments: [
        ("Paris", "FR"), ("Paris, Texas", "US"), ("London, Ontario", "CA"), ("Freiburg, Schweiz", "CH"),
        ("Cologne", "DE"), ("Islamabad", "PK"), ("Luton, UK", "GB"), ("スイス", "CH"), ("CHE", "CH"),
    ])
    func `GEO-12, GEO-14: a name is first of all that of the country meant`(text: String, country: String) throws {
        #expect(try places(text).first?.isoCountryCode == country)
    }

    // MARK: Zones

    /// A zone's point: ±DDMM±DDDMM, or with seconds behind the minutes.
    private static func degrees(_ text: Substring) -> Double? {
        let digits = text.dropFirst()
        let whole = digits.count == 4 || digits.count == 6 ? 2 : 3
        guard let degrees = Double(digits.prefix(whole)), let minutes = Double(digits.dropFirst(whole).prefix(2)) else {
            return nil
        }
        let seconds = Double(digits.dropFirst(whole + 2)) ?? 0
        return (text.hasPrefix("-") ? -1 : 1) * (degrees + minutes / 60 + seconds / 3600)
    }

    /// Whether two zones have one offset in the middle of each month of a year.
    private static func areEqual(_ first: String?, _ second: String) -> Bool {
        guard let first = first.flatMap(TimeZone.init(identifier:)), let second = TimeZone(identifier: second) else {
            return false
        }
        return (0..<12).allSatisfy { month in
            // From 15 January 2026 on.
            let date = Date(timeIntervalSince1970: 1_768_435_200 + Double(month) * 30.4 * 86_400)
            return first.secondsFromGMT(for: date) == second.secondsFromGMT(for: date)
        }
    }

    @Test func `GEO-48: 96 in 100 zones of the tz database have their offset and country at their own point`() throws {
        let list = try String(contentsOfFile: "/usr/share/zoneinfo/zone.tab", encoding: .utf8)
        let uninhabited: Set<Substring> = ["AQ", "UM", "TF", "BV", "HM"]
        var (right, all) = (0, 0)
        for line in list.split(separator: "\n") where !line.hasPrefix("#") {
            let fields = line.split(separator: "\t")
            guard fields.count >= 3, !uninhabited.contains(fields[0]) else { continue }
            let cut = try #require(fields[1].dropFirst().firstIndex { $0 == "+" || $0 == "-" })
            let latitude = try #require(Self.degrees(fields[1][..<cut]))
            let longitude = try #require(Self.degrees(fields[1][cut...]))
            all += 1
            guard let mark = try table.reverse(latitude: latitude, longitude: longitude) else { continue }
            let hasCountry = mark.isoCountryCode.map { $0[...] == fields[0] } ?? false
            if hasCountry, Self.areEqual(mark.timeZone, String(fields[2])) { right += 1 }
        }
        #expect(all > 380 && Double(right) >= 0.96 * Double(all), "\(right) of \(all)")
    }
}
