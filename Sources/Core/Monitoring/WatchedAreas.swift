internal import Fusion
internal import Monitors
internal import Parts
internal import SextantUnits

/// The client that owns a watched region, and the region's key.
struct RegionOwner {
    let client: String
    let key: RegionKey
}

/// Watches the clients' regions that are areas (circles or polygons), and finds their events.
struct WatchedAreas: ~Copyable {
    private(set) var monitor = RegionMonitor()
    /// The client and key of each watched region, by the region's slot (its index in `monitor`).
    private var owners: [Int32: RegionOwner] = [:]
    /// The region events that the last location or deadline brought.
    private(set) var found: [RegionEvent] = []

    func owner(of event: RegionEvent) -> RegionOwner? { owners[event.slot.index] }

    mutating func add(_ region: MonitoredRegion, of owner: RegionOwner) -> RegionSlot {
        let slot = monitor.add(region)
        owners[slot.index] = owner
        return slot
    }

    mutating func remove(_ slot: RegionSlot) {
        monitor.remove(slot)
        owners[slot.index] = nil
    }

    mutating func found(_ location: FusedLocation) {
        found.removeAll(keepingCapacity: true)
        monitor.found(location, into: &found)
    }

    mutating func advance(to instant: MonotonicInstant) {
        found.removeAll(keepingCapacity: true)
        monitor.advance(to: instant, into: &found)
    }
}
