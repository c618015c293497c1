internal import Beacons
internal import Monitors
internal import Parts
internal import SextantUnits

/// The reaches of beacons that are watched for clients' regions, and what the radio does for them.
struct BeaconReaches {
    /// The regions of the watched reaches, by the places of their slots.
    private var owners: [Int32: RegionOwner] = [:]
    private(set) var monitor = BeaconMonitor()
    /// How far away the beacons are of regions that want them near.
    private var distances = BeaconRanging()
    /// The events that the monitor found last.
    private(set) var found: [BeaconMonitor.Event] = []
    /// Whether the board moves, by its accelerometer.
    var isMoving = false
    /// The radio's last known state.
    private var radio = RadioState()
    /// Since when the radio has not listened although it should; nil while it does, or need not.
    private var deafSince: MonotonicInstant?
    /// Whether it is not known any more which beacons are in reach, because the radio has been off for long.
    private var hasForgotten = false
    /// The next instant at which time alone changes something.
    private(set) var deadline: MonotonicInstant?

    /// Nanoseconds without the radio after which it is not known any more which beacons are in reach.
    private static let deafness: Int64 = 30_000_000_000

    /// How many reaches are watched.
    var count: Int { monitor.count }

    /// Whether no beacon will be heard however long one waits.
    var isHopeless: Bool { radio.isHopeless }

    func owner(of event: BeaconMonitor.Event) -> RegionOwner? { owners[event.slot.index] }

    /// Nanoseconds of listening without a beacon that are an exit from a region.
    func patience(of slot: BeaconMonitor.Slot) -> Int64 { monitor.patience(of: slot) }

    /// How the radio must listen; nil where it need not.
    mutating func radioNeed(at instant: MonotonicInstant) -> ScanTiming? {
        monitor.timing(listened: radio.listened, at: instant)
    }

    /// - Parameters:
    ///   - metres: How near a beacon must be; nil for anywhere in reach.
    ///   - dwell: Seconds of stay after which that is told; nil for never.
    mutating func add(
        _ constraint: BeaconConstraint, within metres: Double?, dwell: Double?, state: BeaconMonitor.State?,
        of owner: RegionOwner, at instant: MonotonicInstant
    ) -> BeaconMonitor.Slot {
        let slot = monitor.add(
            constraint, within: metres, dwell: dwell, state: state, listened: radio.listened)
        owners[slot.index] = owner
        settle(at: instant)
        return slot
    }

    mutating func remove(_ slot: BeaconMonitor.Slot) {
        monitor.remove(slot)
        owners[slot.index] = nil
    }

    /// Takes what the radio does at the beginning of an input; `settle` acts on it at the end.
    mutating func sensed(_ radio: RadioState) { self.radio = radio }

    /// Takes what the radio does now.
    mutating func settle(_ radio: RadioState, at instant: MonotonicInstant) {
        self.radio = radio
        let isDeaf = monitor.count > 0 && !radio.isListening
        deafSince = isDeaf ? deafSince ?? instant : nil
        if !isDeaf { hasForgotten = false }
        settle(at: instant)
    }

    private mutating func settle(at instant: MonotonicInstant) {
        guard monitor.count > 0 else { return deadline = nil }
        let change = monitor.deadline(isListening: radio.isListening, listened: radio.listened, at: instant)
        let deaf = hasForgotten ? nil : deafSince?.advanced(byNanoseconds: BeaconReaches.deafness)
        deadline = .earlier(change, deaf)
    }

    mutating func heard(_ heard: HeardBeacon, listened: Int64, at instant: MonotonicInstant) {
        found.removeAll(keepingCapacity: true)
        let identity = heard.beacon.identity
        var metres: Double?
        if monitor.needsDistance(of: identity) {
            metres = distances.heard(
                heard.beacon, from: heard.sender, strength: heard.strength, isMoving: isMoving, at: instant)
        }
        monitor.heard(identity, metres: metres, at: instant, listened: listened, into: &found)
    }

    mutating func advance(to instant: MonotonicInstant, listened: Int64) {
        found.removeAll(keepingCapacity: true)
        monitor.advance(to: instant, listened: listened, into: &found)
        guard let deafSince, instant.nanoseconds(since: deafSince) >= BeaconReaches.deafness, !hasForgotten else {
            return
        }
        monitor.forget(listened: listened, into: &found)
        hasForgotten = true
    }
}
