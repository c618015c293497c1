import CoreLocation
import Testing

@Suite("Regions and beacons")
struct RegionAndBeaconTests {
    private let centre = CLLocationCoordinate2D(latitude: 48.137154, longitude: 11.576124)
    private let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    @Test func `a circle contains points nearer than its radius`() {
        let circle = CLCircularRegion(center: centre, radius: 100, identifier: "home")
        #expect(circle.contains(centre))
        #expect(
            circle.contains(CLLocationCoordinate2D(latitude: centre.latitude + 0.0008, longitude: centre.longitude)))
        #expect(
            !circle.contains(CLLocationCoordinate2D(latitude: centre.latitude + 0.001, longitude: centre.longitude)))
        #expect(!circle.contains(kCLLocationCoordinate2DInvalid))
    }

    @Test func `a circle across the antimeridian contains points on both sides`() {
        let circle = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: -17, longitude: 179.999), radius: 500, identifier: "Taveuni")
        #expect(circle.contains(CLLocationCoordinate2D(latitude: -17, longitude: -179.999)))
    }

    @Test func `regions are equal if their class and identifier are`() {
        let home = CLCircularRegion(center: centre, radius: 100, identifier: "home")
        let larger = CLCircularRegion(center: centre, radius: 500, identifier: "home")
        #expect(home == larger)
        #expect(Set<CLRegion>([home, larger]).count == 1)
        #expect(home != CLCircularRegion(center: centre, radius: 100, identifier: "work"))
        #expect(home != CLBeaconRegion(uuid: uuid, identifier: "home"))
    }

    @Test func `entry and exit notifications are on by default, and a copy keeps them`() throws {
        let region = CLCircularRegion(center: centre, radius: 100, identifier: "home")
        #expect(region.notifyOnEntry && region.notifyOnExit)
        region.notifyOnEntry = false
        let copy = try #require(region.copy() as? CLCircularRegion)
        #expect(!copy.notifyOnEntry && copy.notifyOnExit && copy.radius == 100)
        region.notifyOnEntry = true
        #expect(!copy.notifyOnEntry)
    }

    @Test func `BEAC-05: a beacon's accuracy is negative exactly when its proximity is unknown`() {
        func beacon(_ proximity: CLProximity, _ accuracy: Double) -> CLBeacon {
            CLBeacon(
                BeaconMeasurement(
                    uuid: uuid, major: 1, minor: 2, proximity: proximity, accuracy: accuracy, rssi: -70,
                    timestamp: Date()))
        }
        for proximity in [CLProximity.unknown, .immediate, .near, .far] {
            for accuracy in [-1.0, 0, 0.3, 12] {
                let beacon = beacon(proximity, accuracy)
                #expect((beacon.accuracy < 0) == (beacon.proximity == .unknown))
            }
        }
        #expect(beacon(.near, 1.5).accuracy == 1.5)
    }

    @Test func `a constraint without a number matches any number`() {
        let constraint = CLBeaconIdentityConstraint(uuid: uuid)
        #expect(constraint.major == nil && constraint.minor == nil)
        #expect(CLBeaconIdentityConstraint(uuid: uuid, major: 3).major == 3)
        #expect(constraint == CLBeaconIdentityConstraint(uuid: uuid))
        #expect(constraint != CLBeaconIdentityConstraint(uuid: uuid, major: 0))
    }

    @Test func `the advertised data is UUID, major, minor and measured power`() {
        let region = CLBeaconRegion(uuid: uuid, major: 0x1234, minor: 0x5678, identifier: "self")
        let head = (1...16).map(UInt8.init) + [0x12, 0x34, 0x56, 0x78]
        let key = NSString(string: "kCBAdvDataAppleBeaconKey")
        #expect(region.peripheralData(withMeasuredPower: nil).object(forKey: key) as? Data == Data(head + [0xC5]))
        let louder = region.peripheralData(withMeasuredPower: -40)
        #expect(louder.object(forKey: key) as? Data == Data(head + [0xD8]))
    }

    /// A condition through an encoder and back, as a program that keeps it does.
    private func coded<Condition: CLCondition>(_ condition: Condition) throws -> Condition {
        try JSONDecoder().decode(Condition.self, from: JSONEncoder().encode(condition))
    }

    @Test func `the conditions of a monitor can be encoded and decoded`() throws {
        let circle = try coded(CLMonitor.CircularGeographicCondition(center: centre, radius: 120))
        #expect(circle.center.latitude == centre.latitude && circle.center.longitude == centre.longitude)
        #expect(circle.radius == 120)
        for beacon in [
            CLMonitor.BeaconIdentityCondition(uuid: uuid),
            CLMonitor.BeaconIdentityCondition(uuid: uuid, major: 1, minor: 2),
        ] {
            #expect(try coded(beacon) == beacon)
        }
    }
}
