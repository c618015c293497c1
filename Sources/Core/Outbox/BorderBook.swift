internal import Parts
internal import SextantUnits

/// An action that an event of a manifest's region calls for.
enum BorderEffect: Sendable, Equatable {
    case start(BorderStart)
    /// Withdraw a request to start a unit that systemd has not carried out in time.
    case expire(BorderStart)
}

/// Decides when and how often systemd units are started for the regions in clients' manifests.
///
/// The same event of the same region starts a unit once a minute at most (`WakeLimits.borderRest`). An event that comes
/// earlier waits until the minute is over, and is dropped if the board crosses the border again before then. So the
/// last unit that runs is that of the last crossing. A request that systemd does not carry out within 10 s
/// (`WakeLimits.lease`) is withdrawn, so that no unit starts for a crossing of long ago. Nothing of this is stored.
struct BorderBook: Sendable, Equatable {
    private let limits: WakeLimits
    /// The events of regions that started a unit or wait to do so, in the order in which they first came.
    private var entries: [Entry] = []

    /// One event of one region.
    private struct Entry: Sendable, Equatable {
        var start: BorderStart
        /// When the unit may be started again; nil where it may be started now.
        var restsUntil: MonotonicInstant?
        /// When the last request to start the unit is withdrawn; nil once it was withdrawn.
        var expires: MonotonicInstant?
        /// Whether a start waits for `restsUntil`.
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

    /// The next instant at which something is due without any other input; nil for none.
    var deadline: MonotonicInstant? { entries.lazy.compactMap { $0.deadline }.min() }

    /// Notes that the board crossed a region's border, even where the crossing starts no unit.
    ///
    /// A start that still waits from an earlier crossing is dropped.
    mutating func turned(_ client: String, _ region: String) {
        for index in entries.indices where entries[index].start.client == client {
            if entries[index].start.region == region { entries[index].waits = false }
        }
    }

    /// Takes a confirmed event of a region, and starts its unit now or when a minute has passed since its last start.
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

    /// Does what is due at this instant.
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
