internal import ClientVocabulary
internal import DaemonClient

/// The program's regions, as far as this process knows: those that the daemon has, and those that this process has
/// asked it to add.
struct RegionRegistry: Sendable {
    /// The regions outside any `CLMonitor`, by their identifiers; a monitor's regions are in `conditions`, under the
    /// monitor's name.
    private(set) var regions: [String: Entry] = [:]
    private(set) var conditions: [String: [String: Condition]] = [:]
    /// Whether the daemon has sent the list of all regions that it keeps for the program.
    private(set) var isKnown = false
    var isAsking = false
    private var incoming: [DaemonLine] = []
    /// The regions and conditions that the program has added, changed or removed since it requested the daemon's list;
    /// what the list says about these is out of date.
    private var changedMeanwhile: Set<Key> = []

    struct Entry: Sendable {
        var watched: WatchedRegion
        var isConfirmed: Bool
    }

    /// A condition of a `CLMonitor`, with the state that the daemon keeps for it.
    struct Condition: Sendable {
        var watched: WatchedRegion
        var state: RegionStateName?
        var date: Date?
    }

    /// What distinguishes a region or a condition: its identifier, and for a condition also its monitor's name.
    struct Key: Hashable, Sendable {
        var monitor: String?
        var identifier: String
    }

    /// The region or condition that each unanswered request is about, by the name of the request.
    private var open: [String: Key] = [:]
    private var names: [Key: String] = [:]

    mutating func await(_ key: Key, under name: String) {
        answered(key)
        open[name] = key
        names[key] = name
    }

    mutating func answered(_ key: Key) {
        if let name = names.removeValue(forKey: key) { open[name] = nil }
    }

    /// Removes a request that the daemon rejected, and returns the key of its region or condition; nil if no open
    /// request has this name.
    mutating func takeOpen(_ name: String) -> Key? {
        guard let key = open.removeValue(forKey: name) else { return nil }
        names[key] = nil
        return key
    }

    var confirmed: [String: WatchedRegion] {
        regions.filter(\.value.isConfirmed).mapValues(\.watched)
    }

    /// The region with this identifier, if the daemon has confirmed that it has the region; otherwise nil.
    func watched(_ identifier: String) -> WatchedRegion? {
        regions[identifier].flatMap { $0.isConfirmed ? $0.watched : nil }
    }

    mutating func propose(_ watched: WatchedRegion, identifier: String) {
        regions[identifier] = Entry(watched: watched, isConfirmed: regions[identifier]?.isConfirmed ?? false)
        changedMeanwhile.insert(Key(identifier: identifier))
    }

    mutating func confirm(_ identifier: String) {
        regions[identifier]?.isConfirmed = true
    }

    /// Removes a region that the daemon refused, unless the daemon already has a region with this identifier.
    mutating func refuse(_ identifier: String) {
        if regions[identifier]?.isConfirmed == false { regions[identifier] = nil }
    }

    mutating func remove(_ identifier: String, monitor: String? = nil) {
        if let monitor { conditions[monitor]?[identifier] = nil } else { regions[identifier] = nil }
        changedMeanwhile.insert(Key(monitor: monitor, identifier: identifier))
    }

    mutating func beginAsking() {
        isAsking = true
        incoming = []
        changedMeanwhile = []
    }

    mutating func note(_ line: DaemonLine) {
        if isAsking { incoming.append(line) }
    }

    /// Takes over the daemon's list, which has come to its end: it replaces all confirmed regions and conditions,
    /// except those that the program has changed since it requested the list.
    mutating func finishAsking() {
        guard isAsking else { return }
        regions = regions.filter { !$0.value.isConfirmed || changedMeanwhile.contains(Key(identifier: $0.key)) }
        conditions = [:]
        for line in incoming { take(line) }
        incoming = []
        isAsking = false
        isKnown = true
    }

    private mutating func take(_ line: DaemonLine) {
        guard line.text(.kind) == "region", let identifier = line.identifier, let watched = WatchedRegion(line),
            !changedMeanwhile.contains(Key(monitor: line.monitor, identifier: identifier))
        else { return }
        if let monitor = line.monitor {
            conditions[monitor, default: [:]][identifier] = Condition(
                watched: watched, state: line.state, date: line.date(.date))
        } else {
            regions[identifier] = Entry(watched: watched, isConfirmed: true)
        }
    }
}
