public import GNSS
public import Power
public import SextantUnits

/// Chooses the fixes that one client gets.
///
/// After the first fix, a fix passes only if enough time has passed since the last one delivered, and if it is far
/// enough from that one or clearly more accurate.
public struct DeliveryFilter: Sendable, Equatable {
    private struct Delivered: Sendable, Equatable {
        var latitude: Double
        var longitude: Double
        var horizontalAccuracy: Double?
        var instant: MonotonicInstant
    }

    /// The least distance in metres between two delivered fixes; nil for no limit.
    public var distance: Double?
    /// The least time in seconds between two delivered fixes; nil for no limit.
    public var minimumInterval: Double?
    private var last: Delivered?

    /// A fix closer than the least distance passes if its accuracy figure is less than `ratio` times that of the last
    /// fix delivered, and smaller by at least `metres`.
    ///
    /// Core Location says only that an improvement passes; without a bound, 4.9 m after 5.0 m would pass.
    private static let improvement = (ratio: 0.9, metres: 1.0)

    public init(_ settings: LocationSettings) {
        distance = settings.distanceFilter
        minimumInterval = settings.minimumInterval
    }

    /// Takes new limits; the next fix is still compared with the last one delivered.
    public mutating func change(to settings: LocationSettings) {
        distance = settings.distanceFilter
        minimumInterval = settings.minimumInterval
    }

    /// Whether a fix has a position, with coordinates in their valid range and an accuracy that is not negative.
    public static func isValid(_ fix: Fix) -> Bool {
        guard fix.hasPosition, let latitude = fix.latitude, let longitude = fix.longitude else { return false }
        return abs(latitude) <= 90 && abs(longitude) <= 180 && fix.horizontalAccuracy ?? 0 >= 0
    }

    /// Whether the client gets this fix; a fix that passes becomes the one with which later fixes are compared.
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
        return instant.seconds(since: last.instant) >= minimumInterval
    }

    private func isBetter(_ fix: Fix, than last: Delivered) -> Bool {
        guard let old = last.horizontalAccuracy, let new = fix.horizontalAccuracy else { return false }
        return new < old * DeliveryFilter.improvement.ratio && old - new >= DeliveryFilter.improvement.metres
    }
}
