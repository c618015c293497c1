internal import SextantUnits

/// Finds the instant since which positions have stayed within a radius of each other.
///
/// The mean positions of the last 16 spans of time, each a fifteenth of the shortest rest, are compared; so a single
/// outlier changes little, and a board that goes in circles counts as moving.
struct RestingPlace: Sendable, Equatable {
    /// The sum of the positions in one span of time, as offsets in degrees from the span's first position.
    private struct Span: Sendable, Equatable {
        var began: MonotonicInstant
        var latitude: Double
        var longitude: Double
        var north = 0.0
        var east = 0.0
        var count = 1.0

        var meanLatitude: Double { latitude + north / count }
        var meanLongitude: Double { LocalFrame.wrapped(longitude + east / count) }
    }

    private static let maximumSpans = 16
    private let spanLength: Int64
    private var spans: [Span] = []
    /// When the last position came.
    private(set) var latest: MonotonicInstant?
    /// The instant since which the board has rested at its present place.
    private(set) var since: MonotonicInstant?

    /// - Parameter length: Nanoseconds that a rest must last to be recognized.
    init(over length: Int64) {
        spanLength = length / Int64(RestingPlace.maximumSpans - 1)
        spans.reserveCapacity(RestingPlace.maximumSpans)
    }

    /// The board's mean position in the newest span of time, in degrees.
    var place: (latitude: Double, longitude: Double)? { spans.last.map { ($0.meanLatitude, $0.meanLongitude) } }

    mutating func add(latitude: Double, longitude: Double, at instant: MonotonicInstant, radius: Double) {
        latest = instant
        if let last = spans.indices.last, instant.nanoseconds(since: spans[last].began) < spanLength {
            spans[last].north += latitude - spans[last].latitude
            spans[last].east += LocalFrame.wrapped(longitude - spans[last].longitude)
            spans[last].count += 1
        } else {
            if spans.count == RestingPlace.maximumSpans { spans.removeFirst() }
            spans.append(Span(began: instant, latitude: latitude, longitude: longitude))
        }
        since = beginning(radius: radius)
    }

    mutating func clear() {
        spans.removeAll(keepingCapacity: true)
        latest = nil
        since = nil
    }

    /// The beginning of the longest unbroken run of time spans, ending with the newest, in which each span's mean
    /// position lies within the radius of the newest span's.
    private func beginning(radius: Double) -> MonotonicInstant? {
        guard let newest = spans.last else { return nil }
        var began = newest.began
        for span in spans.reversed() {
            let distance = GreatCircle.distance(
                fromLatitude: newest.meanLatitude, longitude: newest.meanLongitude, toLatitude: span.meanLatitude,
                longitude: span.meanLongitude)
            guard distance <= radius else { break }
            began = span.began
        }
        return began
    }
}
