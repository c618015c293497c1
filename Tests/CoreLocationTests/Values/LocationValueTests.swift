import CoreLocation
import Testing

@Suite("Location values")
struct LocationValueTests {
    private let place = CLLocationCoordinate2D(latitude: 48.137154, longitude: 11.576124)

    @Test func `LOC-01: unknown speed and course are negative, and a course of zero is due north`() {
        let bare = CLLocation(latitude: 48, longitude: 11)
        #expect(bare.speed == -1 && bare.course == -1)
        #expect(bare.speedAccuracy == -1 && bare.courseAccuracy == -1)
        let atRest = CLLocation(
            coordinate: place, altitude: 0, horizontalAccuracy: 5, verticalAccuracy: -1, course: 0, speed: 0,
            timestamp: Date())
        #expect(atRest.speed == 0 && atRest.course == 0)
    }

    @Test func `LOC-02: a location made from only a latitude and a longitude has no valid altitude`() {
        #expect(CLLocation(latitude: 48, longitude: 11).verticalAccuracy <= 0)
    }

    @Test func `LOC-03: altitude and ellipsoidal altitude are kept separately`() {
        let location = CLLocation(
            LocationMeasurement(
                coordinate: place, altitude: 520, ellipsoidalAltitude: 566.2, horizontalAccuracy: 3,
                verticalAccuracy: 5))
        #expect(abs(location.altitude - location.ellipsoidalAltitude + 46.2) < 0.1)
    }

    @Test func `LOC-05: a coordinate out of range or not a number is not valid`() {
        let invalid = [
            (90.000_001, 0.0), (-90.1, 0), (0, 180.000_001), (0, -180.1), (.nan, 0), (0, .nan), (.infinity, 0),
        ]
        for (latitude, longitude) in invalid {
            #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(latitude, longitude)))
        }
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
        for (latitude, longitude) in [(90.0, 180.0), (-90, -180), (0, 0)] {
            #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(latitude, longitude)))
        }
    }

    @Test func `LOC-06: the source information is what the initializer was given`() {
        let source = CLLocationSourceInformation(softwareSimulationState: true, andExternalAccessoryState: false)
        let location = CLLocation(
            coordinate: place, altitude: 0, horizontalAccuracy: 5, verticalAccuracy: 5, course: 1, courseAccuracy: 2,
            speed: 3, speedAccuracy: 4, timestamp: Date(), sourceInfo: source)
        #expect(location.sourceInformation?.isSimulatedBySoftware == true)
        #expect(location.sourceInformation?.isProducedByAccessory == false)
        #expect(CLLocation(latitude: 0, longitude: 0).sourceInformation == nil)
    }

    @Test func `LOC-07: a location has no floor unless a provider gave one`() {
        #expect(CLLocation(latitude: 48, longitude: 11).floor == nil)
        #expect(CLLocation(LocationMeasurement(coordinate: place, floor: CLFloor(level: -2))).floor?.level == -2)
    }

    @Test func `every initializer keeps what it is given`() {
        let when = Date(timeIntervalSince1970: 1_700_000_000)
        let location = CLLocation(
            coordinate: place, altitude: 520, horizontalAccuracy: 4, verticalAccuracy: 6, course: 90,
            courseAccuracy: 2, speed: 10, speedAccuracy: 0.5, timestamp: when)
        #expect(location.coordinate.latitude == place.latitude && location.coordinate.longitude == place.longitude)
        #expect(location.altitude == 520 && location.horizontalAccuracy == 4 && location.verticalAccuracy == 6)
        #expect(location.course == 90 && location.courseAccuracy == 2)
        #expect(location.speed == 10 && location.speedAccuracy == 0.5 && location.timestamp == when)
    }

    @Test func `locations with equal measurements are equal, and a copy is equal`() throws {
        let when = Date(timeIntervalSince1970: 1_700_000_000)
        func location(_ altitude: Double) -> CLLocation {
            CLLocation(
                coordinate: place, altitude: altitude, horizontalAccuracy: 4, verticalAccuracy: 6, timestamp: when)
        }
        #expect(location(1) == location(1))
        #expect(location(1).hash == location(1).hash)
        #expect(location(1) != location(2))
        let copy = try #require(location(1).copy() as? CLLocation)
        #expect(copy == location(1))
    }

    @Test func `the description contains the place, accuracy, motion and time`() {
        let location = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 37.332_331_41, longitude: -122.031_218_6), altitude: 0,
            horizontalAccuracy: 5, verticalAccuracy: -1, timestamp: Date(timeIntervalSince1970: 0))
        #expect(
            location.description
                == "<+37.33233141,-122.03121860> +/- 5.00m (speed -1.00 mps / course -1.00) "
                + "@ 1970-01-01 00:00:00 +0000")
    }
}
