/// How long and how often a client may be started for an event; nanoseconds unless it says otherwise.
public struct WakeLimits: Sendable, Equatable {
    /// From the start of the unit to its connection, and from that to its end: Core Location's about 10 s.
    public var lease: Int64 = 10_000_000_000
    /// Seconds that a lease may be made longer by at once.
    public var extensions = 1.0...30.0
    /// From the connection on, all extensions and later events included.
    public var longestLease: Int64 = 60_000_000_000
    /// After the first failure; each further one doubles it.
    public var firstBackOff: Int64 = 30_000_000_000
    public var longestBackOff: Int64 = 3_600_000_000_000
    /// Failed starts of one client within a day; then it rests until the first of them is a day old.
    public var failuresInADay = 20
    /// Before the first start of a daemon that was started itself: clients that run connect again meanwhile.
    public var settling: Int64 = 10_000_000_000

    static let day: Int64 = 86_400_000_000_000

    public init() {}
}

/// What follows from waking.
public enum WakeEffect: Sendable, Equatable {
    /// Start the unit, with the launch reason `location`; the service is that of the event.
    case startUnit(client: String, unit: String, reason: MonitoredService)
    /// Ask that the unit be stopped.
    case stopUnit(client: String, unit: String)
    /// Nothing waits for the client any more.
    case wakeDone(client: String)
    /// For the operator's log.
    case note(client: String, unit: String, WakeNote)
}

/// What became of a start.
public enum WakeNote: Sendable, Hashable {
    case startFailed
    /// Not within the lease.
    case neverConnected
    /// It left, and its events wait still.
    case leftWithoutTaking
    /// The lease is over; whether events wait still.
    case overran(eventsWait: Bool)
    /// It failed too often; its events are kept.
    case restsForADay(failures: Int)

    /// What is wrong, and how to mend it.
    public var message: String {
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
