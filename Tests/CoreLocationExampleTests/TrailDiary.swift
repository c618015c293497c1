// A source as it is written for Apple's module, of the parts of an app that walks a trail: nothing in it knows of
// Linux. It is here to be compiled unchanged; the tests beside it use it.

import CoreLocation
import CoreLocation.CLLocationManagerDelegate

import class CoreLocation.CLLocation
import struct CoreLocation.CLLocationCoordinate2D

extension CLLocationCoordinate2D: @retroactive Equatable, @retroactive Hashable {
    public static func == (left: CLLocationCoordinate2D, right: CLLocationCoordinate2D) -> Bool {
        left.latitude == right.latitude && left.longitude == right.longitude
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(latitude)
        hasher.combine(longitude)
    }
}

extension CLLocationCoordinate2D: @retroactive Codable {
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        self.init(latitude: try container.decode(Double.self), longitude: try container.decode(Double.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(latitude)
        try container.encode(longitude)
    }
}

extension CLLocation {
    convenience init(_ coordinate: CLLocationCoordinate2D) {
        self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }

    var isUsable: Bool { horizontalAccuracy >= 0 && horizontalAccuracy < kCLLocationAccuracyHundredMeters }
}

extension Array where Element: CLLocation {
    var length: CLLocationDistance {
        zip(self, dropFirst()).reduce(0) { $0 + $1.1.distance(from: $1.0) }
    }
}

extension CLProximity {
    var word: String {
        switch self {
        case .immediate: return "here"
        case .near: return "near"
        case .far: return "far"
        case .unknown: return "somewhere"
        @unknown default: return "elsewhere"
        }
    }
}

class TrailDiary: NSObject, CLLocationManagerDelegate {
    let locationManager = CLLocationManager()
    let gate = CLCircularRegion(
        center: CLLocationCoordinate2D(latitude: 47.421, longitude: 10.986), radius: 120, identifier: "gate")
    let hut = CLBeaconRegion(
        uuid: UUID(), major: 4, identifier: "hut")
    private(set) var walked: [CLLocation] = []
    private(set) var entries: [String] = []
    private(set) var heading: CLLocationDirection?

    override init() {
        super.init()
        locationManager.delegate = self
        gate.notifyOnExit = false
        hut.notifyEntryStateOnDisplay = true
    }

    func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
        walked += locations.filter(\.isUsable)
        if let last = locations.last, last.speed >= 0, last.course >= 0 {
            entries.append("\(Int(last.speed)) m/s at \(Int(last.course))°")
        }
    }

    func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
        guard newHeading.headingAccuracy >= 0 else { return }
        heading = newHeading.trueHeading >= 0 ? newHeading.trueHeading : newHeading.magneticHeading
    }

    func locationManager(_ manager: CLLocationManager, didFailWithError error: Error) {
        if let error = error as? CLError {
            switch error.code {
            case .denied: entries.append("denied")
            case .locationUnknown: break
            default: entries.append("failed: \(error.errorCode)")
            }
        } else if (error as NSError).domain != kCLErrorDomain {
            entries.append("failed otherwise")
        }
    }

    func locationManager(
        _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: Error
    ) {
        entries.append("cannot watch \(region?.identifier ?? "anything")")
    }

    func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
        if let circle = region as? CLCircularRegion {
            entries.append("at the \(circle.identifier), within \(Int(circle.radius)) m")
        } else if region is CLBeaconRegion {
            entries.append("at the \(region.identifier)")
        }
    }

    func locationManager(
        _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
    ) {
        entries.append(state == .inside ? "inside" : "not inside")
    }

    func locationManager(
        _ manager: CLLocationManager, didRange beacons: [CLBeacon], satisfying constraint: CLBeaconIdentityConstraint
    ) {
        for beacon in beacons where beacon.uuid == constraint.uuid {
            entries.append("\(beacon.proximity.word): \(beacon.major)/\(beacon.minor.intValue), \(beacon.rssi) dBm")
        }
    }

    func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
        entries.append(visit.departureDate == .distantFuture ? "arrived" : "left")
    }
}

@MainActor
final class TrailScreen: NSObject, @preconcurrency CLLocationManagerDelegate {
    private let manager = CLLocationManager()
    private let geocoder = CLGeocoder()
    private(set) var title = "nowhere"

    func show() {
        manager.delegate = self
    }

    func name(_ location: CLLocation) async {
        do {
            let place = try await geocoder.reverseGeocodeLocation(location).first
            title = [place?.locality, place?.country].compactMap { $0 }.joined(separator: ", ")
        } catch CLError.network {
            title = "offline"
        } catch {
            title = error.localizedDescription
        }
    }

    func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
        switch manager.authorizationStatus {
        case .authorizedAlways, .authorizedWhenInUse: title = "allowed"
        case .denied, .restricted: title = "not allowed"
        case .notDetermined: title = "asking"
        @unknown default: title = "?"
        }
    }
}

final class PretendVisit: CLVisit, @unchecked Sendable {
    private let stay: DateInterval

    override var arrivalDate: Date { stay.start }
    override var departureDate: Date { stay.end }

    init(stay: DateInterval) {
        self.stay = stay
        super.init()
    }

    required init?(coder: NSCoder) {
        return nil
    }
}

class PretendHeading: CLHeading, @unchecked Sendable {
    var pretended: CLLocationDirection = 0

    override var trueHeading: CLLocationDirection { pretended }
    override var headingAccuracy: CLLocationDirection { 5 }
}

class PretendGeocoder: CLGeocoder, @unchecked Sendable {
    override func geocodeAddressString(
        _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        completionHandler([PretendPlacemark()], nil)
    }
}

class PretendPlacemark: CLPlacemark, @unchecked Sendable {
    override var locality: String? { "Garmisch" }
    override var location: CLLocation? { CLLocation(latitude: 47.5, longitude: 11.1) }
}

final class PretendBeacon: CLBeacon, @unchecked Sendable {
    private let constraint: CLBeaconIdentityConstraint

    override var uuid: UUID { constraint.uuid }
    override var major: NSNumber { NSNumber(value: constraint.major ?? 0) }
    override var minor: NSNumber { NSNumber(value: constraint.minor ?? 0) }
    override var proximity: CLProximity { .near }
    override var rssi: Int { -66 }

    init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
        constraint = CLBeaconIdentityConstraint(uuid: uuid, major: major, minor: minor)
        super.init()
    }

    required init?(coder: NSCoder) {
        return nil
    }
}
