internal import ClientVocabulary
internal import DaemonClient
internal import Foundation

/// Everything that this process knows of the daemon and has asked of the daemon.
struct ClientState {
    /// Whether the daemon has greeted and requests may be sent.
    var isReady = false
    /// Whether a caller has waited for the greeting, which happens only once.
    var hasWaited = false
    var greeting: Greeting?
    var authorization = Authorization()
    var isForeground = true
    /// Whether the program itself has said whether it is in the foreground.
    var hasSaidState = false
    var newest: CLLocation?

    var outbox = Outbox()
    /// Whether a request was made without a connection, so that a connection is tried at once.
    var wantsConnection = false
    var journal = Journal()
    /// The newest order that the daemon has been asked to confirm as read.
    var confirming: Int?

    var listeners: [Listener] = []
    /// New managers that have not been told their authorization, because the daemon has not greeted.
    var unannounced: [Listener] = []
    var sessions: [Int: SessionRecord] = [:]
    var nextSession = 0
    var holds: [Int: Hold] = [:]
    var registry = RegionRegistry()
    /// The services that are on.
    var services: Set<MonitoredService> = []
    var lastSignificantChange: Date?
    var stateQuestions: [String: StateQuestion] = [:]
    var histories: [String: HistoryQuestion] = [:]
    var monitors: [String: Listener] = [:]
    /// The newest beacons of each ranging, by its name, until everything that has come is read.
    var waitingBeacons: [String: Delivery] = [:]

    var seen = SeenNumbers()
    /// Lines that no delegate took when they came; past 64 the oldest is dropped, and the daemon sends it again
    /// later.
    var kept: [DaemonLine] = []
    /// The numbers of the events that delegates are being told now.
    var travelling: Set<Int> = []
    var pings: [String: @Sendable (Bool) -> Void] = [:]
    var greetingWaiters: [@Sendable () -> Void] = []
    var registryWaiters: [@Sendable () -> Void] = []
    /// Work to run once the state is unlocked and the line's events are handed on.
    var effects: [@Sendable () -> Void] = []
    /// Calls to delegates and others that still have to be made, in the order of the state changes that caused them.
    var steps: [@Sendable () -> Void] = []
    /// Whether a thread is making the calls in `steps` now.
    var isHandingOn = false
    var complaints: Set<String> = []
    private var lastName = 0

    struct Greeting: Sendable {
        var backgroundMode = false
        var capabilities: Set<String> = []
        var launchReason: String?
        /// Whether the program's manifest says why it asks; nil where no manifest names it.
        var hasPurpose: Bool?
        /// The newest location that the program may see, where the daemon has one.
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

    /// Sends a request that needs no repeating, because the state can restate it or its loss does no harm.
    mutating func send(_ line: DaemonRequest) {
        if isReady { outbox.append(line.bytes) } else { wantsConnection = true }
    }

    /// Sends an order that must not be lost; false where too many orders wait already.
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
