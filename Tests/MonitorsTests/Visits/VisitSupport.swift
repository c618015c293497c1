import Fusion
import Monitors
import SextantUnits
import Simulation

/// A walk of fixes over a flat map about 47° N 8° E, and what the monitor makes of them.
struct VisitWalk {
    var monitor = VisitMonitor()
    var events: [VisitEvent] = []
    /// Seconds after boot.
    var now = 1000.0
    var here = LocalPoint(east: 0, north: 0)
    /// Seconds.
    var interval = 5.0
    private var noise = Noise(seed: 7)

    static let frame = LocalFrame(latitude: 47, longitude: 8)

    var arrivals: [VisitEvent] { events.filter { $0.kind == .arrival } }
    var departures: [VisitEvent] { events.filter { $0.kind == .departure } }

    /// A fix so many metres off from where the board is.
    mutating func fix(off east: Double = 0, _ north: Double = 0, accuracy: Double = 10) {
        let point = LocalPoint(
            east: here.east + east + noise.error(accuracy: 4), north: here.north + north + noise.error(accuracy: 4))
        monitor.found(VisitWalk.location(point, at: now, accuracy: accuracy), into: &events)
    }

    static func location(_ point: LocalPoint, at seconds: Double, accuracy: Double = 10) -> FusedLocation {
        let coordinate = frame.coordinate(of: point)
        return FusedLocation(
            instant: at(seconds), latitude: coordinate.latitude, longitude: coordinate.longitude,
            covariance: HorizontalCovariance(accuracy: accuracy))
    }

    /// Stays where it is, with a fix every interval.
    mutating func stay(_ seconds: Double) {
        let end = now + seconds
        while now < end {
            fix()
            now += interval
        }
    }

    /// Lets time pass without a fix.
    mutating func wait(_ seconds: Double) {
        now += seconds
        monitor.advance(to: at(now), into: &events)
    }

    /// Goes to a place, with a fix every interval.
    mutating func go(east: Double, north: Double, speed: Double) {
        let goal = LocalPoint(east: east, north: north)
        while here.distance(to: goal) > speed * interval {
            let share = speed * interval / here.distance(to: goal)
            here.east += share * (goal.east - here.east)
            here.north += share * (goal.north - here.north)
            fix()
            now += interval
        }
        here = goal
    }

    /// What came of it is saved, and the daemon starts anew on a board whose clock began later.
    mutating func restart(clockBehind seconds: Double = 0) -> Bool {
        let record = monitor.encode(offset: 1_795_000_000_000_000_000)
        let offset = 1_795_000_000_000_000_000 + Int64(seconds * 1e9)
        guard let restored = VisitMonitor(decoding: record.span, offset: offset) else { return false }
        monitor = restored
        now -= seconds
        return true
    }
}

/// Seconds after boot.
func seconds(_ instant: MonotonicInstant?) -> Double { Double(instant?.nanoseconds ?? -1) * 1e-9 }

/// Follows a synthetic day to its end.
func follow(_ fixes: [MeasuredFix], until end: Double, with monitor: VisitMonitor = VisitMonitor()) -> [VisitEvent] {
    var monitor = monitor
    var events: [VisitEvent] = []
    for fix in fixes { monitor.found(location(fix), into: &events) }
    monitor.advance(to: at(end), into: &events)
    return events
}

func location(_ fix: MeasuredFix) -> FusedLocation {
    FusedLocation(
        instant: at(fix.time), latitude: fix.latitude, longitude: fix.longitude,
        covariance: HorizontalCovariance(accuracy: fix.horizontalAccuracy))
}

/// The visits that events tell of; one without a departure lasts to the end.
func spans(_ events: [VisitEvent], until end: Double) -> [VisitSpan] {
    let departures = events.filter { $0.kind == .departure }
    return events.filter { $0.kind == .arrival }.map { arrival in
        let departure = departures.first { $0.visit == arrival.visit }
        return VisitSpan(
            arrival: seconds(arrival.since), departure: departure.map { seconds($0.departure) } ?? end,
            latitude: arrival.latitude, longitude: arrival.longitude, place: Int(arrival.place))
    }
}
