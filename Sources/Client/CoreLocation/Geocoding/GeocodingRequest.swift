internal import Foundation
internal import Synchronization

/// A request under way, told from others by its identity.
final class GeocodingRequest: @unchecked Sendable {
    // Safety: the caller gives the handler away, and only the main queue calls it, once.
    private let handler: CLGeocodeCompletionHandler
    private let hasEnd = Mutex(false)

    init(_ handler: @escaping CLGeocodeCompletionHandler) { self.handler = handler }

    /// Whether it is decided how the request ends.
    var isOver: Bool { hasEnd.withLock { $0 } }

    /// Whether the caller decides how the request ends; true once.
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
