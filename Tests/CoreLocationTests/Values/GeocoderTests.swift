import PlaceTable
import Testing

@testable import CoreLocation

/// The path of a table of places, made of the lines of a list.
func placeTable(_ lines: [String]) -> String {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite").path
    do {
        var writer = PlaceTableWriter(name: "list")
        for line in lines { try writer.add(line: line) }
        _ = try writer.write(to: path)
    } catch {
        Issue.record("the table could not be written: \(error)")
    }
    return path
}

@Suite("Geocoder")
struct GeocoderTests {
    private let place = CLLocation(latitude: 47.4111, longitude: 8.5446)

    /// Asks a table of three places.
    private static let work = GeocodingWork { [table] }

    private static let table = placeTable([
        "country\tCH\tSwitzerland", "country\tUS\tthe States", "state\tCH\tZH\tZurich",
        "place\tZürich\t47.36667\t8.55\t415367\tCH\tZH\t\tEurope/Zurich\t",
        "place\tZürich (Kreis 11) / Oerlikon\t47.40823\t8.54258\t17922\tCH\tZH\t\tEurope/Zurich\t\tOerlikon",
        "place\tZurich\t33.66\t-95.55\t10\tUS\t\t\tAmerica/Chicago\t",
    ])

    @MainActor @Test func `GEO-01, GEO-06, GEO-07, GEO-34: places are found without a daemon, the likeliest first`()
        async throws
    {
        let marks = try await CLGeocoder(Self.work).geocodeAddressString("Zürich")
        #expect(marks.first?.isoCountryCode == "CH" && marks.last?.isoCountryCode == "US")
        #expect(marks.first?.location.map { abs($0.horizontalAccuracy - 7100) < 355 } == true)
        let mark = try #require(try await CLGeocoder(Self.work).reverseGeocodeLocation(place).first)
        #expect(mark.locality == "Zürich" && mark.subLocality == "Oerlikon" && mark.location == place)
        #expect(mark.timeZone?.identifier == "Europe/Zurich" && mark.thoroughfare == nil && mark.region != nil)
    }

    @MainActor @Test func `GEO-13: places near the newest location come first, and the others follow`() async throws {
        let newest = CLLocation(latitude: 33.7, longitude: -95.6)
        let geocoder = CLGeocoder(GeocodingWork({ [Self.table] }, newest: { newest }))
        let near = try await geocoder.geocodeAddressString("Zürich")
        #expect(near.first?.isoCountryCode == "US" && near.last?.isoCountryCode == "CH")
        let region = CLCircularRegion(center: place.coordinate, radius: 10_000, identifier: "here")
        let there = try await geocoder.geocodeAddressString("Zürich", in: region)
        #expect(there.first?.isoCountryCode == "CH", "a region that is named counts alone")
    }

    @MainActor @Test func `a request ends once, asynchronously on the main queue`() async {
        let geocoder = CLGeocoder(Self.work)
        let isRight: Bool = await withCheckedContinuation { continuation in
            geocoder.reverseGeocodeLocation(place) { placemarks, error in
                dispatchPrecondition(condition: .onQueue(.main))
                continuation.resume(returning: placemarks?.count == 1 && error == nil && !geocoder.isGeocoding)
            }
            #expect(geocoder.isGeocoding)
        }
        #expect(isRight)
    }

    @MainActor @Test func `GEO-07: without a table the error is network, once and after the call`() async {
        let geocoder = CLGeocoder(GeocodingWork { [] })
        let codes: [CLError.Code?] = await withCheckedContinuation { continuation in
            var codes: [CLError.Code?] = []
            geocoder.geocodeAddressString("Zürich") { marks, error in
                dispatchPrecondition(condition: .onQueue(.main))
                codes.append(marks == nil ? (error as? CLError)?.code : nil)
                // What comes after this on the queue would be a second end.
                DispatchQueue.main.async { continuation.resume(returning: codes) }
            }
            #expect(codes.isEmpty)
        }
        #expect(codes == [.network])
    }

