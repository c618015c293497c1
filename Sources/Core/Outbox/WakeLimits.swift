internal import ClientVocabulary

/// The limits on starting a client for an event; times are in nanoseconds unless a comment says otherwise.
struct WakeLimits: Sendable, Equatable {
    /// The nanoseconds within which a started client must connect, and for which it may run after it has connected:
    /// about 10 s in Core Location.
    var lease: Int64 = 10_000_000_000
    /// The smallest and the largest number of seconds by which one request can extend a lease (the time that a started
    /// client may run).
    var extensions = 1.0...30.0
    /// The most nanoseconds for which a client may run after it connected (its lease), with all extensions and renewals
    /// for later events.
    var longestLease: Int64 = 60_000_000_000
    /// The pause in nanoseconds after the first failed start; each further failure doubles the pause.
    var firstBackOff: Int64 = 30_000_000_000
    var longestBackOff: Int64 = 3_600_000_000_000
    /// The number of failed starts within a day after which a client is not started until the first of them is a day
    /// old.
    var failuresInADay = 20
    /// Nanoseconds from the daemon's start in which it starts no client, so that running clients can connect again.
    var settling: Int64 = 10_000_000_000
    /// The fewest nanoseconds between two starts of a unit because of the same event of the same region in a manifest.
    ///
    /// So a board that stands at a region's border starts a unit at most 60 times per hour.
    var borderRest: Int64 = 60_000_000_000

    static let day: Int64 = 86_400_000_000_000

    init() {}
}

/// What the outbox is to do for the start of a client.
enum WakeEffect: Sendable, Equatable {
    /// Start the unit with the launch reason `location`; `reason` is the service (such as regions) of the event.
    case startUnit(client: String, unit: String, reason: MonitoredService)
    case stopUnit(client: String, unit: String)
    /// The client need not be started any more, because no event waits for it or it may not be started.
    case wakeDone(client: String)
    /// Write an entry about the client's start to the operator's log.
    case note(client: String, unit: String, WakeNote)
}

/// How the start of a client for an event ended, for the operator's log.
enum WakeNote: Sendable, Hashable {
    case startFailed
    /// The client did not connect within the time that it had.
    case neverConnected
    /// The client disconnected without acknowledging its events, which still wait.
    case leftWithoutTaking
    /// The time to run was over before the client ended; `eventsWait` says whether events still wait.
    case overran(eventsWait: Bool)
    /// Too many starts of the client failed within a day, so it is not started until the first of them is a day old;
    /// its events are kept.
    case restsForADay(failures: Int)

    /// The text for the log: what is wrong, and how to mend it.
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
