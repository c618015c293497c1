import ClientVocabulary
import Foundation
import Testing

@testable import CoreLocation

@Suite("Errors")
struct ErrorTests {
    /// The codes in the order of their raw values, from 0.
    private let codes: [CLError.Code] = [
        .locationUnknown, .denied, .network, .headingFailure, .regionMonitoringDenied, .regionMonitoringFailure,
        .regionMonitoringSetupDelayed, .regionMonitoringResponseDelayed, .geocodeFoundNoResult,
        .geocodeFoundPartialResult, .geocodeCanceled, .deferredFailed, .deferredNotUpdatingLocation,
        .deferredAccuracyTooLow, .deferredDistanceFiltered, .deferredCanceled, .rangingUnavailable, .rangingFailure,
        .promptDeclined, .historicalLocationError,
    ]

    @Test func `RUN-12: error codes have Apple's raw values`() {
        for (value, code) in codes.enumerated() {
            #expect(code.rawValue == value)
            #expect(CLError.Code(rawValue: value) == code)
        }
        #expect(CLError.Code(rawValue: 20) == nil)
        #expect(kCLErrorDomain == "kCLErrorDomain" && CLError.errorDomain == kCLErrorDomain)
    }

    @Test(arguments: FailureCode.allCases)
    func `each code that the daemon sends is Apple's code of the same name`(sent: FailureCode) throws {
        let code = try #require(CLError.Code(rawValue: sent.rawValue))
        #expect("\(code)" == "\(sent)")
    }

    @Test func `an error of the library's own says what its code means, where nothing more is known`() {
        for code in codes {
            #expect((CLError(code, because: nil) as NSError).localizedFailureReason?.isEmpty == false, "\(code)")
        }
    }

    @Test func `a CLError bridges to an NSError with its domain and code`() throws {
        let error: any Error = CLError(.denied)
        let bridged = error as NSError
        #expect(bridged.domain == kCLErrorDomain && bridged.code == 1)
        #expect((error as? CLError)?.code == .denied)
        #expect(CLError(_nsError: bridged).code == .denied)
    }

    @Test func `an NSError with the domain and code of a CLError casts to one`() {
        let made: any Error = NSError(domain: kCLErrorDomain, code: 2, userInfo: ["why": "rate"])
        #expect((made as? CLError)?.code == .network)
        #expect((made as? CLError)?.userInfo["why"] as? String == "rate")
        for other in [NSError(domain: NSCocoaErrorDomain, code: 2), NSError(domain: kCLErrorDomain, code: 99)] {
            let other: any Error = other
            #expect(!(other is CLError))
        }
    }

    @Test func `an error is caught by its code`() {
        func caught(_ error: any Error) -> String {
            do {
                throw error
            } catch CLError.denied {
                return "denied"
            } catch let error as CLError where error.code == .network {
                return "network"
            } catch {
                return "other"
            }
        }
        #expect(caught(CLError(.denied)) == "denied")
        #expect(caught(CLError(.network)) == "network")
        #expect(caught(CLError(.locationUnknown)) == "other")
        #expect(caught(NSError(domain: kCLErrorDomain, code: 1)) == "denied")
        #expect(caught(NSError(domain: NSCocoaErrorDomain, code: 1)) == "other")
    }

    @Test func `a delayed region response names the region that would work better`() {
        let region = CLCircularRegion(center: CLLocationCoordinate2D(), radius: 400, identifier: "wider")
        let error = CLError(
            .regionMonitoringResponseDelayed, userInfo: [kCLErrorUserInfoAlternateRegionKey: region])
        #expect(error.alternateRegion == region)
        #expect(CLError(.denied).alternateRegion == nil)
        #expect((error as NSError).userInfo[kCLErrorUserInfoAlternateRegionKey] as? CLRegion == region)
    }

    @Test func `errors of location pushes have Apple's raw values and are caught by their codes`() {
        let codes: [CLLocationPushServiceError.Code] = [
            .unknown, .missingPushExtension, .missingPushServerEnvironment, .missingEntitlement, .unsupportedPlatform,
        ]
        #expect(codes.map(\.rawValue) == [0, 1, 2, 3, 4])
        let bridged = CLLocationPushServiceError(.unsupportedPlatform) as NSError
        #expect(bridged.domain == CLLocationPushServiceErrorDomain && bridged.code == 4)
        #expect(bridged.localizedFailureReason?.isEmpty == false)
        #expect(CLLocationPushServiceError.unsupportedPlatform ~= bridged)
        #expect(!(CLLocationPushServiceError.missingEntitlement ~= bridged))
    }

    @Test func `an error of location pushes has the members of Apple's, and an NSError of its domain casts to it`() {
        let error = CLLocationPushServiceError(.missingEntitlement, userInfo: ["why": "no key"])
        #expect(error.userInfo["why"] as? String == "no key" && error.errorUserInfo["why"] as? String == "no key")
        #expect(error == CLLocationPushServiceError(_nsError: error._nsError) && error.errorCode == 3)
        let made: any Error = NSError(domain: CLLocationPushServiceErrorDomain, code: 1)
        #expect((made as? CLLocationPushServiceError)?.code == .missingPushExtension)
        for other in [NSError(domain: NSCocoaErrorDomain, code: 1), NSError(domain: made._domain, code: 99)] {
            let other: any Error = other
            #expect(!(other is CLLocationPushServiceError))
        }
    }
}
