internal import Beacons
internal import Monitors
internal import Parts
internal import SextantUnits

/// The beacon regions that are watched for clients, and the time for which the Bluetooth radio does not listen for
/// them.
struct BeaconReaches {
    /// The client and key of each watched region, by the region's slot (its index in `monitor`).
    private var owners: [Int32: RegionOwner] = [:]
    private(set) var monitor = BeaconMonitor()
    /// Estimates the distances of beacons, for regions whose beacon must be within a given number of metres.
    private var distances = BeaconRanging()
    /// The events of beacon regions that the last advertisement or deadline brought.
    private(set) var found: [BeaconMonitor.Event] = []
    /// Whether the board is moving, as reported by its accelerometer.
    var isMoving = false
    /// The radio's last known state.
    private var radio = RadioState()
    /// Since when the radio has not listened although regions need it; nil while it listens or no region needs it.
    private var deafSince: MonotonicInstant?
    /// Whether it was forgotten which regions the board is inside, because the radio has been off for longer than 30 s.
    private var hasForgotten = false
    /// The next instant at which a region changes without an advertisement, or the radio has been off for too long.
    private(set) var deadline: MonotonicInstant?

    /// Nanoseconds without the radio after which it is no longer known whether the board is inside the regions.
    private static let deafness: Int64 = 30_000_000_000

    /// How many beacon regions are watched.
    var count: Int { monitor.count }

    /// Whether no beacon can ever be received, because the board, the kernel or the installation lacks something.
    var isHopeless: Bool { radio.isHopeless }

    func owner(of event: BeaconMonitor.Event) -> RegionOwner? { owners[event.slot.index] }

    /// Nanoseconds that the radio must listen without receiving the region's beacons before the region counts as left.
    func patience(of slot: BeaconMonitor.Slot) -> Int64 { monitor.patience(of: slot) }

    /// How the radio must listen for the regions' beacons; nil if it need not listen.
    mutating func radioNeed(at instant: MonotonicInstant) -> ScanTiming? {
        monitor.timing(listened: radio.listened, at: instant)
    }

    /// - Parameters:
    ///   - metres: The distance in metres within which a beacon must be; nil for anywhere in radio range.
    ///   - dwell: Seconds inside the region until a dwell event; nil for no dwell event.
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

    /// Stores the radio's state before an input is handled; `settle` computes the deadline afterwards.
    mutating func sensed(_ radio: RadioState) { self.radio = radio }

    /// Takes the radio's present state, and computes `deadline` anew.
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
