internal import ClientVocabulary
internal import DaemonClient
internal import Foundation
internal import Synchronization

/// One loop over live location updates; the daemon sends updates for as long as the loop's iterator lives.
final class LiveLoop: EventSink {
    static let maximumWaiting = 64

    let queue = BoundedQueue<CLLocationUpdate>(capacity: maximumWaiting)
    private let client: LocationClient
    private let activityType: CLActivityType
    private let state = Mutex(State())

    private struct State {
        var hasBegun = false
        var session: Int?
        /// The service session that asks the user for authorization if the authorization is not determined yet.
        var held: HeldSession?
        var watch: String?
        var last: CLLocation?
        var flags: SessionDiagnostics = []
    }

    init(client: LocationClient, activityType: CLActivityType) {
        self.client = client
        self.activityType = activityType
    }

    deinit {
        queue.finish()
        guard let session = state.withLock({ $0.session }) else { return }
        client.update { state in
            state.closeSession(session)
            return ((), [])
        }
    }

    /// Asks the daemon for updates on the first call; later calls do nothing.
    func begin() {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        if isFirst { watch() }
    }

    private func watch() {
        var settings = WatchSettings()
        settings.activityType = activityType
        settings.isLive = true
        let asked = settings
        let held = HeldSession(client: client) { line in
            line.with(.authorization, word: AuthorizationRequest.whenInUse).with(.implicit, true)
        }
        state.withLock { $0.held = held }
        let session = client.update { [self] client in
            let session = client.openSession(self)
            let watch = session.flatMap { client.watch($0, asked) }
            state.withLock { state in
                state.session = session
                state.watch = watch
            }
            return (session, [])
        }
        if session == nil { push(nil, adding: .locationUnavailable) }
    }

    func receive(_ event: ClientEvent) {
        switch event {
        case .locations(let locations, let name, _) where isCurrent(name): tell(locations)
        case .failed(.locationUnknown, let name, _) where isCurrent(name): push(nil, adding: .locationUnavailable)
        case .paused(let name, let withoutFix) where isCurrent(name):
            if withoutFix { push(nil, adding: .locationUnavailable) } else { pushStationary() }
        case .diagnostics(let flags, _): diagnose(flags)
        default: break
        }
    }

    func whenSettled(_ done: @escaping @Sendable () -> Void) {
        queue.whenSettled(done)
    }

    private func isCurrent(_ name: String) -> Bool {
        state.withLock { $0.watch == name }
    }

    private func tell(_ locations: [CLLocation]) {
        client.hold(locations.last)
        state.withLock { state in
            state.last = locations.last
            state.flags.formIntersection(.accuracyLimited)
        }
        for location in locations { push(location, adding: []) }
    }

    private func pushStationary() {
        let (last, flags) = state.withLock { ($0.last, $0.flags) }
        queue.push(CLLocationUpdate(location: last, stationary: true, flags: flags))
    }

    /// Stores the reasons why the loop gets no locations; if these are new, the loop gets an update with them and
    /// without a location.
    private func diagnose(_ flags: SessionDiagnostics) {
        let changed = state.withLock { state in
            defer { state.flags = flags }
            return state.flags != flags
        }
        if changed, !flags.isEmpty { push(nil, adding: []) }
    }

    private func push(_ location: CLLocation?, adding more: SessionDiagnostics) {
        let flags = state.withLock { $0.flags }
        queue.push(CLLocationUpdate(location: location, stationary: false, flags: flags.union(more)))
    }
}
