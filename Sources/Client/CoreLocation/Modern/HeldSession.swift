internal import ClientVocabulary
internal import DaemonClient
internal import Synchronization

/// A service session or background activity session, which the daemon keeps until this object is invalidated or
/// released.
final class HeldSession: EventSink {
    private let client: LocationClient
    private let number: Int
    private let observe: @Sendable (SessionDiagnostics) -> Void
    private let state = Mutex(State())

    private struct State {
        var isOver = false
        var flags: SessionDiagnostics?
        var queues: [Reference] = []
    }

    private struct Reference {
        weak var queue: BoundedQueue<SessionDiagnostics>?
    }

    /// - Parameter members: Adds the JSON members of the `holdSession` request; the request has its id and the
    ///   session's number already.
    init(
        client: LocationClient, members: @Sendable (DaemonRequest) -> DaemonRequest,
        observe: @escaping @Sendable (SessionDiagnostics) -> Void = { _ in }
    ) {
        self.client = client
        self.observe = observe
        number = client.update { state in (state.newNumber(), []) }
        hold(members)
    }

    /// Asks the daemon to keep the session; a later call changes the session.
    ///
    /// - Parameter members: Adds the JSON members of the `holdSession` request; the request has its id and the
    ///   session's number already.
    func hold(_ members: @Sendable (DaemonRequest) -> DaemonRequest) {
        let name = "hold\(number)"
        let line = members(DaemonRequest(.holdSession).with(.id, name).with(.number, number))
        client.update { [self] state in
            state.holds[number] = ClientState.Hold(sink: self, name: name, line: line)
            state.send(line)
            return ((), [])
        }
    }

    deinit {
        invalidate()
    }

    func invalidate() {
        let queues = state.withLock { state -> [Reference]? in
            guard !state.isOver else { return nil }
            state.isOver = true
            defer { state.queues = [] }
            return state.queues
        }
        guard let queues else { return }
        for reference in queues { reference.queue?.finish() }
        client.update { [number] state in
            state.holds[number] = nil
            state.send(DaemonRequest(.releaseSession).with(.number, number))
            return ((), [])
        }
    }

    func receive(_ event: ClientEvent) {
        guard case .diagnostics(let flags, _) = event else { return }
        let queues = state.withLock { state -> [Reference]? in
            guard !state.isOver, state.flags != flags else { return nil }
            state.flags = flags
            return state.queues
        }
        guard let queues else { return }
        for reference in queues { reference.queue?.push(flags) }
        observe(flags)
    }

    /// A queue of the session's diagnostics: the current ones, then those after each change; at most 16 wait.
    func diagnostics() -> BoundedQueue<SessionDiagnostics> {
        let queue = BoundedQueue<SessionDiagnostics>(capacity: 16)
        let (isOver, flags) = state.withLock { state in
            state.queues.removeAll { $0.queue == nil }
            if !state.isOver { state.queues.append(Reference(queue: queue)) }
            return (state.isOver, state.flags)
        }
        if let flags { queue.push(flags) }
        if isOver { queue.finish() }
        return queue
    }

    func whenSettled(_ done: @escaping @Sendable () -> Void) {
        let queues = state.withLock { $0.queues.compactMap(\.queue) }
        let left = Countdown(queues.count, done)
        for queue in queues { queue.whenSettled { left.step() } }
    }
}

/// Calls a closure once, when `step` has been called a given number of times.
final class Countdown: Sendable {
    private let left: Mutex<Int>
    private let done: @Sendable () -> Void

    init(_ count: Int, _ done: @escaping @Sendable () -> Void) {
        left = Mutex(count)
        self.done = done
        if count == 0 { done() }
    }

    func step() {
        let isLast = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isLast { done() }
    }
}
