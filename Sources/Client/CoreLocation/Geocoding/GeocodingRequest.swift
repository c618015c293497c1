internal import Foundation
internal import Synchronization

/// A pending geocoding request; it equals another request only if both are the same object.
final class GeocodingRequest: @unchecked Sendable {
    // Safety: only the main queue calls the handler, and only once; the code that makes the request does not call it.
    private let handler: CLGeocodeCompletionHandler
    private let hasEnd = Mutex(false)

    init(_ handler: @escaping CLGeocodeCompletionHandler) { self.handler = handler }

    /// Whether the result is decided; even then the handler may not have been called yet.
    var isOver: Bool { hasEnd.withLock { $0 } }

    /// Claims the right to decide the request's result; returns true only to the first caller.
    func takeEnd() -> Bool {
        hasEnd.withLock { hasEnd in
            defer { hasEnd = true }
            return !hasEnd
        }
    }

    /// Calls the request's handler with the result; must be called on the main queue, and only once.
    func complete(_ result: Result<[PlaceDescription], GeocodingWork.Failure>) {
        switch result {
        case .success(let places): handler(places.map { CLPlacemark($0) }, nil)
        case .failure(let failure):
            var userInfo: [String: Any] = failure.userInfo.mapValues { $0.map { CLPlacemark($0) } }
            if let seconds = failure.retryAfter { userInfo["SextantRetryAfter"] = seconds }
            if let text = failure.text { userInfo[NSLocalizedDescriptionKey] = text }
            handler(nil, CLError(failure.code, userInfo: userInfo))
        }
    }
}
