internal import ClientVocabulary
internal import DaemonClient
internal import Foundation
internal import Synchronization

/// This process's one connection to the daemon, shared by all managers, loops, sessions and monitors.
///
/// Only `awaitGreeting` waits for the daemon, for a bounded time. Bounds: a received line has at most 256 KiB; the
/// newest 1024 event numbers, 64 events that no delegate took, and the state of each region are kept. While the daemon
/// does not read, at most 64 KiB of other requests wait, and at most 256 KiB of requests that must not be lost.
final class LocationClient: Sendable {
    /// The process's shared client, which the public API uses; tests make clients of their own.
    static let shared = LocationClient(
        path: DaemonAddress.path(),
        isForeground: ProcessInfo.processInfo.environment["SEXTANT_APPLICATION_STATE"] != "background")

    private let link: DaemonLink
    private let state: Mutex<ClientState>
    /// The longest time that new managers wait for the daemon's `hello` line, before they get the authorization known
    /// so far.
    private let patience: DispatchTimeInterval

    init(path: String, isForeground: Bool = true, patience: DispatchTimeInterval = .seconds(2)) {
        self.patience = patience
        link = DaemonLink(path: path)
        var state = ClientState()
        state.isForeground = isForeground
        self.state = Mutex(state)
    }

    deinit {
        link.stop()
    }

    /// Changes this process's `ClientState`, delivers the resulting events, and wakes the connection's thread to send
    /// the resulting requests.
    @discardableResult
    func update<Result: Sendable>(
        _ body: @Sendable (inout ClientState) -> (Result, [EventDelivery])
    ) -> Result {
        let (result, pokes) = state.withLock { state in
            let (result, deliveries) = body(&state)
            state.handOver.append(deliveries)
            defer { state.wantsConnection = false }
            return (result, !state.outbox.isEmpty || state.wantsConnection)
        }
        handOn()
        link.start(for: self)
        if pokes { link.poke() }
        return result
    }

    func read<Result: Sendable>(_ body: @Sendable (borrowing ClientState) -> Result) -> Result {
        state.withLock { body($0) }
    }

    /// Makes the queued calls in order; if several threads call this, one of them makes the calls of all.
    private func handOn() {
        while let steps = state.withLock({ $0.handOver.begin() }) {
            for step in steps { step() }
            state.withLock { $0.handOver.end() }
        }
    }

    /// Waits until the daemon has sent its `hello` line and this client's registered regions, or is known to be absent.
    ///
    /// The call takes at most 35 ms, and only the first call in a process waits.
    func awaitGreeting() {
        let greeted = DispatchSemaphore(value: 0)
        let waits = update { state in
            guard !state.hasWaited else { return (false, []) }
            state.hasWaited = true
            state.askRegistrations()
            state.greetingWaiters.append { greeted.signal() }
            return (true, [])
        }
        if waits { _ = greeted.wait(timeout: .now() + .milliseconds(35)) }
    }

    /// Sends new managers the authorization known so far, if the daemon's `hello` line does not come within `patience`
    /// (2 s).
    func announceInTime() {
        guard !read({ $0.unannounced.isEmpty }) else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) { [weak self] in
            self?.update { state in ((), state.announce()) }
        }
    }

    func settle(_ line: DaemonLine, _ number: Int, wasTaken: Bool) {
        update { state in
            state.settle(line, number, wasTaken: wasTaken)
            return ((), [])
        }
    }
}

extension LocationClient: DaemonLinkOwner {
    func received(_ bytes: [UInt8]) {
        guard let line = DaemonLine(bytes) else { return }
        let version = line.integer(.protocol)
        if line.event == .hello, version != ProtocolVersion.current {
            return Complaint.print(
                "sextantd speaks version \(version ?? 0) of its protocol, this library version "
                    + "\(ProtocolVersion.current): install both of one release.")
        }
        update { state in
            let deliveries = state.take(line, self)
            if state.isReady, state.registry.isKnown || line.event == .error { state.wakeGreetingWaiters() }
            return ((), deliveries)
        }
    }

    func caughtUp() {
        guard !read({ $0.waitingBeacons.isEmpty }) else { return }
        update { state in ((), state.takeBeacons()) }
    }

    func lostConnection() {
        state.withLock { state in
            let deliveries = state.lose()
            state.wakeGreetingWaiters()
            state.handOver.effects += state.pings.values.map { ping in { @Sendable in ping(false) } }
            state.pings = [:]
            state.handOver.append(deliveries)
        }
        handOn()
    }

    func missesDaemon(_ sentence: String) {
        let isNew = state.withLock { $0.complaints.insert(sentence).inserted }
        if isNew { Complaint.print(sentence) }
    }

    func takeOutput() -> [UInt8]? {
        state.withLock { $0.outbox.take() }
    }
}

extension ClientState {
    mutating func wakeGreetingWaiters() {
        handOver.effects += greetingWaiters
        greetingWaiters = []
    }
}
