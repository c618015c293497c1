internal import ClientVocabulary

/// The limits on starting a client for an event; nanoseconds unless a member says otherwise.
struct WakeLimits: Sendable, Equatable {
    /// How long a started client may take to connect, and how long it may run after that: about 10 s in Core Location.
    var lease: Int64 = 10_000_000_000
    /// The least and the most seconds by which one request can extend a lease.
    var extensions = 1.0...30.0
    /// The longest lease, counted from the connection, with all extensions and later events.
    var longestLease: Int64 = 60_000_000_000
    /// The pause after the first failure; each further failure doubles it.
    var firstBackOff: Int64 = 30_000_000_000
    var longestBackOff: Int64 = 3_600_000_000_000
    /// After this many failed starts within a day, a client is not started until the first of them is a day old.
    var failuresInADay = 20
    /// How long the daemon waits after its own start before it starts a client: clients that run connect again
    /// meanwhile.
    var settling: Int64 = 10_000_000_000
    /// The shortest time between two starts of a unit for the same event of the same region of a manifest.
    ///
    /// So a board that stands at a region's border starts a unit at most 60 times an hour.
    var borderRest: Int64 = 60_000_000_000

    static let day: Int64 = 86_400_000_000_000

    init() {}
}

/// A step in starting a client for an event, for the outbox to carry out.
enum WakeEffect: Sendable, Equatable {
    /// Start the unit with the launch reason `location`; `reason` is the service of the event.
    case startUnit(client: String, unit: String, reason: MonitoredService)
    /// Ask that the unit be stopped.
    case stopUnit(client: String, unit: String)
    /// No event waits for the client any more.
    case wakeDone(client: String)
    /// A note for the operator's log.
    case note(client: String, unit: String, WakeNote)
}

/// The outcome of a start, for the operator's log.
enum WakeNote: Sendable, Hashable {
    case startFailed
    /// The client did not connect within the lease.
    case neverConnected
    /// The client disconnected, and its events still wait.
    case leftWithoutTaking
    /// The lease is over; `eventsWait` says whether events still wait.
    case overran(eventsWait: Bool)
    /// The client failed too often and is not started for a day; its events are kept.
    case restsForADay(failures: Int)

    /// The problem, and how to mend it.
    var message: String {
        switch self {
        case .startFailed:
            "the unit could not be started for an event; see its journal, and its name in the manifest"
        case .neverConnected:
            "the unit was started for an event and did not connect in time; see its journal, and check that it connects"
        case .leftWithoutTaking:
            "the unit was started for an event and left without taking it; let it ask for the service again at once"
        case .overran(let eventsWait):
            eventsWait
                ? "its lease is over and the event was not taken, so it is asked to stop; let it ask for more time"
                : "its lease is over, so it is asked to stop; let it end by itself, or ask for more time"
        case .restsForADay(let failures):
            "\(failures) starts failed within a day, so it is not started for now; its events are kept; see its journal"
        }
    }
}
