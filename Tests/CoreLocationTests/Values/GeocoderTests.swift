import CoreLocation
import Testing

@Suite("Geocoder")
struct GeocoderTests {
    private let place = CLLocation(latitude: 48.137154, longitude: 11.576124)

    @MainActor @Test func `without a network a request ends once with an error, asynchronously on the main queue`()
        async
    {
        let geocoder = CLGeocoder()
        let answer: (Bool, CLError.Code?) = await withCheckedContinuation { continuation in
            geocoder.reverseGeocodeLocation(place) { placemarks, error in
                dispatchPrecondition(condition: .onQueue(.main))
                #expect(placemarks == nil && !geocoder.isGeocoding)
                continuation.resume(returning: (geocoder.isGeocoding, (error as? CLError)?.code))
            }
            #expect(geocoder.isGeocoding)
        }
        #expect(answer == (false, .network))
    }

    @MainActor @Test func `GEO-03: a cancelled request ends once with the error canceled`() async {
        let geocoder = CLGeocoder()
        let code: CLError.Code? = await withCheckedContinuation { continuation in
            geocoder.geocodeAddressString("Marienplatz 1, München") { _, error in
                continuation.resume(returning: (error as? CLError)?.code)
            }
            geocoder.cancelGeocode()
        }
        #expect(code == .geocodeCanceled)
        geocoder.cancelGeocode()
        #expect(!geocoder.isGeocoding)
    }

    @MainActor @Test func `GEO-05: a second request is refused and does not affect the first`() async {
        let geocoder = CLGeocoder()
        var order: [String] = []
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            geocoder.geocodeAddressString("first", in: nil) { _, error in
                order.append("first \((error as? CLError)?.code.rawValue ?? -1)")
            }
            geocoder.geocodeAddressString("second", in: nil, preferredLocale: nil) { _, error in
                order.append("second \((error as? CLError)?.code.rawValue ?? -1)")
                continuation.resume()
            }
            geocoder.cancelGeocode()
        }
        #expect(order == ["first 10", "second 2"])
    }

    @Test func `geocoding without authorization throws the service's error`() async {
        await #expect(throws: CLError.self) {
            try await CLGeocoder().reverseGeocodeLocation(place, preferredLocale: Locale(identifier: "de_DE"))
        }
        await #expect(throws: CLError.self) { try await CLGeocoder().geocodeAddressString("Marienplatz") }
    }
}
