public import Foundation

/// The domain of the errors of location pushes.
///
/// The constant's name is from Apple's header; its value is from a single public source, which is not Apple's.
public let CLLocationPushServiceErrorDomain = "CLLocationPushServiceErrorDomain"

/// The reason why location pushes cannot begin; on a board it is always `unsupportedPlatform`.
public struct CLLocationPushServiceError: CustomNSError, Hashable, Sendable {
    /// The kind of failure; raw values are Apple's, from CLLocationPushServiceError.h of iOS 15.
    public enum Code: Int, Sendable {
        case unknown = 0
        case missingPushExtension = 1
        case missingPushServerEnvironment = 2
        case missingEntitlement = 3
        case unsupportedPlatform = 4

        /// Lets `catch CLLocationPushServiceError.unsupportedPlatform` match an error by its code.
        public static func ~= (code: Code, error: any Error) -> Bool {
            let error = error as NSError
            return error.domain == CLLocationPushServiceErrorDomain && error.code == code.rawValue
        }
    }

    public let code: Code

    /// This error as an `NSError`.
    public let _nsError: NSError

    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        var userInfo = userInfo
        if code == .unsupportedPlatform, userInfo[NSLocalizedFailureReasonErrorKey] == nil {
            userInfo[NSLocalizedFailureReasonErrorKey] = "Apple's push service does not reach this platform."
        }
        self.code = code
        _nsError = NSError(domain: CLLocationPushServiceErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// Wraps an `NSError` of the domain of location push errors, whose code must be one of
    /// `CLLocationPushServiceError.Code`.
    public init(_nsError error: NSError) {
        guard error.domain == CLLocationPushServiceErrorDomain, let code = Code(rawValue: error.code) else {
            preconditionFailure("\(CLLocationPushServiceErrorDomain) has no error \(error.domain) \(error.code)")
        }
        self.code = code
        _nsError = error
    }

    public static var errorDomain: String { CLLocationPushServiceErrorDomain }

    public var errorCode: Int { code.rawValue }

    public var errorUserInfo: [String: Any] { _nsError.userInfo }

    public var userInfo: [String: Any] { _nsError.userInfo }

    public static var unknown: Code { .unknown }
    public static var missingPushExtension: Code { .missingPushExtension }
    public static var missingPushServerEnvironment: Code { .missingPushServerEnvironment }
    public static var missingEntitlement: Code { .missingEntitlement }
    public static var unsupportedPlatform: Code { .unsupportedPlatform }
}