    @MainActor @Test func `GEO-26: a request that is cancelled at any moment ends once, and is over then`() async {
        var random = SystemRandomNumberGenerator()
        let clock = ContinuousClock()
        var ends = 0
        for _ in 0..<1000 {
            let geocoder = CLGeocoder(Self.work)
            let delay = Duration.nanoseconds(Int64.random(in: 0...200_000, using: &random))
            let isRight: Bool = await withCheckedContinuation { continuation in
                geocoder.geocodeAddressString("Oerlikon") { marks, error in
                    ends += 1
                    let isCancelled = (error as? CLError)?.code == .geocodeCanceled
                    continuation.resume(returning: (marks?.count == 1 || isCancelled) && !geocoder.isGeocoding)
                }
                let start = clock.now
                while clock.now - start < delay {}
                geocoder.cancelGeocode()
            }
            #expect(isRight)
        }
        #expect(ends == 1000)
    }

    @MainActor @Test func `GEO-28: a call returns before a slow file system answers`() async {
        let card = DispatchSemaphore(value: 0)
        let geocoder = CLGeocoder(
            GeocodingWork {
                card.wait()
                return [Self.table]
            })
        let count: Int? = await withCheckedContinuation { continuation in
            geocoder.geocodeAddressString("Oerlikon") { marks, _ in continuation.resume(returning: marks?.count) }
            // The table answers only now, after the call has returned.
            card.signal()
        }
        #expect(count == 1)
    }

    @MainActor @Test func `GEO-03: a cancelled request ends once with the error canceled`() async {
        let table = DispatchSemaphore(value: 0)
        let geocoder = CLGeocoder(
            GeocodingWork {
                table.wait()
                return []
            })
        let code: CLError.Code? = await withCheckedContinuation { continuation in
            geocoder.geocodeAddressString("Marienplatz 1, München") { _, error in
                continuation.resume(returning: (error as? CLError)?.code)
            }
            geocoder.cancelGeocode()
        }
        table.signal()
        #expect(code == .geocodeCanceled)
        geocoder.cancelGeocode()
        #expect(!geocoder.isGeocoding)
    }

    @MainActor @Test func `after a cancellation the next request is taken at once`() async {
        let table = DispatchSemaphore(value: 0)
        let geocoder = CLGeocoder(
            GeocodingWork {
                table.wait()
                return [Self.table]
            })
        let codes: [Int] = await withCheckedContinuation { continuation in
            var codes: [Int] = []
            func end(_ error: (any Error)?) {
                codes.append((error as? CLError)?.code.rawValue ?? -1)
                if codes.count == 2 { continuation.resume(returning: codes) }
            }
            geocoder.geocodeAddressString("Zür") { _, error in end(error) }
            geocoder.cancelGeocode()
            geocoder.geocodeAddressString("Zürich") { _, error in end(error) }
            // Each request may wait once for the table.
            for _ in 1...2 { table.signal() }
        }
        #expect(codes == [CLError.Code.geocodeCanceled.rawValue, -1])
    }

    @MainActor @Test func `GEO-05: a second request is refused and does not affect the first`() async {
        let geocoder = CLGeocoder(Self.work)
        let codes: [Int] = await withCheckedContinuation { continuation in
            var codes: [Int] = []
            func end(_ error: (any Error)?) {
                codes.append((error as? CLError)?.code.rawValue ?? -1)
                if codes.count == 2 { continuation.resume(returning: codes) }
            }
            geocoder.geocodeAddressString("Oerlikon", in: nil) { _, error in end(error) }
            geocoder.geocodeAddressString("second", in: nil, preferredLocale: nil) { _, error in end(error) }
        }
        #expect(codes.sorted() == [-1, 2])
    }

