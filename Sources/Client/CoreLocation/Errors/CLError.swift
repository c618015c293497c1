public import Foundation

/// The domain of every `CLError`.
public let kCLErrorDomain = "kCLErrorDomain"

/// The `userInfo` key under which an error of delayed monitoring has a larger region that can be monitored in time.
public let kCLErrorUserInfoAlternateRegionKey = "kCLErrorUserInfoAlternateRegionKey"

/// The reason why a location, a heading, a region or a placemark is not available.
public struct CLError: CustomNSError, Hashable, Sendable {
    /// The kind of failure; raw values are Apple's.
    public enum Code: Int, Sendable {
        case locationUnknown = 0
        case denied = 1
        case network = 2
        case headingFailure = 3
        case regionMonitoringDenied = 4
        case regionMonitoringFailure = 5
        case regionMonitoringSetupDelayed = 6
        case regionMonitoringResponseDelayed = 7
        case geocodeFoundNoResult = 8
        case geocodeFoundPartialResult = 9
        case geocodeCanceled = 10
        case deferredFailed = 11
        case deferredNotUpdatingLocation = 12
        case deferredAccuracyTooLow = 13
        case deferredDistanceFiltered = 14
        case deferredCanceled = 15
        case rangingUnavailable = 16
        case rangingFailure = 17
        case promptDeclined = 18
        case historicalLocationError = 19
    }

    public let code: Code

    /// This error as an `NSError`.
    public let _nsError: NSError

    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        _nsError = NSError(domain: kCLErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// Wraps an `NSError` of the domain `kCLErrorDomain`, whose code must be one of `CLError.Code`.
    public init(_nsError error: NSError) {
        precondition(error.domain == kCLErrorDomain, "an error of \(error.domain) is not one of \(kCLErrorDomain)")
        guard let code = Code(rawValue: error.code) else {
            preconditionFailure("\(kCLErrorDomain) has no code \(error.code)")
        }
        self.code = code
        _nsError = error
    }

    public static var errorDomain: String { kCLErrorDomain }

    public var errorCode: Int { code.rawValue }

    public var errorUserInfo: [String: Any] { _nsError.userInfo }

    public var userInfo: [String: Any] { _nsError.userInfo }

    /// A larger region that can be monitored in time; nil except in errors with one of the two codes for delayed
    /// monitoring.
    public var alternateRegion: CLRegion? { _nsError.userInfo[kCLErrorUserInfoAlternateRegionKey] as? CLRegion }
}

extension CLError.Code {
    /// Lets `catch CLError.denied` match an error by its code.
    public static func ~= (code: CLError.Code, error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == kCLErrorDomain && error.code == code.rawValue
    }
}

extension CLError {
    public static var locationUnknown: Code { .locationUnknown }
    public static var denied: Code { .denied }
    public static var network: Code { .network }
    public static var headingFailure: Code { .headingFailure }
    public static var regionMonitoringDenied: Code { .regionMonitoringDenied }
    public static var regionMonitoringFailure: Code { .regionMonitoringFailure }
    public static var regionMonitoringSetupDelayed: Code { .regionMonitoringSetupDelayed }
    public static var regionMonitoringResponseDelayed: Code { .regionMonitoringResponseDelayed }
    public static var geocodeFoundNoResult: Code { .geocodeFoundNoResult }
    public static var geocodeFoundPartialResult: Code { .geocodeFoundPartialResult }
    public static var geocodeCanceled: Code { .geocodeCanceled }
    public static var deferredFailed: Code { .deferredFailed }
    public static var deferredNotUpdatingLocation: Code { .deferredNotUpdatingLocation }
    public static var deferredAccuracyTooLow: Code { .deferredAccuracyTooLow }
    public static var deferredDistanceFiltered: Code { .deferredDistanceFiltered }
    public static var deferredCanceled: Code { .deferredCanceled }
    public static var rangingUnavailable: Code { .rangingUnavailable }
    public static var rangingFailure: Code { .rangingFailure }
    public static var promptDeclined: Code { .promptDeclined }
    public static var historicalLocationError: Code { .historicalLocationError }
}
