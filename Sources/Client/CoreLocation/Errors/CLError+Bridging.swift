public import Foundation

/// Lets `error as? CLError` succeed for an `NSError` of the domain `kCLErrorDomain`.
extension CLError: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout CLError?) {
        result = _unconditionallyBridgeFromObjectiveC(source)
    }

    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout CLError?) -> Bool {
        guard source.domain == kCLErrorDomain, Code(rawValue: source.code) != nil else { return false }
        result = CLError(_nsError: source)
        return true
    }

    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> CLError {
        guard let source else { preconditionFailure("no error is not one of \(kCLErrorDomain)") }
        return CLError(_nsError: source)
    }
}

/// Lets `error as? CLLocationPushServiceError` succeed for an `NSError` of the domain of location push errors.
extension CLLocationPushServiceError: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSError { _nsError }

    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout CLLocationPushServiceError?) {
        result = _unconditionallyBridgeFromObjectiveC(source)
    }

    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSError, result: inout CLLocationPushServiceError?
    ) -> Bool {
        guard source.domain == CLLocationPushServiceErrorDomain, Code(rawValue: source.code) != nil else {
            return false
        }
        result = CLLocationPushServiceError(_nsError: source)
        return true
    }

    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> CLLocationPushServiceError {
        guard let source else { preconditionFailure("no error is not one of \(CLLocationPushServiceErrorDomain)") }
        return CLLocationPushServiceError(_nsError: source)
    }
}