    @MainActor @Test func `GEO-04, GEO-18: what is not found, and what is on no globe, is no result`() async {
        let unknown = await #expect(throws: CLError.self) {
            try await CLGeocoder(Self.work).geocodeAddressString("qwertz")
        }
        let nowhere = await #expect(throws: CLError.self) {
            try await CLGeocoder(Self.work).reverseGeocodeLocation(CLLocation(latitude: .nan, longitude: 0))
        }
        #expect(unknown?.code == .geocodeFoundNoResult && nowhere?.code == .geocodeFoundNoResult)
    }

    @MainActor @Test func `GEO-15: a partial answer is an error that carries the placemarks`() async throws {
        do {
            _ = try await CLGeocoder(Self.work).geocodeAddressString("Bahnhofstrasse 1, Zürich")
            Issue.record("a street was found")
        } catch let error as CLError {
            let marks = error.userInfo["SextantPartialPlacemarks"] as? [CLPlacemark]
            #expect(error.code == .geocodeFoundPartialResult && marks?.first?.locality == "Zürich")
        }
    }

    @MainActor @Test func `GEO-15: a region table gives the street and the number of a placemark`() async throws {
        let region = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite").path
        var writer = try RegionTableWriter(name: "dump", path: region)
        for line in [
            #"{"type":"NominatimDumpFile","content":{"version":"0.1.0"}}"#,
            """
            {"type":"Place","content":[{"osm_key":"tourism","osm_value":"museum","name":{"name":"Uhrenmuseum"},
            "housenumber":"1","postcode":"8001","address":{"street":"Bahnhofstrasse","city":"Zürich"},
            "country_code":"ch","centroid":[8.5405,47.3673]}]}
            """,
        ] { try writer.add(line: Array(line.utf8)) }
        _ = try writer.finish()
        let geocoder = CLGeocoder(GeocodingWork { [Self.table, region] })
        var marks = try await geocoder.geocodeAddressString("Bahnhofstrasse 1, Zürich")
        #expect(marks.count == 1 && marks.first?.location.map { $0.horizontalAccuracy <= 50 } == true)
        let house = CLLocation(latitude: 47.3674, longitude: 8.5405)
        marks += try await geocoder.reverseGeocodeLocation(house)
        for mark in marks {
            #expect(mark.thoroughfare == "Bahnhofstrasse" && mark.subThoroughfare == "1" && mark.postalCode == "8001")
            #expect(mark.areasOfInterest == ["Uhrenmuseum"] && mark.region is CLCircularRegion)
            #expect(mark.locality == "Zürich" && mark.country == "Switzerland")
            #expect(mark.timeZone?.identifier == "Europe/Zurich")
        }
    }

    @MainActor @Test func `GEO-17: the country's name is in the preferred language`() async throws {
        for (locale, name) in [("ja_JP", "スイス"), ("fr_CH", "Suisse"), ("en_US", "Switzerland")] {
            let marks = try await CLGeocoder(Self.work).reverseGeocodeLocation(
                place, preferredLocale: Locale(identifier: locale))
            #expect(marks.first?.country == name)
        }
    }

    @MainActor
    @Test(arguments: [
        ("zh-Hant-TW", "美國"), ("zh_Hant_TW", "美國"), ("zh-Hant", "美國"), ("zh_TW", "美國"), ("zh-HK", "美國"),
        ("zh-Hans", "美国"), ("zh_CN", "美国"), ("zh", "美国"), ("sr-Latn", "Sjedinjene Države"),
        ("sr_Latn_RS", "Sjedinjene Države"), ("sr-Cyrl", "Сједињене Државе"), ("sr", "Сједињене Државе"),
        ("de-Latn-CH", "Vereinigte Staaten"), ("ja-JP", "アメリカ合衆国"), ("fr_CH@calendar=buddhist", "États-Unis"),
    ])
    func `GEO-17: the country's name is in the script of the preferred locale`(locale: String, name: String)
        async throws
    {
        let there = CLLocation(latitude: 33.66, longitude: -95.55)
        let marks = try await CLGeocoder(Self.work).reverseGeocodeLocation(
            there, preferredLocale: Locale(identifier: locale))
        #expect(marks.first?.country == name)
    }

    @MainActor @Test(arguments: ["uz-Arab", "de-Cyrl", "xx", "und", "C", "", "en_US", "en-Latn-GB", "@calendar=roc"])
    func `GEO-17: the country's name is the table's where there is none in the language and script`(locale: String)
        async throws
    {
        let there = CLLocation(latitude: 33.66, longitude: -95.55)
        let marks = try await CLGeocoder(Self.work).reverseGeocodeLocation(
            there, preferredLocale: Locale(identifier: locale))
        #expect(marks.first?.country == "the States")
    }

    @MainActor @Test func `GEO-25, GEO-27: a hundred requests at once end once each, also without their geocoder`()
        async
    {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            var count = 0
            for _ in 0..<100 {
                CLGeocoder(Self.work).geocodeAddressString("Oerlikon") { marks, _ in
                    dispatchPrecondition(condition: .onQueue(.main))
                    #expect(marks?.count == 1)
                    count += 1
                    if count == 100 { continuation.resume() }
                }
            }
            #expect(count == 0)
        }
    }
}
