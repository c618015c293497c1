internal import Fusion
internal import Monitors
internal import SextantUnits
internal import Simulation

/// Simulates drives through a circular region that is narrower than the distance travelled between two fixes.
enum PassingMeasurement {
    struct Outcome {
        var passings = 0
        /// The number of drives for which neither entry nor exit was reported.
        var missed = 0
        /// The number of drives with any other reports than one entry followed by one exit.
        var wrong = 0
        /// The largest error of a reported entry's or exit's time, in seconds.
        var error = 0.0
    }

    /// Simulates drives through a circle at 30 m/s with a fix every 5 s.
    ///
    /// - Parameters:
    ///   - radius: The circle's radius, in metres.
    ///   - chord: The length of the part of the drive inside the circle, as a fraction of the diameter.
    ///   - deviation: The standard deviation of the fixes' errors on each axis, in metres; 0 for none.
    static func run(radius: Double, chord: Double, deviation: Double, count: Int) -> Outcome {
        var outcome = Outcome()
        for phase in 0..<count {
            let start = -3000 - 150 * Double(phase) / Double(count)
            pass(radius, chord, deviation, start: start, seed: UInt64(phase), &outcome)
        }
        return outcome
    }

    private static func pass(
        _ radius: Double, _ chord: Double, _ deviation: Double, start: Double, seed: UInt64, _ outcome: inout Outcome
    ) {
        var monitor = RegionMonitor()
        _ = monitor.add(
            MonitoredRegion(
                .circle(
                    latitude: RuleCircle.frame.latitude, longitude: RuleCircle.frame.longitude, radius: radius)))
        var noise = PositionNoise(seed: seed, deviation: deviation)
        var events: [RegionEvent] = []
        let offset = radius * (1 - chord * chord).squareRoot()
        for second in stride(from: 0.0, to: 240, by: 5) {
            let error = noise.next(after: 5)
            let position = LocalPoint(east: start + 30 * second + error.east, north: offset + error.north)
            let (latitude, longitude) = RuleCircle.frame.coordinate(of: position)
            monitor.found(
                FusedLocation(
                    instant: MonotonicInstant(nanoseconds: Int64(second * 1e9)), latitude: latitude,
                    longitude: longitude, covariance: HorizontalCovariance(accuracy: max(3, error.accuracy))),
                into: &events)
        }
        outcome.passings += 1
        let kinds = events.map(\.kind)
        if kinds == [.determined(isInside: false)] { return outcome.missed += 1 }
        guard kinds == [.determined(isInside: false), .entered, .exited] else { return outcome.wrong += 1 }
        let half = radius * chord
        for (event, position) in zip(events[1...], [-half, half]) {
            let seconds = Double(event.crossing.nanoseconds) / 1e9
            outcome.error = max(outcome.error, abs(seconds - (position - start) / 30))
        }
    }
}
