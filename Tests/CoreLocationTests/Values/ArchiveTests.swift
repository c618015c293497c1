import CoreLocation
import Testing

@Suite("Archives")
struct ArchiveTests {
    private let place = CLLocationCoordinate2D(latitude: 48.137154, longitude: 11.576124)
    private let when = Date(timeIntervalSinceReferenceDate: 700_000_000.25)

    private func restored<Value: NSObject & NSSecureCoding>(_ value: Value) throws -> Value {
        let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
        return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data))
    }

    @Test func `a location survives archiving`() throws {
        let location = CLLocation(
            LocationMeasurement(
                coordinate: place, altitude: 520, ellipsoidalAltitude: 566, horizontalAccuracy: 3, verticalAccuracy: 5,
                course: 10, courseAccuracy: 1, speed: 2, speedAccuracy: 0.25, timestamp: when, floor: CLFloor(level: 3),
                sourceInformation: CLLocationSourceInformation(
                    softwareSimulationState: true, andExternalAccessoryState: true)))
        #expect(try restored(location) == location)
        let bare = CLLocation(latitude: 1, longitude: 2)
        #expect(try restored(bare) == bare)
    }

    @Test func `a heading and a visit survive archiving`() throws {
        let heading = CLHeading(
            HeadingMeasurement(
                magneticHeading: 0, trueHeading: 3.5, headingAccuracy: 4, x: 20, y: -5, z: 40, timestamp: when))
        #expect(try restored(heading) == heading)
        let visit = CLVisit(
            arrivalDate: when, departureDate: .distantFuture, coordinate: place, horizontalAccuracy: 50)
        let back = try restored(visit)
        #expect(back == visit)
        #expect(back.departureDate == .distantFuture)
    }

    @Test func `a region survives archiving with its notify flags`() throws {
        let circle = CLCircularRegion(center: place, radius: 150, identifier: "home")
        circle.notifyOnExit = false
        let back = try restored(circle)
        #expect(back == circle && back.radius == 150 && back.center.latitude == place.latitude)
        #expect(back.notifyOnEntry && !back.notifyOnExit)
        let beacons = CLBeaconRegion(uuid: UUID(), major: 7, identifier: "shop")
        beacons.notifyEntryStateOnDisplay = true
        #expect(try restored(beacons).sextantWithin == nil)
        beacons.sextantWithin = 2.5
        let restoredBeacons = try restored(beacons)
        #expect(restoredBeacons.sextantWithin == 2.5 && (beacons.copy() as? CLBeaconRegion)?.sextantWithin == 2.5)
        #expect(restoredBeacons.beaconIdentityConstraint == beacons.beaconIdentityConstraint)
        #expect(restoredBeacons.major == 7 && restoredBeacons.minor == nil)
        #expect(restoredBeacons.notifyEntryStateOnDisplay)
    }

    @Test func `a beacon survives archiving`() throws {
        let beacon = CLBeacon(
            BeaconMeasurement(
                uuid: UUID(), major: 65_535, minor: 0, proximity: .near, accuracy: 1.5, rssi: -60, timestamp: when))
        #expect(try restored(beacon) == beacon)
    }

    @Test func `a placemark survives archiving`() throws {
        var known = PlaceDescription()
        known[.locality] = "München"
        known[.isoCountryCode] = "DE"
        known.location = CLLocation(latitude: 48, longitude: 11)
        known.region = CLCircularRegion(center: place, radius: 9_000, identifier: "München")
        known.timeZone = TimeZone(identifier: "Europe/Berlin")
        known.areasOfInterest = ["Marienplatz", "Viktualienmarkt"]
        let placemark = CLPlacemark(known)
        let back = try restored(placemark)
        #expect(back == placemark)
        #expect(back.locality == "München" && back.areasOfInterest?.count == 2 && back.name == nil)
        #expect(CLPlacemark(placemark: back) == back)
    }

    @Test func `a subclass may encode its own values under the same keys as its superclass`() throws {
        let trip = TripLocation(
            coordinate: place, altitude: 520, horizontalAccuracy: 3, verticalAccuracy: 5, course: 10, speed: 2,
            timestamp: when)
        let back = try restored(trip)
        #expect(back.label == "brisk")
        #expect(back.speed == 2 && back.timestamp == when)
    }

    @Test func `a subclass may decode without calling its superclass`() throws {
        let beacon = NumberedBeacon()
        beacon.number = 42
        let back = try restored(beacon)
        #expect(back.minor == 42 && back.major == 0 && back.proximity == .unknown)
        #expect(try restored(NamedPlacemark()).name == "nowhere")
        #expect(try restored(NowhereLocation()).floor == nil)
    }
}

/// A location that says its speed in a word too, and archives that as its speed.
final class TripLocation: CLLocation, @unchecked Sendable {
    let label: String

    override init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
    ) {
        label = speed > 1 ? "brisk" : "slow"
        super.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: course, speed: speed, timestamp: timestamp)
    }

    required init?(coder: NSCoder) {
        label = coder.decodeObject(of: NSString.self, forKey: "speed").map { String(describing: $0) } ?? ""
        super.init(coder: coder)
    }

    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(NSString(string: label), forKey: "speed")
    }
}

final class NumberedBeacon: CLBeacon, @unchecked Sendable {
    var number = 0

    override init() { super.init() }

    required init?(coder: NSCoder) {
        number = coder.decodeInteger(forKey: "number")
        super.init(coder: coder)
    }

    override func encode(with coder: NSCoder) {
        coder.encode(number, forKey: "number")
    }

    override var minor: NSNumber { NSNumber(value: number) }
}

/// A placemark that archives nothing.
final class NamedPlacemark: CLPlacemark, @unchecked Sendable {
    override func encode(with coder: NSCoder) {}

    override var name: String? { "nowhere" }
}

/// A location that archives nothing.
final class NowhereLocation: CLLocation, @unchecked Sendable {
    override func encode(with coder: NSCoder) {}
}
