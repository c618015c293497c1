internal import SextantUnits

/// A position fix as a GNSS receiver would report it.
public struct MeasuredFix: Sendable, Hashable {
    /// The time of the fix in Unix seconds.
    public var time: Double
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double
    /// The radius that the receiver claims to hold 68 % of the errors, rightly or wrongly; metres.
    public var horizontalAccuracy: Double

    public init(time: Double, latitude: Double, longitude: Double, horizontalAccuracy: Double) {
        self.time = time
        self.latitude = latitude
        self.longitude = longitude
        self.horizontalAccuracy = horizontalAccuracy
    }
}

/// A stay at a place, either a true one or one that a program found.
public struct VisitSpan: Sendable, Hashable {
    /// The time of the arrival in Unix seconds.
    public var arrival: Double
    /// The time of the departure in Unix seconds.
    public var departure: Double
    /// The latitude of the place's middle, in degrees.
    public var latitude: Double
    /// The longitude of the place's middle, in degrees.
    public var longitude: Double
    /// The number of the place; a place has the same number on every day.
    public var place: Int
    /// Whether there are fixes shortly before and shortly after the arrival, so that a program can find it.
    public var isArrivalSeen = true
    public var isDepartureSeen = true

    public init(arrival: Double, departure: Double, latitude: Double, longitude: Double, place: Int) {
        self.arrival = arrival
        self.departure = departure
        self.latitude = latitude
        self.longitude = longitude
        self.place = place
    }
}

/// One or more invented days of one person who visits places: the measured fixes, the true positions and the true
/// visits.
public struct VisitDay: Sendable {
    public var fixes: [MeasuredFix]
    public var truth: [TruthPoint]
    /// The true stays of at least 5 minutes.
    public var visits: [VisitSpan]

    /// Invents the days; the same seed and conditions give the same days.
    public init(seed: UInt64, regime: VisitRegime) {
        var outing = VisitOuting(seed: seed, regime: regime)
        let steps = outing.steps()
        var receiver = VisitReceiver(seed: seed, regime: regime)
        fixes = receiver.fixes(along: steps)
        truth = steps.map { VisitDay.point($0.place, at: $0.time) }
        visits = outing.stays.map { stay in
            let point = VisitDay.point(stay.place, at: stay.arrival)
            var span = VisitSpan(
                arrival: stay.arrival + VisitDay.start, departure: stay.departure + VisitDay.start,
                latitude: point.latitude, longitude: point.longitude, place: stay.number)
            span.isArrivalSeen = stay.arrival > 0
            span.isDepartureSeen = stay.departure < outing.end
            return span
        }
        markUnseen(interval: regime.interval)
    }

    /// Unix seconds of the first midnight.
    static let start = 1_760_659_200.0

    static func point(_ place: Place, at time: Double) -> TruthPoint {
        TruthPoint(
            time: start + time, latitude: 48.137 + place.north / 111_195,
            longitude: 11.575 + place.east / 74_280)
    }

    /// Marks the arrivals and departures without fixes shortly before and after, because no program can find them.
    private mutating func markUnseen(interval: Double) {
        for index in visits.indices {
            visits[index].isArrivalSeen = visits[index].isArrivalSeen && isSeen(visits[index].arrival, interval)
            visits[index].isDepartureSeen = visits[index].isDepartureSeen && isSeen(visits[index].departure, interval)
        }
    }

    /// Whether there are fixes both shortly before and shortly after a time.
    private func isSeen(_ time: Double, _ interval: Double) -> Bool {
        let reach = max(60, 2 * interval)
        let next = fixes.partitioningIndex { $0.time >= time }
        guard next > 0, next < fixes.count else { return false }
        return time - fixes[next - 1].time <= reach && fixes[next].time - time <= reach
    }
}
