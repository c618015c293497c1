internal import Foundation
internal import Synchronization

/// A pending request; two requests are the same only if they are the same object.
final class GeocodingRequest: @unchecked Sendable {
    // Safety: the caller does not use the handler itself, and only the main queue calls it, once.
    private let handler: CLGeocodeCompletionHandler
    private let hasEnd = Mutex(false)

    init(_ handler: @escaping CLGeocodeCompletionHandler) { self.handler = handler }

    /// Whether the request's result is decided; its handler may not have run yet.
    var isOver: Bool { hasEnd.withLock { $0 } }

    /// Claims the right to decide the request's result; returns true only to the first caller.
    func takeEnd() -> Bool {
        hasEnd.withLock { hasEnd in
            defer { hasEnd = true }
            return !hasEnd
        }
    }

    /// Calls the handler; on the main queue, once.
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
