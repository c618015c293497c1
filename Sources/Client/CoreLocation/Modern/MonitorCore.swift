internal import ClientVocabulary
internal import DaemonClient
internal import Foundation
internal import Synchronization

enum MonitorError: Error, CustomStringConvertible {
    case isOpen(name: String)

    var description: String {
        switch self {
        case .isOpen(let name):
            "CLMonitor \"\(name)\" is open already in this program; keep and share that one, or let go of it first."
        }
    }
}

/// The working part of a `CLMonitor`: its conditions with their last events, and the events that wait for a loop.
final class MonitorCore: EventSink {
    static let maximumWaiting = 256

    let name: String
    let client: LocationClient
    private let queue = BoundedQueue<Waiting>(capacity: maximumWaiting)
    private let state = Mutex(State())

    private struct State {
        var records: [String: CLMonitor.Record] = [:]
        var flags: SessionDiagnostics = []
        /// The identifiers of the conditions that the daemon refused and might accept later.
        var refused: Set<String> = []
    }

    /// An event that waits for the loop over the monitor: a line from the daemon, or an event made in this process.
    private enum Waiting: Sendable {
        case line(DaemonLine)
        case event(CLMonitor.Event, isRecorded: Bool)
    }

    static func open(_ name: String, client: LocationClient) async throws(MonitorError) -> MonitorCore {
        let core = MonitorCore(name: name, client: client)
        // An open monitor of this name must not be released inside the closure of `update`, where the state is locked:
        // the monitor's deinitializer locks the state too.
        let other = client.update { state -> ((any EventSink)?, [EventDelivery]) in
            let other = state.monitors[name]?.sink
            if other == nil { state.monitors[name] = ClientState.Listener(sink: core) }
            return (other, [])
        }
        guard other == nil else { throw .isOpen(name: name) }
        await client.registrations()
        core.load()
        client.update { state in ((), state.retell(client)) }
        return core
    }

    private init(name: String, client: LocationClient) {
        self.name = name
        self.client = client
    }

    deinit {
        let lines = queue.finish().compactMap { waiting -> DaemonLine? in
            if case .line(let line) = waiting { line } else { nil }
        }
        client.update { [name] state in
            if state.monitors[name]?.sink == nil { state.monitors[name] = nil }
            for line in lines { state.putBack(line) }
            return ((), [])
        }
    }

    private func load() {
        let (conditions, waiting) = client.read { [name] state in
            let kept = state.numbered.kept.filter { $0.monitor == name }
            return (state.registry.conditions[name] ?? [:], kept.map(\.identifier))
        }
        state.withLock { state in
            for (identifier, kept) in conditions where state.records[identifier] == nil {
                let condition = kept.watched.condition
                // The record gets the state that the daemon keeps. But while an event of the condition still waits to
                // be taken, the daemon's state is already that event's, so the record's state is unknown.
                let event =
                    waiting.contains(identifier)
                    ? CLMonitor.Event(identifier, .unknown, .distantPast)
                    : CLMonitor.Event(identifier, CLMonitor.Event.State(kept.state), kept.date ?? .distantPast)
                state.records[identifier] = CLMonitor.Record(condition: condition, lastEvent: event)
            }
        }
    }

    var identifiers: [String] { state.withLock { $0.records.keys.sorted() } }

    func record(_ identifier: String) -> CLMonitor.Record? {
        state.withLock { $0.records[identifier] }
    }

    func add(_ condition: any CLCondition, _ identifier: String, assuming assumed: CLMonitor.Event.State) {
        let event = CLMonitor.Event(identifier, assumed, Date())
        let flags = state.withLock { state in
            state.records[identifier] = CLMonitor.Record(condition: condition, lastEvent: event)
            state.refused.remove(identifier)
            return state.flags
        }
        // If all conditions are kept from being watched, only the new condition gets an event with the reasons; the
        // monitor's other conditions got theirs earlier.
        if !flags.isEmpty { push(.event(CLMonitor.Event(identifier, .unmonitored, Date(), flags), isRecorded: false)) }
        guard let watched = WatchedRegion(condition) else { return refuse(identifier, .conditionUnsupported) }
        order(watched, identifier, assuming: assumed)
    }

