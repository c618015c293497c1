public import Foundation
internal import SextantPlaces
internal import Synchronization

/// The handler of a geocoding request's result: placemarks, or an error, never both.
public typealias CLGeocodeCompletionHandler = ([CLPlacemark]?, (any Error)?) -> Void

/// Finds the names of a place, or the place of a name, by the board's geocoder and the tables that are installed.
///
/// `preferredLocale` chooses the language and the script of the country's name: zh_Hant_TW gives traditional Chinese, and
/// so does zh_TW, since a locale that names no script has that of its region. Where no such name is known, the country has
/// the name in the installed tables, which is English. A server is asked for all names in that language and script, and
/// may answer in another script of the language where it knows no better.
///
/// No authorization is needed, and none is asked for: the tables are read in this process, without the daemon, if the
/// program's package depends on this one with the trait `Geocoding`. Names are looked for near the newest location that
/// the program was given, unless it names a region. Where the
/// board's owner has named a server, the program sextant-geocoder asks it first; where it has no answer within 10 s, that
/// of the tables stands, without an error. Too many lookups for the server are `CLError.network` with the seconds to wait
/// in its `userInfo`, under `SextantRetryAfter`. A request
/// ends exactly once, on the main queue, after the call that made it has returned: with placemarks, the best first, or
/// with an error. That is `CLError.geocodeFoundNoResult` where there is no such place,
/// `CLError.geocodeFoundPartialResult` where only a part of the text is known (the placemarks of that part are in its
/// `userInfo`, under `SextantPartialPlacemarks`), `CLError.network` without a table, and `CLError.geocodeCanceled` for a
/// cancelled request. A second request beside a pending one is refused with `CLError.network` and does not disturb the
/// first.
open class CLGeocoder: NSObject, @unchecked Sendable {
    // Safety: the class is open as Apple's is; `pending` is behind the mutex, and `work` is set before the first use.
    private let pending = Mutex<GeocodingRequest?>(nil)
    private var work = GeocodingWork.installed

    /// A geocoder that asks what is installed.
    public override init() { super.init() }

    /// A geocoder that asks something else.
    convenience init(_ work: GeocodingWork) {
        self.init()
        self.work = work
    }

    /// Whether a request is under way.
    open var isGeocoding: Bool { pending.withLock { $0 != nil } }

    /// Ends the request under way with `CLError.geocodeCanceled`; does nothing where there is no request.
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

    /// - Parameter region: Its places come first; the others still follow.
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

    /// - Parameter question: Nil where it can have no answer.
    private func request(
        _ question: GeocodingWork.Question?, _ locale: Locale?, _ handler: @escaping CLGeocodeCompletionHandler
    ) {
        let request = GeocodingRequest(handler)
        let isFirst = pending.withLock { pending in
            guard pending == nil else { return false }
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

    /// Ends a request on the main queue, where it has not ended yet.
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
