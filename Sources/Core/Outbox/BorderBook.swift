internal import Parts
internal import SextantUnits

/// An action that a border calls for.
enum BorderEffect: Sendable, Equatable {
    case start(BorderStart)
    /// Withdraw the request for a start that systemd has not taken in time.
    case expire(BorderStart)
}

/// Decides when the units of manifests' regions are started, and how often.
///
/// The same event of the same region starts a unit once a minute at most (`WakeLimits.borderRest`). An event that comes
/// earlier waits until the minute is over, and is dropped where the board crosses the border again before, so that the
/// last unit that runs is the one of the last crossing. A request that systemd does not take within 10 s
/// (`WakeLimits.lease`) is withdrawn, so that no unit starts for a crossing of long ago. Nothing here is durable.
struct BorderBook: Sendable, Equatable {
    private let limits: WakeLimits
    /// The events of regions that started a unit or wait to do so, in the order in which they first came.
    private var entries: [Entry] = []

    /// One event of one region.
    private struct Entry: Sendable, Equatable {
        var start: BorderStart
        /// When the unit may be started again; nil before the first start.
        var restsUntil: MonotonicInstant?
        /// When the request for the last start is withdrawn; nil where it was.
        var expires: MonotonicInstant?
        /// Whether a start waits until the rest is over.
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

    /// The next instant at which time alone changes something; nil for none.
    var deadline: MonotonicInstant? { entries.lazy.compactMap { $0.deadline }.min() }

    /// Notes that the board crossed a region's border, whether or not that starts a unit: a start that waits for an
    /// earlier crossing is dropped.
    mutating func turned(_ client: String, _ region: String) {
        for index in entries.indices where entries[index].start.client == client {
            if entries[index].start.region == region { entries[index].waits = false }
        }
    }

    /// Takes a confirmed event of a region, and starts its unit now or when the event has rested.
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

    /// Lets time pass.
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