    private func order(
        _ watched: WatchedRegion, _ identifier: String, assuming assumed: CLMonitor.Event.State
    ) {
        let key = RegionRegistry.Key(monitor: name, identifier: identifier)
        let isOrdered = client.update { state in
            (state.monitor(watched, key, cushion: nil, assumed: assumed.assumption), [])
        }
        if !isOrdered { refuse(identifier, .persistenceUnavailable) }
    }

    /// Requests the refused conditions again, with their state unknown, because the daemon may accept them now.
    private func retryRefused() {
        let retried = state.withLock { state in
            defer { state.refused = [] }
            return state.refused.sorted().compactMap { identifier in
                state.records[identifier].flatMap { WatchedRegion($0.condition) }.map { (identifier, $0) }
            }
        }
        for (identifier, watched) in retried { order(watched, identifier, assuming: .unknown) }
    }

    func remove(_ identifier: String) {
        let wasKnown = state.withLock { $0.records.removeValue(forKey: identifier) != nil }
        guard wasKnown else { return }
        client.update { [name] state in
            state.registry.remove(identifier, monitor: name)
            let line = DaemonRequest(.unmonitorRegion).with(.identifier, identifier).with(.monitor, name)
            if !state.order(line) { state.complainOfOrders() }
            return ((), state.roomMade())
        }
    }

    func receive(_ event: ClientEvent) {
        switch event {
        case .conditionChanged(let line): push(.line(line))
        case .conditionRefused(let identifier, let flags): refuse(identifier, because: flags)
        case .roomMade: retryRefused()
        default: break
        }
    }

    func whenSettled(_ done: @escaping @Sendable () -> Void) {
        queue.whenSettled(done)
    }

    /// Queues an event and, if the queue is full, drops the oldest one; a dropped event that came from the daemon is
    /// kept until the monitor is opened again.
    private func push(_ waiting: Waiting) {
        guard case .line(let line) = queue.push(waiting) else { return }
        client.update { state in
            state.putBack(line)
            return ((), [])
        }
    }

    /// Marks a condition as refused by the daemon, and queues an event with the reason, unless the monitor has already
    /// reported the same reason for all its conditions.
    private func refuse(_ identifier: String, because flags: SessionDiagnostics) {
        let isTold = state.withLock { state in
            state.refused.insert(identifier)
            return state.flags.isSuperset(of: flags)
        }
        if !isTold { refuse(identifier, flags) }
    }

    private func refuse(_ identifier: String, _ flags: SessionDiagnostics) {
        push(.event(CLMonitor.Event(identifier, .unmonitored, Date(), flags), isRecorded: true))
    }

    /// Stores the reasons that keep all conditions from being watched; if they have changed, queues an event for each
    /// condition.
    ///
    /// An event with reasons says that the condition is unmonitored. Once there are no reasons, each condition gets an
    /// event with its last known state, which shows that monitoring goes on.
    func diagnose(_ flags: SessionDiagnostics) {
        let events = state.withLock { state -> [CLMonitor.Event] in
            guard state.flags != flags else { return [] }
            state.flags = flags
            // A condition that the daemon refused gets no further event, because it has had one with the reason for its
            // refusal.
            let told = state.records.filter { !state.refused.contains($0.key) }
            return told.sorted { $0.key < $1.key }.map { identifier, record in
                let last: CLMonitor.Event.State =
                    record.lastEvent.state == .unmonitored ? .unknown : record.lastEvent.state
                return CLMonitor.Event(identifier, flags.isEmpty ? last : .unmonitored, Date(), flags)
            }
        }
        for event in events { push(.event(event, isRecorded: false)) }
    }

