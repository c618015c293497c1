import CoreLocation
import Testing

@Suite("Constants")
struct ConstantTests {
    @Test func `accuracy and filter constants have Apple's values`() {
        #expect(kCLLocationAccuracyBestForNavigation == -2 && kCLLocationAccuracyBest == -1)
        #expect(kCLLocationAccuracyNearestTenMeters == 10 && kCLLocationAccuracyHundredMeters == 100)
        #expect(kCLLocationAccuracyKilometer == 1_000 && kCLLocationAccuracyThreeKilometers == 3_000)
        #expect(kCLLocationAccuracyReduced > kCLLocationAccuracyThreeKilometers)
        #expect(kCLDistanceFilterNone == -1 && kCLHeadingFilterNone == -1)
        #expect(CLLocationDistanceMax == .greatestFiniteMagnitude && CLTimeIntervalMax == .greatestFiniteMagnitude)
    }

    @Test func `AUTH-23: the five statuses have Apple's numbers`() {
        #expect([CLAuthorizationStatus.notDetermined, .restricted, .denied].map(\.rawValue) == [0, 1, 2])
        #expect([CLAuthorizationStatus.authorizedAlways, .authorizedWhenInUse].map(\.rawValue) == [3, 4])
    }

    @Test func `enumerations have Apple's raw values`() {
        #expect([CLAccuracyAuthorization.fullAccuracy, .reducedAccuracy].map(\.rawValue) == [0, 1])
        #expect([CLActivityType.other, .automotiveNavigation, .fitness].map(\.rawValue) == [1, 2, 3])
        #expect([CLActivityType.otherNavigation, .airborne, .maritime].map(\.rawValue) == [4, 5, 6])
        #expect(CLLocationUpdate.LiveConfiguration.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
        #expect([CLRegionState.unknown, .inside, .outside].map(\.rawValue) == [0, 1, 2])
        #expect([CLProximity.unknown, .immediate, .near, .far].map(\.rawValue) == [0, 1, 2, 3])
        let held: [CLDeviceOrientation] = [
            .unknown, .portrait, .portraitUpsideDown, .landscapeLeft, .landscapeRight, .faceUp, .faceDown,
        ]
        #expect(held.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6])
    }
}
