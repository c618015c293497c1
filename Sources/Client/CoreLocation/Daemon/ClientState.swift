internal import Foundation

/// Everything this process knows of the daemon and has asked of it.
struct ClientState {
    /// Whether the daemon has greeted and requests may be sent.
    var isReady = false
    /// Whether a caller has waited for the greeting, which happens only once.
    var hasWaited = false
    var greeting: Greeting?
    var authorization = Authorization()
    var isForeground = true
    /// Whether the program itself said how it stands.
    var hasSaidState = false
    var newest: CLLocation?

    var outbox = Outbox()
    /// Whether something was asked for without a connection: it is tried at once.
    var wantsConnection = false
    var journal = Journal()
    /// The newest order whose reading the daemon is asked to confirm.
    var confirming: Int?

    var listeners: [Listener] = []
    /// Managers that have not been told what they may have: the daemon has not greeted.
    var unannounced: [Listener] = []
    var sessions: [Int: SessionRecord] = [:]
    var nextSession = 0
    var holds: [Int: Hold] = [:]
    var registry = RegionRegistry()
    var isMonitoringSignificantChange = false
    var lastSignificantChange: Date?
    var isMonitoringVisits = false
    var stateQuestions: [String: StateQuestion] = [:]
    var monitors: [String: Listener] = [:]

    var seen = SeenNumbers()
    /// What came while no delegate was there to take it; at most 64, the oldest goes first and comes again later.
    var kept: [DaemonLine] = []
    /// The numbers of what delegates are being told.
    var travelling: Set<Int> = []
    var pings: [String: @Sendable (Bool) -> Void] = [:]
    var greetingWaiters: [@Sendable () -> Void] = []
    var registryWaiters: [@Sendable () -> Void] = []
    /// What is to run once the state is unlocked and the line's events are handed on.
    var effects: [@Sendable () -> Void] = []
    /// Calls to delegates and others that still have to be made, in the order of the state changes that caused them.
    var steps: [@Sendable () -> Void] = []
    /// Whether a thread is making these calls now.
    var isHandingOn = false
    var complaints: Set<String> = []
    private var lastName = 0

    struct Greeting: Sendable {
        var backgroundMode = false
        var capabilities: Set<String> = []
        var launchReason: String?
    }

    struct Listener: Sendable {
        weak var sink: (any EventSink)?
    }

    struct Hold: Sendable {
        weak var sink: (any EventSink)?
        var line: RequestLine
    }

    struct StateQuestion: Sendable {
        weak var sink: (any EventSink)?
        var region: CLRegion
    }

    /// A name that no other request of this process has.
    mutating func newName(_ kind: String) -> String {
        lastName += 1
        return "\(kind)\(lastName)"
    }

    mutating func newNumber() -> Int {
        lastName += 1
        return lastName
    }

    /// Sends what needs no repeating, because it stands in the state or does not matter when it is lost.
    mutating func send(_ line: RequestLine) {
        if isReady { outbox.append(line.bytes) } else { wantsConnection = true }
    }

    /// Sends what must not be lost; false where too much of that waits already.
    mutating func order(_ line: RequestLine) -> Bool {
        guard journal.append(line.bytes) else { return false }
        if isReady { outbox.append(orders: line.bytes) } else { wantsConnection = true }
        confirmJournal()
        return true
    }

    mutating func confirmJournal() {
        guard isReady, confirming == nil, !journal.isEmpty else { return }
        confirming = journal.lastSequence
        send(RequestLine("ping").with("id", "journal"))
    }

    var managers: [any EventSink] { listeners.compactMap(\.sink) }
}
