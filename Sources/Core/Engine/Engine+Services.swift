internal import ClientProtocol
internal import Monitors
internal import Receivers
internal import Sessions
internal import Units

/// What a client says of itself and asks to be allowed, and what follows from time alone.
extension Engine {
    mutating func serveAccess(
        _ request: ClientRequest, clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let id = clients.local[client].id
        guard let name = clients.local[client].session.client else { return }
        switch request.kind {
        case .state(let isForeground): set(isForeground, clientAt: client, at: instant, into: &outputs)
        case .authorize(let always):
            decide(
                .requested(id, session: Int(request.session), always ? .always : .whenInUse), at: instant,
                into: &outputs)
        case .authorizeFullAccuracy(let key):
            decide(.requestedFullAccuracy(id, id: request.id, purposeKey: key), at: instant, into: &outputs)
        case .holdSession(let number, let goal):
            hold(goal, number: number, clientAt: client, at: instant, into: &outputs)
        case .releaseSession(let number):
            release(number: number, clientAt: client, at: instant, into: &outputs)
        case .extendWake(let seconds): wakes.extend(name, bySeconds: seconds)
        default: break
        }
    }

    private mutating func set(
        _ isForeground: Bool, clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        guard clients.local[client].session.isForeground != isForeground else { return }
        clients.local[client].session.isForeground = isForeground
        let id = clients.local[client].id
        let wasNeverInUse = !clients.local[client].hasAsked && !isForeground
        decide(
            wasNeverInUse ? .beganInBackground(id) : .state(id, isForeground: isForeground), at: instant,
            into: &outputs)
        if isForeground, let name = clients.local[client].session.client { wakes.cameIntoUse(name) }
        accessChanged(at: instant, into: &outputs)
        guard isForeground else { return }
        // In the foreground nothing is held back.
        for session in clients.local[client].session.locations.indices {
            let place = SessionPlace(client: client, session: session)
            guard clients[place].term?.onlyInBackground == true else { continue }
            deliverHeld(at: place, at: instant, into: &outputs) { _ in }
        }
    }

    /// A connection ended: what it held and waited for goes with it.
    mutating func left(_ id: ClientID, at instant: MonotonicInstant, into outputs: inout Outputs) {
        guard let place = clients.local.firstIndex(where: { $0.id == id }) else { return }
        let client = clients.local[place]
        if client.isAgent {
            clients.local[place].isAgent = false
            countAgents(at: instant, into: &outputs)
        }
        guard let name = client.session.client else { return }
        leave(id, of: name, at: instant, into: &outputs)
    }

    /// What is due for clients at this instant.
    mutating func settleClients(at instant: MonotonicInstant, into outputs: inout Outputs) {
        decide(.timePassed, at: instant, into: &outputs)
        follow(wakes.advance(to: instant), into: &outputs)
        settleReduced(at: instant, into: &outputs)
        settleSignificantChanges(at: instant, into: &outputs)
        settlePath(at: instant, into: &outputs)
        if let deadline = sessionsDeadline, deadline <= instant { isAccessStale = true }
        if let isOn = indicator.advance(to: instant) { light(isOn, into: &outputs) }
    }

    /// The next instant at which time alone changes something for clients.
    var servicesDeadline: MonotonicInstant? {
        let admission: MonotonicInstant? = .earlier(authorization.deadline, .earlier(wakes.deadline, sessionsDeadline))
        let places: MonotonicInstant? = .earlier(reducedDeadline, .earlier(significantChangeDeadline, pathDeadline))
        return .earlier(indicator.deadline, .earlier(admission, places))
    }

    // MARK: The indicator

    /// Shows whether somebody follows the board from the background.
    mutating func settleIndicator(at instant: MonotonicInstant, into outputs: inout Outputs) {
        let isNeeded = clients.local.indices.contains { mustShow(clientAt: $0) }
        if let isOn = indicator.update(isNeeded: isNeeded, at: instant) { light(isOn, into: &outputs) }
    }

    /// A location was sent to a client: who is seen is seen for a moment more.
    mutating func delivered(clientAt client: Int, at instant: MonotonicInstant) {
        guard indicator.isOn, mustShow(clientAt: client) else { return }
        indicator.delivered(at: instant)
    }

    private func mustShow(clientAt client: Int) -> Bool {
        let session = clients.local[client].session
        guard let name = session.client else { return false }
        let status = authorization.standing(of: name).status
        var (isContinuous, showsIndicator) = (false, false)
        for location in session.locations.indices {
            let place = SessionPlace(client: client, session: location)
            guard clients[place].grant > .none, self.isContinuous(at: place) else { continue }
            isContinuous = true
            showsIndicator = showsIndicator || clients[place].options.showsIndicator
        }
        return IndicatorUse(
            isBackground: !session.isForeground, updatesContinuously: isContinuous, status: status,
            showsIndicator: showsIndicator,
            holdsActiveBackgroundActivity: holdsBackgroundActivity(clientAt: client)
        ).mustShow
    }

    func light(_ isOn: Bool, into outputs: inout Outputs) {
        if hasIndicator { outputs.actions.append(.setLine(.indicator, isOn)) }
    }
}
