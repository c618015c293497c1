internal import ClientVocabulary
internal import GNSS
internal import Parts
internal import Power
internal import SextantUnits

/// A deferral in progress: a session's fixes are held back until a time has passed or the board has moved a distance.
struct DeferralTerm: Sendable, Equatable {
    /// The identifier that the client gave its request for the deferral.
    let id: String?
    /// Whether fixes are held back only while the client is in the background; the deferral's time and distance go on
    /// counting in the foreground.
    let onlyInBackground: Bool
    private let distance: Double?
    private let start: MonotonicInstant
    private let timeout: Double?
    private var origin: Deferral.Place?

    /// - Parameters:
    ///   - deferral: The time and the distance that the client asked for; if one of them is nil, it never ends the
    ///     deferral.
    ///   - fix: The board's present position; nil where it is not known. The distance counts from the place that the
    ///     client named; if it named none, from this position; if this is nil too, from the first fix that follows.
    init(
        _ deferral: Deferral, onlyInBackground: Bool = false, id: String?, from fix: Fix?, at instant: MonotonicInstant
    ) {
        self.id = id
        self.onlyInBackground = onlyInBackground
        distance = deferral.distance
        timeout = deferral.timeout
        start = instant
        origin = deferral.origin ?? fix.flatMap { DeferralTerm.place(of: $0) }
    }

    /// The instant at which the deferral times out; nil for never.
    var deadline: MonotonicInstant? {
        // A timeout of more than about a century counts as none, because computing its deadline could overflow.
        guard let timeout, timeout < 3e9 else { return nil }
        return start.advanced(bySeconds: timeout)
    }

    /// Handles a fix that is meant for the client.
    ///
    /// - Returns: How the fix ends the deferral; nil where the deferral goes on.
    mutating func heard(_ fix: Fix) -> DeferralEnd? {
        guard let place = DeferralTerm.place(of: fix) else { return nil }
        guard let origin else {
            self.origin = place
            return nil
        }
        guard let distance else { return nil }
        let moved = Geodesic.distance(
            fromLatitude: origin.latitude, longitude: origin.longitude, toLatitude: place.latitude,
            longitude: place.longitude)
        return moved >= distance ? .distance : nil
    }

    private static func place(of fix: Fix) -> Deferral.Place? {
        guard DeliveryFilter.isValid(fix), let latitude = fix.latitude, let longitude = fix.longitude else {
            return nil
        }
        return Deferral.Place(latitude: latitude, longitude: longitude)
    }
}
