internal import Foundation
internal import Synchronization

/// The part of a manager that any thread may call: it receives the daemon's events and keeps them until the delegate is
/// called.
final class ManagerCore: EventSink, @unchecked Sendable {
    // `Sendable` is unchecked: `manager` is set once, before anything can be delivered, and read only where the
    // callbacks run.
    let client: LocationClient
    private weak var manager: CLLocationManager?
    private let executor: CallbackExecutor
    var isElsewhere: Bool { executor.isElsewhere }
    private let contents: Mutex<Contents>

    private struct Contents {
        var mailbox: ManagerEvents
        var isScheduled = false
        var waiters: [@Sendable () -> Void] = []
    }

    init(client: LocationClient) {
        executor = CallbackExecutor.current()
        self.client = client
        contents = Mutex(Contents(mailbox: ManagerEvents()))
    }

    /// Registers this manager with the client of the daemon, so that it gets all later events.
    func attach(_ manager: CLLocationManager) {
        self.manager = manager
        executor.start { [weak self] in self?.drain() }
        client.update { [self] state in
            state.listeners.removeAll { $0.sink == nil }
            state.listeners.append(ClientState.Listener(sink: self))
            state.wantsConnection = !state.isReady
            state.unannounced.removeAll { $0.sink == nil }
            state.unannounced.append(ClientState.Listener(sink: self))
            return ((), state.isReady ? state.announce() : [])
        }
        client.awaitGreeting()
        client.announceInTime()
    }

    /// Ends a deallocated manager's requests at the daemon, and stops events from coming to it.
    func detach(session: Int?) {
        executor.end()
        client.update { [self] state in
            state.listeners.removeAll { $0.sink === self || $0.sink == nil }
            if let session { state.closeSession(session) }
            return ((), [])
        }
    }

    func receive(_ event: ClientEvent) {
        let (dropped, wakes) = contents.withLock { contents in
            let dropped = contents.mailbox.append(event)
            defer { contents.isScheduled = true }
            return (dropped, !contents.isScheduled)
        }
        // A dropped event is released outside the lock, because the deinitializer of its delivery ticket calls the
        // client.
        _ = consume dropped
        if wakes { executor.wake() }
    }

    func whenSettled(_ done: @escaping @Sendable () -> Void) {
        let isSettled = contents.withLock { contents in
            if contents.isScheduled { contents.waiters.append(done) }
            return !contents.isScheduled
        }
        if isSettled { done() }
    }

    private func drain() {
        while let event = next() { manager?.deliver(event) }
    }

    private func next() -> ClientEvent? {
        let (event, waiters) = contents.withLock { contents -> (ClientEvent?, [@Sendable () -> Void]) in
            if let event = contents.mailbox.popFirst() { return (event, []) }
            contents.isScheduled = false
            defer { contents.waiters = [] }
            return (nil, contents.waiters)
        }
        for waiter in waiters { waiter() }
        return event
    }
}
