internal import ClientVocabulary
internal import DaemonClient
internal import Foundation

/// Everything that this process knows about the daemon and has requested from it.
struct ClientState {
    /// Whether the daemon's first line has come, so that requests can be sent.
    var isReady = false
    /// Whether a caller has waited for the daemon's first line, which happens only once.
    var hasWaited = false
    var greeting: Greeting?
    var authorization = Authorization()
    var isForeground = true
    /// Whether the program itself has said whether it is in the foreground.
    var hasSaidState = false
    var newest: CLLocation?

    var outbox = Outbox()
    /// Whether a request was made without a connection, so that the link must try to connect at once.
    var wantsConnection = false
    var journal = Journal()
    /// The sequence number of the newest journal entry whose reading the daemon has been asked to confirm.
    var confirming: Int?

    var listeners: [Listener] = []
    /// New managers that have not got their authorization, because the daemon's first line has not come.
    var unannounced: [Listener] = []
    var sessions: [Int: SessionRecord] = [:]
    var nextSession = 0
    var holds: [Int: Hold] = [:]
    var registry = RegionRegistry()
    /// The services that are switched on for the whole program: significant changes and visits.
    var services: Set<MonitoredService> = []
    var lastSignificantChange: Date?
    var stateQuestions: [String: StateQuestion] = [:]
    var histories: [String: HistoryQuestion] = [:]
    var monitors: [String: Listener] = [:]
    /// The newest beacons of each ranging request, by the name of the request.
    ///
    /// They wait here until all waiting lines of the daemon have been read.
    var waitingBeacons: [String: Delivery] = [:]

    var seen = SeenNumbers()
    /// Lines that no delegate took when they came; past 64 the oldest is dropped, and the daemon sends it again
    /// later.
    var kept: [DaemonLine] = []
    /// The numbers of the events that are on their way to delegates or monitors.
    var travelling: Set<Int> = []
    var pings: [String: @Sendable (Bool) -> Void] = [:]
    var greetingWaiters: [@Sendable () -> Void] = []
    var registryWaiters: [@Sendable () -> Void] = []
    /// Work to run once the state is unlocked and the line's events are handed on.
    var effects: [@Sendable () -> Void] = []
    /// The calls to event sinks and other effects that wait to be made, in the order of their state changes.
    var steps: [@Sendable () -> Void] = []
    /// Whether a thread is making the calls in `steps` now.
    var isHandingOn = false
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

    /// Sends a request that is not kept in the journal, because the state can restate it or its loss does no harm.
    mutating func send(_ line: DaemonRequest) {
        if isReady { outbox.append(line.bytes) } else { wantsConnection = true }
    }

    /// Sends a request that is kept until the daemon has read it; false if the journal is full.
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
