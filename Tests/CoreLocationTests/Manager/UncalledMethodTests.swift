import Foundation
import Testing

@testable import CoreLocation

@Suite("Delegate methods that only a subclass has")
struct UncalledMethodTests {
    class Base: NSObject, CLLocationManagerDelegate {
        func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {}
    }

    private final class Hidden: Base {
        func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}
    }

    final class Sub: Base {
        func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]) {}
        func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {}
        override func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {}
        func locationManagerIsMine() {}
    }

    @Test func `are found, with the class that should have them`() {
        let found = UncalledMethods.found(in: Sub.self)
        #expect(
            found.map(\.name) == [
                "locationManager(_:didUpdateLocations:)", "locationManagerDidChangeAuthorization(_:)",
            ])
        #expect(found.allSatisfy { $0.owner == "Sub" && $0.conforming == "Base" })
    }

    @Test func `are found in a private class too`() {
        #expect(
            UncalledMethods.found(in: Hidden.self).map(\.name) == ["locationManagerDidPauseLocationUpdates(_:)"])
    }

    @Test func `are none where the delegate's own class names the protocol`() {
        #expect(UncalledMethods.found(in: Base.self).isEmpty)
    }
}
