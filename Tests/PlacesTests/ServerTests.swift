import SextantUnits
import Testing

@testable import SextantPlaces

@Suite("A server of names")
struct ServerTests {
    private static let point = ServerQuestion(.reverse(latitude: 47.36712, longitude: 8.53994))

    private static let nominatim = """
        {"type":"FeatureCollection","geocoding":{"version":"0.1.0"},"features":[{"type":"Feature","properties":\
        {"geocoding":{"place_id":1,"osm_type":"node","osm_id":2,"osm_key":"place","osm_value":"house","type":"house",\
        "label":"Bahnhofstrasse 1, Zürich","housenumber":"1","street":"Bahnhofstrasse","postcode":"8001",\
        "city":"Zürich","district":"Altstadt","county":"Bezirk Zürich","state":"Zürich","country":"Schweiz",\
        "country_code":"ch","admin":{"level8":"Zürich"}}},"geometry":{"type":"Point","coordinates":[8.5399,47.3671]}}]}
        """
    private static let photon = """
        {"features":[{"geometry":{"coordinates":[8.5399,47.3671],"type":"Point"},"type":"Feature","properties":\
        {"osm_id":2,"osm_key":"place","osm_value":"house","type":"house","countrycode":"CH","housenumber":"1",\
        "street":"Bahnhofstrasse","postcode":"8001","city":"Zürich","district":"Altstadt","county":"Bezirk Zürich",\
        "state":"Zürich","country":"Schweiz","extent":[8.5398,47.3672,8.54,47.367]}}],"type":"FeatureCollection"}
        """

    private func places(_ text: String, to question: ServerQuestion = point) throws -> [Placemark] {
        try ServerAnswer.places(in: Array(text.utf8), to: question)
    }

    /// A feature of geocodejson in the middle of Zürich.
    private func place(_ members: String, to question: ServerQuestion = point) throws -> Placemark {
        let text = """
            {"features":[{"properties":{"geocoding":{\(members)}},"geometry":{"coordinates":[8.54,47.37]}}]}
            """
        return try #require(try places(text, to: question).first)
    }

    // MARK: Answers

    @Test func `GEO-40: Nominatim and Photon give equal placemarks of one address`() throws {
        let mark = try #require(try places(Self.nominatim).first)
        #expect(try places(Self.photon) == [mark])
        #expect(mark.name == "Bahnhofstrasse 1" && mark.thoroughfare == "Bahnhofstrasse")
        #expect(mark.subThoroughfare == "1" && mark.postalCode == "8001" && mark.radius == 30)
        #expect(mark.locality == "Zürich" && mark.subLocality == "Altstadt")
        #expect(mark.administrativeArea == "Zürich" && mark.subAdministrativeArea == "Bezirk Zürich")
        #expect(mark.isoCountryCode == "CH" && mark.country == "Schweiz" && mark.source == .server)
        #expect(mark.inlandWater == nil && mark.areasOfInterest.isEmpty && mark.timeZone == nil)
        #expect(mark.distance.map { $0 > 1 && $0 < 5 } == true)
    }

