import CoreLocation
import Testing

@MainActor @Suite("Delegate")
struct DelegateTests {
    private final class Modern: NSObject, CLLocationManagerDelegate {
        var heard: [String] = []

        func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {
            heard.append("locations \(locations.count)")
        }

        func locationManager(
            _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation
        ) {
            heard.append("new and old")
        }

        func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
            heard.append("authorization")
        }

        func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {
            heard.append("status")
        }
    }

    private final class Oldest: NSObject, CLLocationManagerDelegate {
        var heard: [String] = []

        func locationManager(
            _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation
        ) {
            heard.append("\(oldLocation.coordinate.latitude) to \(newLocation.coordinate.latitude)")
        }

        func locationManager(_ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus) {
            heard.append("status \(status.rawValue)")
        }
    }

    private final class OldestWithNil: NSObject, CLLocationManagerDelegate {
        var heard: [String] = []

        func locationManager(
            _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation, from oldLocation: CLLocation?
        ) {
            heard.append("\(oldLocation?.coordinate.latitude ?? -1) to \(newLocation.coordinate.latitude)")
        }
    }

    @Test func `STD-12: the first location comes from nil where the method takes it`() {
        let oldest = OldestWithNil()
        let delegate: any CLLocationManagerDelegate = oldest
        delegate.locationManager(manager, didUpdateLocations: two)
        #expect(oldest.heard == ["-1.0 to 1.0", "1.0 to 2.0"])
    }

    private let manager = CLLocationManager()
    private let two = [CLLocation(latitude: 1, longitude: 0), CLLocation(latitude: 2, longitude: 0)]

    @Test func `STD-12: a delegate that has the newer method does not get calls to the older one`() {
        let modern = Modern()
        let delegate: any CLLocationManagerDelegate = modern
        delegate.locationManager(manager, didUpdateLocations: two)
        delegate.locationManagerDidChangeAuthorization(manager)
        #expect(modern.heard == ["locations 2", "authorization"])
    }

    @Test func `STD-12: a delegate that has only the older method gets each location with the one before it`() {
        let oldest = Oldest()
        let delegate: any CLLocationManagerDelegate = oldest
        delegate.locationManager(manager, didUpdateLocations: two)
        #expect(oldest.heard == ["1.0 to 1.0", "1.0 to 2.0"])
    }

    @Test func `a delegate that has only the older method is told its authorization status`() {
        let oldest = Oldest()
        let delegate: any CLLocationManagerDelegate = oldest
        delegate.locationManagerDidChangeAuthorization(manager)
        #expect(oldest.heard == ["status \(manager.authorizationStatus.rawValue)"])
    }

    @Test func `delegate methods can be called with optional chaining`() {
        let modern = Modern()
        let delegate: (any CLLocationManagerDelegate)? = modern
        delegate?.locationManager?(manager, didUpdateLocations: two)
        delegate?.locationManagerDidChangeAuthorization?(manager)
        delegate?.locationManager?(manager, didFailWithError: CLError(.denied))
        delegate?.locationManagerDidPauseLocationUpdates?(manager)
        delegate?.locationManagerDidResumeLocationUpdates?(manager)
        #expect(delegate?.locationManagerShouldDisplayHeadingCalibration?(manager) == false)
        #expect(modern.heard == ["locations 2", "authorization"])
    }
}
