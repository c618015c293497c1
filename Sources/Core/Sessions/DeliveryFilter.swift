public import GNSS
public import Power
public import Units

/// Which fixes one client gets: those far enough from the last it got, or materially better, and not too soon.
public struct DeliveryFilter: Sendable, Equatable {
    private struct Delivered: Sendable, Equatable {
        var latitude: Double
        var longitude: Double
        var horizontalAccuracy: Double?
        var instant: MonotonicInstant
    }

    /// Metres; nil for every fix.
    public var distance: Double?
    /// Seconds; nil for every fix.
    public var minimumInterval: Double?
    private var last: Delivered?

    /// By how much of the last accuracy, and by how many metres, a fix must be better to pass in spite of the distance.
    ///
    /// Core Location says only that an improvement passes; without a bound 4.9 m after 5.0 m would.
    private static let improvement = (ratio: 0.9, metres: 1.0)

    public init(_ settings: LocationSettings) {
        distance = settings.distanceFilter
        minimumInterval = settings.minimumInterval
    }

    /// Takes other bounds; what was delivered stays what the next fix is compared with.
    public mutating func change(to settings: LocationSettings) {
        distance = settings.distanceFilter
        minimumInterval = settings.minimumInterval
    }

    /// Whether a fix says where the receiver is, in coordinates that exist and with an accuracy that can be.
    public static func isValid(_ fix: Fix) -> Bool {
        guard fix.hasPosition, let latitude = fix.latitude, let longitude = fix.longitude else { return false }
        return abs(latitude) <= 90 && abs(longitude) <= 180 && fix.horizontalAccuracy ?? 0 >= 0
    }

    /// Whether a fix is for the client; one that passes is the one that the next is compared with.
    public mutating func passes(_ fix: Fix, at instant: MonotonicInstant) -> Bool {
        guard DeliveryFilter.isValid(fix), let latitude = fix.latitude, let longitude = fix.longitude else {
            return false
        }
        if let last, !isDue(after: last, at: instant) { return false }
        if let last, let distance, !isBetter(fix, than: last) {
            let moved = Geodesic.distance(
                fromLatitude: last.latitude, longitude: last.longitude, toLatitude: latitude, longitude: longitude)
            guard moved >= distance else { return false }
        }
        last = Delivered(
            latitude: latitude, longitude: longitude, horizontalAccuracy: fix.horizontalAccuracy, instant: instant)
        return true
    }

    private func isDue(after last: Delivered, at instant: MonotonicInstant) -> Bool {
        guard let minimumInterval else { return true }
        return Double(instant.nanoseconds(since: last.instant)) * 1e-9 >= minimumInterval
    }

    private func isBetter(_ fix: Fix, than last: Delivered) -> Bool {
        guard let old = last.horizontalAccuracy, let new = fix.horizontalAccuracy else { return false }
        return new < old * DeliveryFilter.improvement.ratio && old - new >= DeliveryFilter.improvement.metres
    }
}