    @Test func `GEO-38: the features may be an object, and each answer of no use is an error`() throws {
        let one = try #require(try places(Self.nominatim).first)
        let object = Self.nominatim.replacing("\"features\":[", with: "\"features\":").dropLast(2) + "}"
        #expect(try places(String(object)) == [one])
        #expect(try places(#"{"error":"Unable to geocode"}"#) == [] && places(#"{"features":[]}"#) == [])
        #expect(try places(#"{"features":[1,{},{"geometry":{"coordinates":[8,91]}}]}"#) == [])
        let deep = String(repeating: "[", count: 33) + String(repeating: "]", count: 33)
        for (text, problem) in [
            (#"{"error":{"code":500}}"#, ServerAnswer.Problem.refused), ("<html>", .notUnderstood),
            ("[]", .notUnderstood), (#"{"features":1}"#, .notUnderstood), ("", .notUnderstood), (deep, .tooDeep),
            (String(repeating: " ", count: 256 * 1024 + 1), .tooLong),
        ] {
            #expect(throws: problem) { try places(text) }
        }
        #expect(ServerAnswer.depth(of: Array(#"{"a":"[[[\"[","b":[1]}"#.utf8)) == 2)
    }

    @Test func `the town is the first name that there is, and no name is used twice`() throws {
        let town = #""type":"house","#
        #expect(try place(town + #""district":"D","admin":{"level8":"A"},"locality":"L""#).locality == "D")
        let second = try place(town + #""district":"D","locality":"L""#)
        #expect(second.locality == "D" && second.subLocality == "L")
        #expect(try place(town + #""admin":{"level8":"A","level7":"B"},"county":"C""#).locality == "A")
        #expect(try place(town + #""county":"C""#).locality == "C")
        let city = try place(#""type":"city","name":"Zürich","state":"ZH""#)
        #expect(city.locality == "Zürich" && city.name == "Zürich" && city.radius == 5000)
        let state = try place(#""type":"state","name":"Bern","country":"Schweiz""#)
        #expect(state.locality == nil && state.administrativeArea == "Bern" && state.radius == 150_000)
    }

    @Test func `a lake, a sea and a park have fields of their own`() throws {
        #expect(try place(#""name":"Zürichsee","osm_key":"natural","osm_value":"water""#).inlandWater == "Zürichsee")
        #expect(try place(#""name":"North Sea","osm_key":"place","osm_value":"sea""#).ocean == "North Sea")
        for key in ["tourism", "leisure", "historic", "military"] {
            #expect(try place(#""name":"P","osm_key":"\#(key)","osm_value":"x""#).areasOfInterest == ["P"])
        }
        let park = try place(#""name":"P","osm_key":"boundary","osm_value":"national_park""#)
        #expect(park.areasOfInterest == ["P"] && park.inlandWater == nil)
    }

    @Test func `the number stands where the country writes it, and a country code is two letters`() throws {
        #expect(try place(#""street":"High Street","housenumber":"7","country_code":"gb""#).name == "7 High Street")
        #expect(try place(#""street":"Gasse","housenumber":"7","country_code":"at""#).name == "Gasse 7")
        #expect(try place(#""street":"Gasse","country_code":"x1""#).isoCountryCode == nil)
        #expect(try place(#""street":"","name":"","city":"Z""#).name == "Z")
    }

    // MARK: Questions

    @Test func `a question is written as each server reads it, cut to four decimals`() {
        #expect(
            Self.point.path(for: .nominatim)
                == "/reverse?format=geocodejson&addressdetails=1&layer=address,poi&zoom=18&lat=47.3671&lon=8.5399")
        let town = ServerQuestion(.reverse(latitude: -0.00004, longitude: -179.99999), level: .town, language: "pt_BR")
        #expect(town.path(for: .nominatim).hasSuffix("&zoom=10&lat=0.0000&lon=-180.0000&accept-language=pt-BR"))
        #expect(town.path(for: .photon) == "/reverse?lat=0.0000&lon=-180.0000&layer=city")
        let near = PlaceQuestion.Hint(latitude: 47.4, longitude: 8.5, radius: 11_119.5)
        let name = ServerQuestion(.forward(text: "Straße 1&q=x", near: near), language: "de_CH@calendar=x")
        #expect(
            name.path(for: .photon) == "/api?limit=10&q=Stra%C3%9Fe%201%26q%3Dx&lat=47.4000&lon=8.5000&lang=de")
        #expect(!name.path(for: .nominatim).contains("featureType") && !name.path(for: .photon).contains("layer"))
        let settlement = ServerQuestion(.forward(text: "Zug", near: nil), level: .town)
        #expect(settlement.path(for: .nominatim).hasSuffix("&limit=10&featureType=settlement&q=Zug"))
        #expect(settlement.path(for: .photon) == "/api?limit=10&q=Zug&layer=city")
        #expect(name.path(for: .nominatim).contains("&q=Stra%C3%9Fe%201%26q%3Dx&viewbox=8.3523,47.5000,8.6477,47.3000"))
    }

    @Test(arguments: [
        ("zh-Hant", ["zh_TW"]), ("zh_TW", ["zh_TW"]), ("zh-Hant-HK", ["zh_HK", "zh_TW"]),
        ("zh-MO", ["zh_HK", "zh_TW"]), ("zh", ["zh_CN"]), ("zh_Hans_HK", ["zh_CN"]),
        ("sr-Latn", ["sr@latin", "sr"]), ("sr-Cyrl", ["sr@cyrillic", "sr"]),
        ("sr_Latn_RS", ["sr_RS@latin", "sr@latin", "sr_RS", "sr"]), ("pt-BR", ["pt_BR", "pt"]), ("de", ["de"]),
        ("de_CH.UTF-8", ["de_CH", "de"]), ("../../etc", []), ("", []),
    ])
    func `GEO-17: a language has catalogues of its own script first`(identifier: String, names: [String]) {
        #expect(LanguageCatalogues.names(for: identifier) == names)
    }

    @Test(arguments: [
        ("zh_hant_tw", "zh-Hant-TW", "zh-Hant-TW,zh-Hant;q=0.9,zh;q=0.8"), ("ZH-Hans", "zh-Hans", "zh-Hans"),
        ("sr-Latn-RS", "sr-Latn-RS", "sr-Latn-RS,sr-Latn;q=0.9,sr;q=0.8"), ("sr_latn", "sr-Latn", "sr-Latn"),
        ("pt-br", "pt-BR", "pt-BR"), ("es-419", "es-419", "es-419"), ("de-CH-1996", "de-CH-1996", "de-CH-1996"),
    ])
    func `GEO-17: a server is asked for the script before the language alone`(
        identifier: String, language: String, preferred: String
    ) {
        let question = ServerQuestion(Self.point.subject, language: identifier)
        #expect(question.language == language)
        let path = question.path(for: .nominatim)
        #expect(path.hasSuffix("&accept-language=" + ServerQuestion.escaped(preferred)))
    }

    @Test(arguments: ["C", "POSIX", "", "x&y=1", "de\r\nX: y", "abcdefghij"])
    func `a locale that is no language is not told`(identifier: String) {
        #expect(ServerQuestion(Self.point.subject, language: identifier).language == nil)
    }

    @Test func `a request and a reply are the same after their line`() throws {
        let near = PlaceQuestion.Hint(latitude: 47.4, longitude: 8.5, radius: 50_000)
        for request in [
            GeocoderRequest.question(Self.point), .erase(client: "logbook"), .kept,
            .question(ServerQuestion(.forward(text: "Zürich \"1\"", near: near), level: .town, language: "de")),
        ] {
            #expect(GeocoderRequest(line: request.line) == request)
        }
        var mark = try #require(try places(Self.nominatim).first)
        mark.distance = 4
        for reply in [
            GeocoderReply.places([mark]), .places([]), .tooMany(retryAfter: 1.5), .unavailable, .erased(3), .refused,
            .kept([KeptLookups(client: "user 7", count: 2)]),
        ] {
            #expect(GeocoderReply(line: reply.line) == reply)
        }
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"reverse":[1]}"#, #"{"reverse":[91,0]}"#, #"{"reverse":[null,0]}"#, #"{"forward":""}"#,
        #"{"forward":"..."}"#, #"{"forward":"a","near":[1,2]}"#, #"{"forward":"a","near":[1,2,-1]}"#, #"{"forward":7}"#,
    ])
    func `a line that asks nothing is no request`(line: String) {
        #expect(GeocoderRequest(line: Array(line.utf8)) == nil)
    }

    // MARK: Policy

    private func at(_ seconds: Double) -> MonotonicInstant { MonotonicInstant.zero.advanced(bySeconds: seconds) }

    @Test func `GEO-39: a server is left alone as long as it asks, and else twice as long each time`() {
        var pace = ServerPace(interval: 1_000_000_000)
        pace.sent(at: at(0))
        #expect(pace.next == at(1) && !pace.isPaused(at: at(0)))
        pace.answered(status: 429, retryAfter: 5, at: at(0))
        #expect(pace.isPaused(at: at(4.9)) && !pace.isPaused(at: at(5)))
        pace.answered(status: 200, retryAfter: nil, at: at(5))
        var pauses: [Double] = []
        for _ in 0..<8 {
            pace.answered(status: 503, retryAfter: nil, at: at(10))
            pauses.append(Double(pace.pausedUntil?.nanoseconds(since: at(10)) ?? 0) / 1e9)
        }
        #expect(pauses == [60, 120, 240, 480, 960, 1920, 3600, 3600])
        pace.answered(status: 404, retryAfter: nil, at: at(20))
        #expect(!pace.isPaused(at: at(20)))
        pace.answered(status: 403, retryAfter: nil, at: at(30))
        #expect(pace.isPaused(at: at(1e9)))
    }

    @Test(arguments: [
        #"{"erase":["a","b"]}"#, #"{"erase":7}"#, #"{"reverse":["47","8"]}"#, #"{"reverse":[47,"x",8]}"#,
        #"{"forward":"Zug","near":["47","8","9"]}"#, #"{"kept":1}"#,
    ])
    func `a request with a member of another type is none`(line: String) {
        #expect(GeocoderRequest(line: Array(line.utf8)) == nil)
    }

    @Test(arguments: [
        #"{"failure":"tooMany","retryAfter":"nan"}"#, #"{"erased":"3"}"#, #"{"failure":["refused"]}"#,
    ])
    func `a reply with a member of another type is none`(line: String) {
        #expect(GeocoderReply(line: Array(line.utf8)) == nil)
    }

    @Test(arguments: [("1e300", 86_400.0), ("-5", 0), ("12.5", 12.5)])
    func `the seconds of a reply are at most a day, whatever the line says`(text: String, seconds: Double) {
        let line = #"{"failure":"tooMany","retryAfter":"# + text + "}"
        #expect(GeocoderReply(line: Array(line.utf8)) == .tooMany(retryAfter: seconds))
    }

    @Test func `GEO-35: no 60 seconds have more lookups of a client than its tokens`() {
        var tokens = LookupTokens(perClient: 50)
        for number in 0..<50 { #expect((try? tokens.take(for: "a", at: at(Double(number) / 2)).get()) != nil) }
        guard case .failure(let shortage) = tokens.take(for: "a", at: at(40)) else {
            Issue.record("the 51st lookup was let through")
            return
        }
        #expect(shortage.nanoseconds == 20_000_000_000)
        #expect((try? tokens.take(for: "b", at: at(40)).get()) != nil)
        #expect((try? tokens.take(for: "a", at: at(60)).get()) != nil)
        #expect((try? tokens.take(for: "a", at: at(60)).get()) == nil)
    }

    @Test func `GEO-37: an answer holds for 30 m, also in the next cell and near the poles`() {
        for (latitude, longitude) in [(47.37, 8.54), (0, 0), (-47.3701, -8.5401), (80.0002, 20)] {
            let key = ServerKey(ServerQuestion(.reverse(latitude: latitude, longitude: longitude)))
            let width = 111_195 * UnitVector(latitude: latitude, longitude: 0).x
            for (north, east, holds) in [
                (25.0, 0.0, true), (-25, 0, true), (0, 25, true), (0, -25, true), (60, 0, false),
            ] {
                let other = ServerKey(
                    ServerQuestion(
                        .reverse(latitude: latitude + north / 111_195, longitude: longitude + east / width)))
                guard case .cell(let row, let column, let latitudeE5, let longitudeE5) = other.subject,
                    let (rows, columns) = key.cellsNear
                else {
                    Issue.record("a point has no cell")
                    continue
                }
                #expect(key.holds(latitudeE5: latitudeE5, longitudeE5: longitudeE5) == holds)
                if holds { #expect(rows.contains(row) && columns.contains(column)) }
            }
        }
    }

    @Test func `names are kept by their folded words, language and circle`() {
        func key(_ text: String, _ radius: Double? = nil, _ language: String? = nil) -> ServerKey {
            let near = radius.flatMap { PlaceQuestion.Hint(latitude: 47.4, longitude: 8.5, radius: $0) }
            return ServerKey(ServerQuestion(.forward(text: text, near: near), language: language))
        }
        #expect(key("ZÜRICH") == key(" zurich ") && key("Zürich") != key("Zürich", 1000))
        #expect(key("Zürich", 1000) != key("Zürich", 1e300) && key("Zürich") != key("Zürich", nil, "de"))
    }
}
