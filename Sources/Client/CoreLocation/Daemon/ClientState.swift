internal import ClientVocabulary
internal import DaemonClient
internal import Foundation

/// Everything that this process knows about the daemon and has requested from it.
struct ClientState {
    /// Whether the daemon's `hello` line, with which a connection begins, has come, so that requests can be sent.
    var isReady = false
    /// Whether a caller has already waited for the daemon's `hello` line; only the first caller in a process waits.
    var hasWaited = false
    var greeting: Greeting?
    var authorization = Authorization()
    var isForeground = true
    /// Whether the program has set its application state (foreground or background) itself.
    var hasSaidState = false
    var newest: CLLocation?

    var outbox = UnsentBytes()
    /// Whether a request was made without a connection, so that the connection's thread must try to connect at once.
    var wantsConnection = false
    var journal = UnreadRequests()
    /// The sequence number that the newest kept request had when the last ping was sent; the daemon's answer to this
    /// ping shows that it has read all kept requests up to this number.
    var confirming: Int?

    var listeners: [Listener] = []
    /// New managers that have not got their authorization, because the daemon's `hello` line has not come.
    var unannounced: [Listener] = []
    var sessions: [Int: SessionRecord] = [:]
    var nextSession = 0
    var holds: [Int: Hold] = [:]
    var registry = RegionRegistry()
    /// The services (significant changes, visits) that are switched on for the whole program.
    var services: Set<MonitoredService> = []
    var lastSignificantChange: Date?
    var stateQuestions: [String: StateQuestion] = [:]
    var histories: [String: HistoryQuestion] = [:]
    var monitors: [String: Listener] = [:]
    /// The newest beacon report of each ranging request, by the name of the request.
    ///
    /// The reports wait here until all lines that the daemon has sent are read.
    var waitingBeacons: [String: EventDelivery] = [:]

    var numbered = NumberedEvents()
    var pings: [String: @Sendable (Bool) -> Void] = [:]
    var greetingWaiters: [@Sendable () -> Void] = []
    var registryWaiters: [@Sendable () -> Void] = []
    var handOver = HandOver()
    var complaints: Set<String> = []
    private var lastName = 0

    struct Greeting: Sendable {
        var backgroundMode = false
        var capabilities: Set<String> = []
        var launchReason: String?
        /// Whether the program's manifest has a purpose text; nil if no manifest names the program.
        var hasPurpose: Bool?
        /// The newest location that the program is allowed to see, if the daemon has one.
        var location: CLLocation?
    }

    struct Listener: Sendable {
        weak var sink: (any EventSink)?
    }

    struct Hold: Sendable {
        weak var sink: (any EventSink)?
        var name: String
        var line: DaemonRequest
    }

    struct StateQuestion: Sendable {
        weak var sink: (any EventSink)?
        var region: CLRegion
    }

    /// Makes a name that no other request of this process has.
    mutating func newName(_ kind: String) -> String {
        lastName += 1
        return "\(kind)\(lastName)"
    }

    mutating func newNumber() -> Int {
        lastName += 1
        return lastName
    }

    /// Sends a request that is not kept for resending, because it can be made anew from what this process knows, or
    /// because its loss does no harm.
    mutating func send(_ line: DaemonRequest) {
        if isReady { outbox.append(line.bytes) } else { wantsConnection = true }
    }

    /// Sends a request and keeps it until the daemon has read it; false if there is no room to keep another request.
    mutating func order(_ line: DaemonRequest) -> Bool {
        guard journal.append(line.bytes) else { return false }
        if isReady { outbox.append(orders: line.bytes) } else { wantsConnection = true }
        confirmJournal()
        return true
    }

    mutating func confirmJournal() {
        guard isReady, confirming == nil, !journal.isEmpty else { return }
        confirming = journal.lastSequence
        send(DaemonRequest(.ping).with(.id, "journal"))
    }

    var managers: [any EventSink] { listeners.compactMap(\.sink) }
}
