internal import Beacons
internal import Monitors
internal import SextantUnits

/// Evaluates recorded advertisements as the daemon does: which beacons are near in each second, and when the board
/// enters and leaves beacon regions.
///
/// It assumes that the radio has listened since the recording began, and that the board does not move.
struct BeaconTrack {
    enum Event {
        /// The beacons that are near at the end of a second, the nearest first.
        case near([RangedBeacon], region: Int?, MonotonicInstant)
        case region(BeaconMonitor.Event, confirmed: MonotonicInstant)
    }

    private let constraints: [BeaconConstraint]
    private var monitor = BeaconMonitor()
    private var ranging = BeaconRanging()
    /// For each region's constraint, whether its last report had a beacon.
    private var hadBeacons: [Bool]
    private let start: MonotonicInstant
    private var now: MonotonicInstant
    /// The end of the second whose report is due; nil while no beacon is near.
    private var next: MonotonicInstant?
    private var found: [BeaconMonitor.Event] = []
    /// The number of advertisements that were skipped because an earlier row of the table has a later time than theirs.
    private(set) var staleCount: UInt64 = 0

    private static let second: Int64 = 1_000_000_000
    /// The largest number of beacons in one report, the same as in the daemon.
    private static let most = 128

    /// - Parameters:
    ///   - constraints: Which beacons each region consists of; empty to report all beacons, without regions.
    ///   - start: When the radio began to listen.
    init(_ constraints: [BeaconConstraint], at start: MonotonicInstant) {
        self.constraints = constraints
        self.start = start
        now = start
        hadBeacons = [Bool](repeating: false, count: max(1, constraints.count))
        for constraint in constraints { _ = monitor.add(constraint, dwell: nil, state: nil, listened: 0) }
    }

    /// Advances the time to this instant, and appends each event that becomes due until then, with its own time.
    mutating func advance(to instant: MonotonicInstant, into events: inout [Event]) {
        while let due = deadline, due <= instant {
            now = due
            monitor.advance(to: due, listened: listened, into: &found)
            tellRegions(into: &events)
            if due == next { tellNearest(into: &events) }
        }
        now = max(now, instant)
    }

    /// Completes the current second.
    mutating func finish(into events: inout [Event]) { if let next { advance(to: next, into: &events) } }

    /// Handles an advertisement.
    mutating func heard(_ heard: RecordedAdvertisement, into events: inout [Event]) {
        guard heard.instant >= now else { return staleCount += 1 }
        advance(to: heard.instant, into: &events)
        monitor.heard(heard.beacon.identity, at: now, listened: listened, into: &found)
        tellRegions(into: &events)
        guard constraints.isEmpty || constraints.contains(where: { $0.matches(heard.beacon.identity) }) else { return }
        ranging.heard(heard.beacon, from: heard.sender, strength: heard.strength, isMoving: false, at: now)
        // The ends of the seconds are whole seconds after the recording's beginning.
        next = next ?? start.advanced(byNanoseconds: (listened / Self.second + 1) * Self.second)
    }

    private var listened: Int64 { now.nanoseconds(since: start) }

    private var deadline: MonotonicInstant? {
        mutating get { .earlier(monitor.deadline(isListening: true, listened: listened, at: now), next) }
    }

    private mutating func tellRegions(into events: inout [Event]) {
        for event in found { events.append(.region(event, confirmed: now)) }
        found.removeAll(keepingCapacity: true)
    }

    /// Appends a report of the nearest beacons for each constraint; when a constraint's beacons are gone, one empty
    /// report follows, and then none.
    private mutating func tellNearest(into events: inout [Event]) {
        for index in hadBeacons.indices {
            let region = constraints.isEmpty ? nil : index
            let near = ranging.nearest(Self.most, of: region.map { constraints[$0] }, at: now)
            if !near.isEmpty || hadBeacons[index] { events.append(.near(near, region: region, now)) }
            hadBeacons[index] = !near.isEmpty
        }
        ranging.beginSecond(at: now)
        next = ranging.count > 0 ? now.advanced(byNanoseconds: Self.second) : nil
    }
}