    /// Waits for the next event, which counts as taken by the program when this method returns.
    func next() async -> CLMonitor.Event? {
        while let waiting = await queue.next() {
            if let event = take(waiting) { return event }
        }
        return nil
    }

    func pause() {
        queue.pause()
    }

    /// Turns a queued entry into an event; nil if its condition has been removed, or if it reports a refusal that the
    /// program knows already.
    private func take(_ waiting: Waiting) -> CLMonitor.Event? {
        switch waiting {
        case .event(let event, let isRecorded): return isRecorded ? record(event, isNews: false) : event
        case .line(let line):
            let state = CLMonitor.Event.State(line.state)
            let beacon = state == .satisfied ? BeaconIdentity(line) : nil
            let event = CLMonitor.Event(
                line.identifier ?? "", state, line.date(.time) ?? Date(),
                refinement: beacon.map { CLMonitor.BeaconIdentityCondition($0) },
                range: line.range(.notBefore, .notAfter))
            // An event from the daemon is delivered even if it has the state that the program assumed for the
            // condition, because the daemon sends each change only once.
            let taken = record(event, isNews: true)
            client.update { state in
                state.acknowledgeTaken(line)
                return ((), [])
            }
            return taken
        }
    }

    private func record(_ event: CLMonitor.Event, isNews: Bool) -> CLMonitor.Event? {
        state.withLock { state in
            guard let record = state.records[event.identifier], isNews || record.lastEvent.state != event.state else {
                return nil
            }
            state.records[event.identifier] = CLMonitor.Record(condition: record.condition, lastEvent: event)
            return event
        }
    }
}

/// A loop over a monitor's events; it requests authorization for as long as it goes on.
final class MonitorReading: Sendable {
    let core: MonitorCore
    private let held: HeldSession

    init(_ core: MonitorCore) {
        self.core = core
        held = HeldSession(client: core.client) { line in
            line.with(.authorization, word: AuthorizationRequest.whenInUse).with(.implicit, true)
        } observe: { [weak core] flags in
            core?.diagnose(flags)
        }
    }

    deinit {
        core.pause()
        held.invalidate()
    }
}

extension CLMonitor.Event.State {
    /// A condition is satisfied if the board is inside the condition's region, and unsatisfied if it is outside.
    init(_ state: RegionStateName?) {
        self =
            switch state {
            case .inside: .satisfied
            case .outside: .unsatisfied
            case .unknown, nil: .unknown
            }
    }

    /// The daemon's word for this state if a program assumes it; nil for a state that cannot be assumed.
    var assumption: AssumedState? {
        switch self {
        case .satisfied: .satisfied
        case .unsatisfied: .unsatisfied
        case .unknown, .unmonitored: nil
        }
    }
}

extension ClientState {
    /// Acknowledges to the daemon an event of a condition that the program has taken.
    mutating func acknowledgeTaken(_ line: DaemonLine) {
        guard let number = line.number else { return }
        numbered.arrive(number)
        acknowledge(number)
    }

    /// Keeps an event that no loop took; it is delivered when its monitor is opened again.
    mutating func putBack(_ line: DaemonLine) {
        if let number = line.number { numbered.arrive(number) }
        numbered.keep(line)
    }
}

extension LocationClient {
    /// Suspends for at most 2 s, until the daemon has sent all regions and conditions that it keeps for this program.
    func registrations() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let once = RunOnce { continuation.resume() }
            update { state in
                state.askRegistrations()
                state.wantsConnection = !state.isReady
                state.registryWaiters.append { once.run() }
                return ((), [])
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(2)) { once.run() }
        }
    }
}

/// A closure that runs only at the first of several calls of `run()`.
final class RunOnce: Sendable {
    private let body: Mutex<(@Sendable () -> Void)?>

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = Mutex(body)
    }

    func run() {
        let body = self.body.withLock { body in
            defer { body = nil }
            return body
        }
        body?()
    }
}
