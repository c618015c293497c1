public import Foundation
internal import Synchronization

/// The handler of a geocoding request's result: placemarks, or an error, never both.
public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

/// Asks for the names of a place, or the place of a name.
///
/// No geocoding service is connected: every request ends with `CLError.network`. A request always ends exactly once, on
/// the main queue, after the call that made it has returned; a cancelled one with `CLError.geocodeCanceled`. A second
/// request beside a pending one is refused with `CLError.network` and does not disturb the first.
open class CLGeocoder: NSObject, @unchecked Sendable {
    // Safety: the class is open as Apple's is; its only storage is behind the mutex.
    private let pending = Mutex<Request?>(nil)

    /// A request under way, told from others by its identity.
    private final class Request: Sendable {
        private let outcome = Mutex(CLError.Code.network)

        var error: CLError {
            let code = outcome.withLock { $0 }
            guard code == .network else { return CLError(code) }
            return CLError(code, userInfo: [NSLocalizedDescriptionKey: "no geocoding service is connected"])
        }

        func cancel() {
            outcome.withLock { $0 = .geocodeCanceled }
        }
    }

    /// Whether a request is under way.
    open var isGeocoding: Bool { pending.withLock { $0 != nil } }

    /// Ends the request under way with `CLError.geocodeCanceled`; does nothing where there is no request.
    open func cancelGeocode() {
        pending.withLock { $0?.cancel() }
    }

    open func reverseGeocodeLocation(
        _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        request(completionHandler)
    }

    open func reverseGeocodeLocation(
        _ location: CLLocation, preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        request(completionHandler)
    }

    open func geocodeAddressString(
        _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        request(completionHandler)
    }

    open func geocodeAddressString(
        _ addressString: String, in region: CLRegion?, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        request(completionHandler)
    }

    open func geocodeAddressString(
        _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        request(completionHandler)
    }

    private func request(_ handler: @escaping CLGeocodeCompletionHandler) {
        let request = Request()
        pending.withLock { if $0 == nil { $0 = request } }
        let completion = Completion(handler: handler)
        DispatchQueue.main.async { [self] in
            pending.withLock { if $0 === request { $0 = nil } }
            completion.handler(nil, request.error)
        }
    }
}

/// Carries the handler, which need not be sendable, to the main queue.
private struct Completion: @unchecked Sendable {
    // Safety: the caller gives the handler away, and only the main queue calls it, once.
    let handler: CLGeocodeCompletionHandler
}

// Each async method calls the one of the same arguments that takes a handler, so a subclass need override only that.
extension CLGeocoder {
    public func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark] {
        try await placemarks { reverseGeocodeLocation(location, completionHandler: $0) }
    }

    public func reverseGeocodeLocation(
        _ location: CLLocation, preferredLocale locale: Locale?
    ) async throws -> [CLPlacemark] {
        try await placemarks { reverseGeocodeLocation(location, preferredLocale: locale, completionHandler: $0) }
    }

    public func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark] {
        try await placemarks { geocodeAddressString(addressString, completionHandler: $0) }
    }

    public func geocodeAddressString(_ addressString: String, in region: CLRegion?) async throws -> [CLPlacemark] {
        try await placemarks { geocodeAddressString(addressString, in: region, completionHandler: $0) }
    }

    public func geocodeAddressString(
        _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?
    ) async throws -> [CLPlacemark] {
        try await placemarks {
            geocodeAddressString(addressString, in: region, preferredLocale: locale, completionHandler: $0)
        }
    }

    private func placemarks(
        _ start: (@escaping CLGeocodeCompletionHandler) -> Void
    ) async throws -> [CLPlacemark] {
        try await withCheckedThrowingContinuation { continuation in
            start { placemarks, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: placemarks ?? [])
                }
            }
        }
    }
}
