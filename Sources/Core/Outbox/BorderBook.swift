internal import Parts
internal import SextantUnits

/// What to do because of an event of a region in a client's manifest.
enum BorderEffect: Sendable, Equatable {
    case start(BorderStart)
    /// Withdraw a request to start a unit, because systemd has not carried it out in time.
    case expire(BorderStart)
}

/// Decides when and how often systemd units are started for the regions in clients' manifests.
///
/// The same event of the same region starts a unit at most once per minute (`WakeLimits.borderRest`). An event that
/// comes earlier waits until the minute is over, and is dropped if the board crosses the border again before then. So
/// the last unit that runs is that of the last crossing. A request that systemd does not carry out within 10 s
/// (`WakeLimits.lease`) is withdrawn, so that no unit starts for a crossing of long ago. Nothing of this is stored.
struct BorderBook: Sendable, Equatable {
    private let limits: WakeLimits
    /// The events of regions whose unit was started less than a minute ago or waits to be started, the earliest event
    /// first.
    private var entries: [Entry] = []

    /// One event of one region.
    private struct Entry: Sendable, Equatable {
        var start: BorderStart
        /// The earliest time at which the unit may be started again; nil if it may be started at once.
        var restsUntil: MonotonicInstant?
        /// When the last request to start the unit is withdrawn; nil if no request is left to withdraw.
        var expires: MonotonicInstant?
        /// Whether a start of the unit waits until `restsUntil`.
        var waits = false

        init(_ start: BorderStart) { self.start = start }

        var deadline: MonotonicInstant? { .earlier(expires, restsUntil) }

        func concerns(_ other: BorderStart) -> Bool {
            start.client == other.client && start.region == other.region && start.event == other.event
        }

        mutating func begin(_ limits: WakeLimits, at instant: MonotonicInstant) -> [BorderEffect] {
            waits = false
            restsUntil = instant.advanced(byNanoseconds: limits.borderRest)
            expires = instant.advanced(byNanoseconds: limits.lease)
            return [.start(start)]
        }
    }

    init(_ limits: WakeLimits = WakeLimits()) { self.limits = limits }

    /// The next instant at which `advance` must be called even if nothing else happens; nil for none.
    var deadline: MonotonicInstant? { entries.lazy.compactMap { $0.deadline }.min() }

    /// Notes that the board crossed a region's border, even if this crossing starts no unit.
    ///
    /// A start that still waits because of an earlier crossing is dropped.
    mutating func turned(_ client: String, _ region: String) {
        for index in entries.indices where entries[index].start.client == client {
            if entries[index].start.region == region { entries[index].waits = false }
        }
    }

    /// Handles a confirmed event of a region: starts the event's systemd unit now or, if the same event started it less
    /// than a minute ago, when the minute is over.
    mutating func crossed(_ start: BorderStart, at instant: MonotonicInstant) -> [BorderEffect] {
        let index = entries.firstIndex { $0.concerns(start) } ?? entries.endIndex
        if index == entries.endIndex { entries.append(Entry(start)) }
        entries[index].start = start
        guard let rest = entries[index].restsUntil, instant < rest else {
            return entries[index].begin(limits, at: instant)
        }
        entries[index].waits = true
        return []
    }

    /// Does what is due at this instant, such as a start that waited.
    mutating func advance(to instant: MonotonicInstant) -> [BorderEffect] {
        guard let deadline, deadline <= instant else { return [] }
        var effects: [BorderEffect] = []
        for index in entries.indices {
            if let expires = entries[index].expires, expires <= instant {
                entries[index].expires = nil
                effects.append(.expire(entries[index].start))
            }
            guard let rest = entries[index].restsUntil, rest <= instant else { continue }
            entries[index].restsUntil = nil
            if entries[index].waits { effects += entries[index].begin(limits, at: instant) }
        }
        entries.removeAll { $0.deadline == nil }
        return effects
    }
}
