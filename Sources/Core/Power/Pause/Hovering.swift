internal import GNSS
internal import SextantUnits

/// Finds the instant since which a flying board has neither moved over ground nor climbed.
///
/// The limits of speed and height are our own; Core Location publishes none.
struct Hovering: Sendable, Equatable {
    /// The speed over ground, in metres per second, below which a flying board may be hovering.
    static let speedLimit = 2.0
    /// The metres by which the height of a hovering board varies at most.
    static let heightLimit = 10.0

    private(set) var since: MonotonicInstant?
    private(set) var latest: MonotonicInstant?
    private var lowest = 0.0
    private var highest = 0.0

    /// Takes a fix; a fix without speed or height counts as not hovering.
    mutating func add(_ fix: Fix, at instant: MonotonicInstant) {
        latest = instant
        guard let speed = fix.speed, speed < Hovering.speedLimit, let height = Hovering.height(of: fix) else {
            since = nil
            return
        }
        let (low, high) = since == nil ? (height, height) : (min(lowest, height), max(highest, height))
        guard since != nil, high - low < Hovering.heightLimit else {
            since = instant
            lowest = height
            highest = height
            return
        }
        lowest = low
        highest = high
    }

    /// The height in metres above the ellipsoid or, if the fix lacks that, above mean sea level; for differences only.
    static func height(of fix: Fix) -> Double? { fix.heightAboveEllipsoid ?? fix.altitudeAboveMeanSeaLevel }
}
