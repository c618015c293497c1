public import Foundation
internal import SextantPlaces
internal import Synchronization

/// The handler that gets the result of a geocoding request: either placemarks or an error.
public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

/// Finds the address of a place, or the place of an address, by the board's geocoding service and its tables of places.
///
/// `preferredLocale` chooses the language and the script of the country's name. zh_Hant_TW gives traditional Chinese,
/// and so does zh_TW: a locale that names no script has the usual script of its region. If no such name is known, the
/// country has its English name from the tables. A server is asked for all names in that language and script, but can
/// answer in another script of the language.
///
/// No authorization is needed, and none is requested. If the program's package depends on Sextant with the package
/// trait `Geocoding`, the program itself reads the tables, without the daemon. Places near the newest location that the
/// program was given come first, unless the program names a region. If the board's owner has named a server, the
/// service sextant-geocoder asks the server first; if no answer comes within 10 s, the tables' answer is returned,
/// without an error. After too many lookups at the server, the error is `CLError.network`, and its `userInfo` has the
/// seconds to wait under `SextantRetryAfter`.
///
/// A request ends exactly once, on the main queue, after the call that made the request has returned: with placemarks,
/// the best first, or with an error. The error is `CLError.geocodeFoundNoResult` if there is no such place,
/// `CLError.geocodeFoundPartialResult` if only a part of the text is known (the placemarks of that part are in the
/// error's `userInfo`, under `SextantPartialPlacemarks`), `CLError.network` if there is no table, and
/// `CLError.geocodeCanceled` for a cancelled request. A second request during a pending one is refused with
/// `CLError.network`; the pending request goes on.
open class CLGeocoder: NSObject, @unchecked Sendable {
    // Safety: `Sendable` is unchecked because the class is open, as Apple's is; `pending` is behind a mutex, and `work`
    // is set before the first use.
    private let pending = Mutex<GeocodingRequest?>(nil)
    private var work = GeocodingWork.installed

    /// Makes a geocoder that uses the board's geocoding service and the installed tables of places.
    public override init() { super.init() }

    /// Makes a geocoder that uses another service and other tables of places, for tests.
    convenience init(_ work: GeocodingWork) {
        self.init()
        self.work = work
    }

    /// Whether a request is pending.
    open var isGeocoding: Bool { pending.withLock { $0 != nil } }

    /// Ends the pending request with `CLError.geocodeCanceled`; does nothing if no request is pending.
    open func cancelGeocode() {
        guard let request = pending.withLock({ $0 }) else { return }
        finish(request, .failure(GeocodingWork.Failure(code: .geocodeCanceled)))
    }

    open func reverseGeocodeLocation(
        _ location: CLLocation, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        reverse(location, nil, completionHandler)
    }

    open func reverseGeocodeLocation(
        _ location: CLLocation, preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        reverse(location, locale, completionHandler)
    }

    open func geocodeAddressString(
        _ addressString: String, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        forward(addressString, nil, nil, completionHandler)
    }

    open func geocodeAddressString(
        _ addressString: String, in region: CLRegion?, completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        forward(addressString, CLGeocoder.hint(region), nil, completionHandler)
    }

    /// - Parameter region: Places in this circular region come first; places elsewhere follow.
    open func geocodeAddressString(
        _ addressString: String, in region: CLRegion?, preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        forward(addressString, CLGeocoder.hint(region), locale, completionHandler)
    }

    open func geocodeAddressString(
        _ addressString: String, inRegionCenteredAt centroid: CLLocationCoordinate2D?,
        inRegionRadius radius: CLLocationDistance, preferredLocale locale: Locale?,
        completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        let hint = centroid.flatMap {
            PlaceQuestion.Hint(latitude: $0.latitude, longitude: $0.longitude, radius: radius)
        }
        forward(addressString, hint, locale, completionHandler)
    }

    @available(*, deprecated, message: "use geocodeAddressString")
    open func geocodeAddressDictionary(
        _ addressDictionary: [AnyHashable: Any], completionHandler: @escaping CLGeocodeCompletionHandler
    ) {
        let parts = ["Street", "City", "State", "ZIP", "Country"].compactMap { addressDictionary[$0] as? String }
        forward(parts.joined(separator: ", "), nil, nil, completionHandler)
    }

    private static func hint(_ region: CLRegion?) -> PlaceQuestion.Hint? {
        guard let circle = region as? CLCircularRegion else { return nil }
        return PlaceQuestion.Hint(
            latitude: circle.center.latitude, longitude: circle.center.longitude, radius: circle.radius)
    }

    private func reverse(_ location: CLLocation, _ locale: Locale?, _ handler: @escaping CLGeocodeCompletionHandler) {
        let place = location.coordinate
        guard PlaceRules.isPlace(latitude: place.latitude, longitude: place.longitude) else {
            return request(nil, locale, handler)
        }
        request(.reverse(latitude: place.latitude, longitude: place.longitude, of: location), locale, handler)
    }

    private func forward(
        _ text: String, _ hint: PlaceQuestion.Hint?, _ locale: Locale?, _ handler: @escaping CLGeocodeCompletionHandler
    ) {
        request(.forward(PlaceQuestion(text, hint: hint)), locale, handler)
    }

    /// - Parameter question: What to look up; nil for a request that has no answer, such as one for an invalid
    ///   coordinate.
    private func request(
        _ question: GeocodingWork.Question?, _ locale: Locale?, _ handler: @escaping CLGeocodeCompletionHandler
    ) {
        let request = GeocodingRequest(handler)
        let isFirst = pending.withLock { pending in
            // A request whose result is decided, such as a cancelled one, does not block a new request.
            guard pending?.isOver ?? true else { return false }
            pending = request
            return true
        }
        guard isFirst else {
            let text = "this geocoder has a request under way"
            return finish(request, .failure(GeocodingWork.Failure(code: .network, text: text)))
        }
        guard let question else {
            return finish(request, .failure(GeocodingWork.Failure(code: .geocodeFoundNoResult)))
        }
        work.ask(question, locale, unless: { request.isOver }) { [self] result in
            finish(request, result)
        }
    }

    /// Ends a request by calling its handler on the main queue, unless the request has ended already.
    private func finish(
        _ request: GeocodingRequest, _ result: Result<[PlaceDescription], GeocodingWork.Failure>
    ) {
        guard request.takeEnd() else { return }
        DispatchQueue.main.async { [self] in
            pending.withLock { if $0 === request { $0 = nil } }
            request.complete(result)
        }
    }
}

// Each async method calls the method that takes a handler, so a subclass only needs to override the latter.
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

    public func geocodeAddressString(
        _ addressString: String, inRegionCenteredAt centroid: CLLocationCoordinate2D?,
        inRegionRadius radius: CLLocationDistance, preferredLocale locale: Locale?
    ) async throws -> [CLPlacemark] {
        try await placemarks {
            geocodeAddressString(
                addressString, inRegionCenteredAt: centroid, inRegionRadius: radius, preferredLocale: locale,
                completionHandler: $0)
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
