import CoreLocation
import Testing

@MainActor @Suite("A source written for Apple's module")
struct TrailDiaryTests {
    private let diary = TrailDiary()
    private var manager: CLLocationManager { diary.locationManager }

    @Test func `measures a walk of usable locations`() {
        func location(_ latitude: Double, _ accuracy: CLLocationAccuracy) -> CLLocation {
            CLLocation(
                coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: 11), altitude: 800,
                horizontalAccuracy: accuracy, verticalAccuracy: 4, course: 0, speed: 1, timestamp: Date())
        }
        let delegate: (any CLLocationManagerDelegate)? = manager.delegate
        delegate?.locationManager?(
            manager, didUpdateLocations: [location(47, 5), location(80, -1), location(47.001, 5)])
        #expect(abs(diary.walked.length - 111.17) < 0.1)
        #expect(diary.entries == ["1 m/s at 0°"])
    }

    @Test func `records regions, beacons, visits and failures`() {
        diary.locationManager(manager, didEnterRegion: diary.gate)
        diary.locationManager(manager, didEnterRegion: diary.hut)
        diary.locationManager(manager, didDetermineState: .outside, for: diary.gate)
        let beacon = PretendBeacon(uuid: diary.hut.uuid, major: 4, minor: 9)
        diary.locationManager(manager, didRange: [beacon], satisfying: diary.hut.beaconIdentityConstraint)
        let stay = DateInterval(start: Date(timeIntervalSince1970: 0), duration: 600)
        diary.locationManager(manager, didVisit: PretendVisit(stay: stay))
        diary.locationManager(manager, didFailWithError: CLError(.denied))
        diary.locationManager(manager, didFailWithError: NSError(domain: kCLErrorDomain, code: 2))
        diary.locationManager(manager, monitoringDidFailFor: nil, withError: CLError(.regionMonitoringFailure))
        #expect(
            diary.entries == [
                "at the gate, within 120 m", "at the hut", "not inside", "near: 4/9, -66 dBm", "left", "denied",
                "failed: 2", "cannot watch anything",
            ])
    }

    @Test func `uses the true heading of a simulated compass`() {
        let heading = PretendHeading()
        heading.pretended = 0
        diary.locationManager(manager, didUpdateHeading: heading)
        #expect(diary.heading == 0)
    }

    @Test func `names a place, or says that the geocoder is offline`() async throws {
        let screen = TrailScreen()
        screen.show()
        screen.locationManagerDidChangeAuthorization(manager)
        // Another screen, which is no delegate: the authorization's callback may come at any time, and has a title too.
        let named = TrailScreen()
        await named.name(CLLocation(latitude: 47.4, longitude: 11))
        // On a machine with a table of places the border's two countries are possible.
        #expect(["offline", "Austria", "Germany"].contains { named.title.hasSuffix($0) })
        let places = try await PretendGeocoder().geocodeAddressString("Bahnhofstraße 1")
        #expect(places.first?.locality == "Garmisch")
        #expect(places.first?.location?.coordinate == CLLocationCoordinate2D(latitude: 47.5, longitude: 11.1))
    }

    @Test func `encodes coordinates as JSON and keeps them in sets`() throws {
        let place = CLLocationCoordinate2DMake(47.5, 11.25)
        let data = try JSONEncoder().encode([place])
        #expect(String(decoding: data, as: UTF8.self) == "[[47.5,11.25]]")
        #expect(try JSONDecoder().decode(Set<CLLocationCoordinate2D>.self, from: data) == [place])
        #expect(CLLocation(place).coordinate == place)
    }
}
