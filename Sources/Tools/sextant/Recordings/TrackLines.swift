internal import ClientProtocol
internal import Configuration
internal import Fusion
internal import Monitors
internal import SextantJSON
internal import SextantUnits

/// Writes the events of a track as JSON, one object per line; times are the tables' times, in Unix seconds.
struct TrackLines {
    private let regions: [RegionFeature]
    private let beacons: [String]
    private let hasVisits: Bool

    /// - Parameters:
    ///   - regions: The regions; an event names its region by the index in this array.
    ///   - beacons: The names of the beacon regions; a beacon event names its region by the index in this array.
    init(regions: [RegionFeature], beacons: [String], hasVisits: Bool) {
        self.regions = regions
        self.beacons = beacons
        self.hasVisits = hasVisits
    }

    /// Whether the user asked for this kind of event.
    func isTold(_ event: TrackEvent) -> Bool {
        switch event {
        case .location, .significantChange: true
        case .visit: hasVisits
        case .region(let region):
            switch region.kind {
            case .determined: false
            case .entered: feature(region).notifyOnEntry
            case .exited: feature(region).notifyOnExit
            case .dwelled: true
            }
        }
    }

    func append(_ event: TrackEvent, to text: inout TextBuffer) {
        text.beginObject()
        switch event {
        case .location(let location): append(location, to: &text)
        case .region(let event): append(event, to: &text)
        case .visit(let event): append(event, to: &text)
        case .significantChange(let place, let measured, let confirmed):
            text.member("\"event\":", literal: "significantChange")
            time("\"time\":", measured, to: &text)
            time("\"confirmed\":", confirmed, to: &text)
            position(place.latitude, place.longitude, to: &text)
            text.member("\"horizontalAccuracy\":", place.accuracy, decimals: 3)
        }
        text.endObject()
        text.append(0x0A)
    }

    func append(_ event: BeaconTrack.Event, to text: inout TextBuffer) {
        text.beginObject()
        switch event {
        case .near(let near, let region, let instant):
            text.member("\"event\":", literal: "beacons")
            text.member("\"region\":", region.map { beacons[$0] })
            time("\"time\":", instant, to: &text)
            text.beginArray("\"beacons\":")
            for beacon in near { ClientEvent.append(beacon, to: &text) }
            text.endArray()
        case .region(let event, let confirmed): append(event, confirmed, to: &text)
        }
        text.endObject()
        text.append(0x0A)
    }

    private func append(_ event: BeaconMonitor.Event, _ confirmed: MonotonicInstant, to text: inout TextBuffer) {
        let (name, isInside): (StaticString, Bool?) =
            switch event.kind {
            case .determined(let isInside): ("regionDetermined", isInside)
            case .entered: ("regionEnter", nil)
            case .exited: ("regionExit", nil)
            case .dwelled: ("regionDwell", nil)
            }
        text.member("\"event\":", literal: name)
        text.member("\"region\":", beacons[Int(event.slot.index)])
        if let isInside { text.member("\"state\":", literal: isInside ? "inside" : "outside") }
        if let instant = event.instant { time("\"time\":", instant, to: &text) }
        time("\"confirmed\":", confirmed, to: &text)
        if let beacon = event.beacon { ClientEvent.append(beacon, to: &text) }
    }

    private func append(_ location: FusedLocation, to text: inout TextBuffer) {
        text.member("\"event\":", literal: "location")
        time("\"time\":", location.instant, to: &text)
        position(location.latitude, location.longitude, to: &text)
        text.member("\"horizontalAccuracy\":", location.horizontalAccuracy, decimals: 3)
        text.member("\"speed\":", location.velocity?.speed, decimals: 3)
        if let heading = location.heading, heading.source == .course {
            text.member("\"course\":", heading.degrees, decimals: 1)
        }
        if location.support == .coasting { text.member("\"coasting\":", true) }
    }

    private func append(_ event: RegionEvent, to text: inout TextBuffer) {
        let name: StaticString =
            switch event.kind {
            case .determined: "regionDetermined"
            case .entered: "regionEnter"
            case .exited: "regionExit"
            case .dwelled: "regionDwell"
            }
        text.member("\"event\":", literal: name)
        text.member("\"region\":", feature(event).id)
        time("\"time\":", event.crossing, to: &text)
        time("\"confirmed\":", event.confirmed, to: &text)
        position(event.latitude, event.longitude, to: &text)
    }

    private func append(_ event: VisitEvent, to text: inout TextBuffer) {
        text.member("\"event\":", literal: event.kind == .arrival ? "visitArrival" : "visitDeparture")
        text.member("\"visit\":", Int(clamping: event.visit))
        text.member("\"place\":", Int(clamping: event.place))
        time("\"arrival\":", event.since, to: &text)
        // If the time of arrival is unknown, the stay began before the track.
        if event.arrival == nil { text.member("\"arrivalIsEarlier\":", true) }
        if let departure = event.departure { time("\"departure\":", departure, to: &text) }
        time("\"confirmed\":", event.confirmed, to: &text)
        position(event.latitude, event.longitude, to: &text)
        text.member("\"horizontalAccuracy\":", event.horizontalAccuracy, decimals: 3)
        text.member("\"confidence\":", event.confidence, decimals: 2)
    }

    private func feature(_ event: RegionEvent) -> RegionFeature { regions[Int(event.slot.index)] }

    private func position(_ latitude: Double, _ longitude: Double, to text: inout TextBuffer) {
        text.member("\"latitude\":", latitude, decimals: 9)
        text.member("\"longitude\":", longitude, decimals: 9)
    }

    /// Appends a time in seconds, with three decimals.
    private func time(_ key: StaticString, _ instant: MonotonicInstant, to text: inout TextBuffer) {
        let (quotient, rest) = instant.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        text.append(key)
        text.append(quotient + (rest >= 500_000 ? 1 : rest < -500_000 ? -1 : 0), decimals: 3)
        text.append(0x2C)
    }
}

extension TrackEvent {
    /// The time at which the event became certain.
    var confirmed: MonotonicInstant {
        switch self {
        case .location(let location): location.instant
        case .region(let event): event.confirmed
        case .visit(let event): event.confirmed
        case .significantChange(_, _, let confirmed): confirmed
        }
    }
}

/// How many of a table's fixes gave no location, by reason, as a line of text.
enum SkippedFixes {
    /// A line of text that says how many fixes gave no location and why; nil if every fix gave a location.
    static func line(_ counters: FilterCounters, timeless: UInt64, of count: UInt64) -> String? {
        var parts = FixRefusal.allCases.compactMap { refusal in
            counters[refusal] > 0 ? "\(counters[refusal]) \(words(refusal))" : nil
        }
        if timeless > 0 { parts.append("\(timeless) at an impossible time") }
        guard !parts.isEmpty else { return nil }
        return "\(counters.rejected + timeless) of \(count) fixes were not taken: \(parts.joined(separator: ", "))"
    }

    private static func words(_ refusal: FixRefusal) -> String {
        switch refusal {
        case .notANumber: "not a number"
        case .outOfRange: "out of range"
        case .negativeAccuracy: "with a negative accuracy"
        case .hopelessAccuracy: "with an accuracy over 100 km"
        case .stale: "older than the one before"
        case .duplicate: "there twice"
        case .tooSoon: "too soon after the one before"
        case .outlier: "too far from where the board can be"
        }
    }
}
