internal import AllocationCounter
internal import Fusion
internal import Monitors
internal import SextantUnits
internal import Simulation

/// The visits that the daemon's visit monitor finds in one trace of fixes.
struct VisitRun {
    /// The visits found; a visit whose departure was not reported lasts to the end of the trace.
    var found: [VisitSpan] = []
    /// Descriptions of contradictory events: a visit that begins before the previous one has ended, an arrival in the
    /// future, or a departure that does not match its arrival.
    var faults: [String] = []
    /// For each visit, the seconds from the arrival until the monitor reported it.
    var arrivalDelays: [Double] = []
    var departureDelays: [Double] = []
    var events: [VisitEvent] = []
    var nanosecondsPerFix = 0.0
    /// The number of the monitor's heap allocations during the trace.
    var allocations = 0

    private var open: VisitEvent?

    init(_ fixes: [MeasuredFix], until end: Double, settings: VisitSettings = VisitSettings()) {
        var monitor = VisitMonitor(settings)
        events.reserveCapacity(1024)
        let locations = fixes.map(VisitRun.location)
        let allocated = allocation_count()
        let begin = ProcessorClock.seconds
        for location in locations {
            monitor.found(location, into: &events)
        }
        monitor.advance(to: MonotonicInstant(nanoseconds: Int64(end * 1000) * 1_000_000), into: &events)
        allocations = Int(allocation_count() - allocated)
        nanosecondsPerFix = (ProcessorClock.seconds - begin) * 1e9 / Double(max(1, fixes.count))
        for event in events { take(event) }
        if let open { found.append(VisitRun.span(open, until: end)) }
    }

    static func location(_ fix: MeasuredFix) -> FusedLocation {
        FusedLocation(
            instant: MonotonicInstant(nanoseconds: Int64((fix.time * 1000).rounded()) * 1_000_000),
            latitude: fix.latitude, longitude: fix.longitude,
            covariance: HorizontalCovariance(accuracy: fix.horizontalAccuracy))
    }

    private mutating func take(_ event: VisitEvent) {
        let confirmed = seconds(event.confirmed)
        switch event.kind {
        case .arrival:
            if open != nil { faults.append("visit \(event.visit) begins before the last one ended") }
            arrivalDelays.append(confirmed - seconds(event.since))
            if event.since > event.confirmed { faults.append("visit \(event.visit) begins in the future") }
            open = event
        case .departure:
            guard let arrival = open, arrival.visit == event.visit, arrival.since == event.since,
                arrival.place == event.place, let departure = event.departure, departure <= event.confirmed,
                departure >= event.since
            else {
                faults.append("the departure of visit \(event.visit) does not fit its arrival")
                return
            }
            departureDelays.append(confirmed - seconds(departure))
            found.append(VisitRun.span(event, until: seconds(departure)))
            open = nil
        }
    }

    private func seconds(_ instant: MonotonicInstant) -> Double { Double(instant.nanoseconds) * 1e-9 }

    private static func span(_ event: VisitEvent, until end: Double) -> VisitSpan {
        VisitSpan(
            arrival: Double(event.since.nanoseconds) * 1e-9, departure: end, latitude: event.latitude,
            longitude: event.longitude, place: Int(event.place))
    }
}
