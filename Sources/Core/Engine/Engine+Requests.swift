internal import ClientProtocol
internal import Epochs
internal import GNSS
internal import GPSDProtocol
internal import JSONText
internal import Power
internal import ReceiverStream
internal import Sessions
internal import Units

/// What clients ask, and what they are answered.
extension Engine {
    mutating func connected(
        _ id: ClientID, _ kind: ClientKind, _ identity: PeerIdentity?, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        let manifest = kind == .gpsd ? admission.gpsd : admission.client(for: identity)
        managed?.joined(id.rawValue, label: Engine.label(kind, manifest, identity))
        switch kind {
        case .local:
            var client = LocalClient(
                id: id, identity: identity, session: LocalSession(userID: identity?.userID, client: manifest?.name),
                told: access(of: manifest?.name))
            client.isOperator = isOperator(manifest, identity)
            clients.local.append(client)
        case .gpsd:
            clients.gpsd.append(GPSDClient(id: id))
            outputs.send(id) { GPSDReply.appendVersion(software: ProtocolVersion.software, to: &$0) }
        }
        if let manifest {
            decide(.connected(id, client: manifest.name), at: instant, into: &outputs)
        } else {
            noManifest(kind, identity, into: &outputs)
        }
        isCompassOccasion = kind == .local
        if kind == .local { greet(clientAt: clients.local.count - 1, manifest, at: instant, into: &outputs) }
        accessChanged(at: instant, into: &outputs)
    }

    /// The first line: who the client is, and what it may see.
    private mutating func greet(
        clientAt client: Int, _ manifest: ClientManifest?, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let id = clients.local[client].id
        let reason = manifest.flatMap { join(id, as: $0.name, at: instant) }
        let isLaunched = reason != nil
        if isLaunched {
            clients.local[client].session.isForeground = false
            decide(.beganInBackground(id), at: instant, into: &outputs)
        }
        isAccessStale = false
        let access = access(of: manifest?.name)
        clients.local[client].told = access
        clients.local[client].wasDenied = isDenied(clientAt: client)
        clients.local[client].session.grant = grant(ofClientAt: client)
        var hello = HelloObject(client: manifest?.name, access: access)
        if let manifest { hello.describe(manifest) }
        hello.isLaunchedForLocation = isLaunched
        hello.capabilities = capabilities
        let newest = newestLocation(forClientAt: client, at: instant)
        outputs.send(id) { ClientEvent.append(hello, location: newest, to: &$0) }
    }

    /// The services that the board has: without a receiver there is nothing to hold back.
    private var capabilities: [StaticString] {
        ["standard", "significantChange"] + (line.isOpen ? ["deferral"] : []) + ["regions", "visits"]
            + (isHeadingAvailable ? ["heading"] : [])
    }

    /// The receiver came or went: clients are told what the board has now.
    mutating func announceCapabilities(into outputs: inout Outputs) {
        let capabilities = capabilities
        for client in clients.local {
            outputs.send(client.id) { ClientEvent.appendCapabilities(capabilities, to: &$0) }
        }
    }

    /// A connection is one of this client.
    ///
    /// - Returns: The service of the event that the client was started for; nil where it came by itself.
    mutating func join(_ id: ClientID, as client: String, at instant: MonotonicInstant) -> MonitoredService? {
        pending.connect(id, as: client)
        joinSessions(id, as: client, at: instant)
        return wakes.connected(id, as: client, at: instant)
    }

    /// A connection is none of this client any more: what it held goes with it.
    mutating func leave(
        _ id: ClientID, of client: String, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        pending.disconnect(id)
        leaveSessions(id, of: client)
        follow(wakes.disconnected(id, of: client, at: instant), into: &outputs)
    }

    /// Writes the newest location that a client may see; nil where there is none.
    private func newestLocation(
        forClientAt client: Int, at instant: MonotonicInstant
    ) -> ((inout TextBuffer) -> Void)? {
        let source = configuration.source
        switch clients.local[client].session.grant {
        case .none: return nil
        case .reduced:
            guard let estimate = reduced.current(at: instant) else { return nil }
            let age = Double(instant.nanoseconds(since: estimate.measured)) * 1e-9
            return { LocationObject.appendMembers(reduced: .init(estimate), age: age, source: source, to: &$0) }
        case .full:
            guard let (fix, since) = lastLocation else { return nil }
            let age = Double(instant.nanoseconds(since: since)) * 1e-9
            return { LocationObject.appendMembers(fix, age: age, source: source, to: &$0) }
        }
    }

    /// Whose energy it is that a connection costs.
    private static func label(_ kind: ClientKind, _ manifest: ClientManifest?, _ identity: PeerIdentity?) -> String {
        if kind == .gpsd { return Admission.gpsdClient }
        if let manifest, manifest.selector != ClientSelector() { return manifest.name }
        return identity.map { "user \($0.userID)" } ?? "local"
    }

    /// Why a client is not served; nil where it is.
    private func refusal(ofClientAt client: Int) -> (code: StaticString, message: String)? {
        guard let name = clients.local[client].session.client else {
            let why =
                admission.isComplete
                ? "no manifest speaks of this process, so it is told nothing; write one in clients.d"
                : "who is served cannot be told now, so nobody is; sextant status and the daemon's log say why"
            return ("noManifest", why)
        }
        return missing(for: name).map { ("unmetRequirement", $0) }
    }

    /// What a client cannot do without and the board does not have, in a sentence; nil where nothing is missing.
    func missing(for client: String) -> String? {
        // A daemon always has a receiver, if only one that is waited for; a compass is there until it is found missing.
        let hasCompass = configuration.hasCompass && compass.state != .absent
        let present: Set<ClientManifest.Requirement> = hasCompass ? [.receiver, .magnetometer] : [.receiver]
        let unmet = admission[client]?.unmetRequirements(with: present) ?? []
        guard !unmet.isEmpty else { return nil }
        let names = unmet.map(\.rawValue).joined(separator: ", ")
        return "its manifest requires what this board does not have: \(names); it is not served"
    }

    private mutating func noManifest(_ kind: ClientKind, _ identity: PeerIdentity?, into outputs: inout Outputs) {
        let name = kind == .gpsd ? Admission.gpsdClient : identity?.printableName ?? "local"
        let why =
            admission.isComplete
            ? "it has no manifest, and is told nothing of where the board is; write one"
            : "nobody is served, for who is cannot be told now"
        outputs.actions.append(.log(.client(name, why)))
    }

    mutating func serve(
        _ id: ClientID, _ request: Result<ClientRequest, RefusedRequest>, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        guard let client = clients.local.firstIndex(where: { $0.id == id }) else { return }
        switch request {
        case .failure(let refused):
            let problem = refused.problem
            outputs.send(id) { ClientEvent.appendError(problem.code, problem.message, id: refused.id, to: &$0) }
        case .success(let request):
            if !request.kind.needsNoManifest, let (code, message) = refusal(ofClientAt: client) {
                return outputs.send(id) { ClientEvent.appendError(code, message, id: request.id, to: &$0) }
            }
            serve(request, clientAt: client, at: instant, into: &outputs)
            clients.local[client].hasAsked = true
            demandChanged()
        }
    }

    private mutating func serve(
        _ request: ClientRequest, clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let id = clients.local[client].id
        switch request.kind {
        case .status:
            let status = status(at: instant)
            outputs.send(id) { ClientEvent.appendStatus(status, id: request.id, to: &$0) }
        case .energy:
            let report = managed?.energyReport(at: instant)
            outputs.send(id) { Engine.append(report, id: request.id, to: &$0) }
        case .ping: outputs.send(id) { ClientEvent.appendPong(id: request.id, to: &$0) }
        case .watch, .watchLocations, .change, .defer, .undefer, .unwatch, .flush, .locate, .locateOnce, .release:
            serveLocations(request, clientAt: client, at: instant, into: &outputs)
        case .state, .authorize, .authorizeFullAccuracy, .holdSession, .releaseSession, .extendWake:
            serveAccess(request, clientAt: client, at: instant, into: &outputs)
        case .monitorSignificantChange, .monitorVisits, .monitorRegion, .unmonitorRegion, .regionState,
            .registrations, .acknowledge:
            serveMonitoring(request, clientAt: client, at: instant, into: &outputs)
        case .watchHeading, .changeHeading, .unwatchHeading, .displayHeadingCalibration, .dismissHeadingCalibration:
            serveHeading(request, clientAt: client, at: instant, into: &outputs)
        case .operator(let kind): serve(kind, id: request.id, clientAt: client, at: instant, into: &outputs)
        }
    }

    private mutating func serveLocations(
        _ request: ClientRequest, clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        switch request.kind {
        case .watch(let satellites):
            endLocations(of: 0, clientAt: client, at: instant, into: &outputs)
            clients.local[client].session.watchesSatellites = satellites
            outputs.send(clients.local[client].id) { ClientEvent.appendWatching(true, id: request.id, to: &$0) }
        case .watchLocations(let settings, let options, let label):
            watch(settings, options, label: label, request, clientAt: client, at: instant, into: &outputs)
        case .change(let settings, let options):
            guard let place = place(of: request, clientAt: client) else { return }
            change(to: settings, options, at: place, at: instant, into: &outputs)
        case .defer(let deferral, let onlyInBackground):
            `defer`(
                deferral, onlyInBackground: onlyInBackground, request, clientAt: client, at: instant, into: &outputs)
        case .undefer:
            guard let place = place(of: request, clientAt: client) else { return }
            endTerm(.asked, at: place, at: instant, into: &outputs)
        case .unwatch:
            end(request.session, clientAt: client, at: instant, into: &outputs)
            outputs.send(clients.local[client].id) {
                ClientEvent.appendWatching(false, session: request.session, id: request.id, to: &$0)
            }
        case .flush: flush(request, clientAt: client, at: instant, into: &outputs)
        case .locate(let seconds, let accuracy):
            let deadline = instant.advanced(byNanoseconds: Int64(seconds * 1e9))
            wait(
                LocationWait(.next(accuracy: accuracy), until: deadline, id: request.id), clientAt: client,
                at: instant, into: &outputs)
        case .locateOnce(let accuracy):
            locateOnce(accuracy, request, clientAt: client, at: instant, into: &outputs)
        case .release:
            end(request.session, clientAt: client, at: instant, into: &outputs)
            endHeadings(of: request.session, clientAt: client)
            let id = clients.local[client].id
            decide(.withdrawn(id, session: Int(request.session)), at: instant, into: &outputs)
        default: break
        }
    }

    private func place(of request: ClientRequest, clientAt client: Int) -> SessionPlace? {
        clients.local[client].session.place(ofSession: request.session).map {
            SessionPlace(client: client, session: $0)
        }
    }

    /// Ends what a session watches or waits for.
    private mutating func end(
        _ session: UInt8, clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        endLocations(of: session, clientAt: client, at: instant, into: &outputs)
        clients.local[client].session.cancelOnce(ofSession: session)
        if session == 0 { clients.local[client].session.watchesSatellites = nil }
    }

    private mutating func endLocations(
        of session: UInt8, clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        guard let place = clients.local[client].session.place(ofSession: session) else { return }
        endLocations(at: SessionPlace(client: client, session: place), at: instant, into: &outputs)
    }

    private static func append(_ report: EnergyReport?, id: String?, to text: inout TextBuffer) {
        guard let report else {
            return ClientEvent.appendError(
                "unavailable",
                "nothing is known of what the board draws; start sextantd with --board, or name one in its file",
                id: id, to: &text)
        }
        ClientEvent.appendEnergy(report, id: id, to: &text)
    }

    mutating func gone(_ id: ClientID, at instant: MonotonicInstant, into outputs: inout Outputs) {
        let name = clients.local.first { $0.id == id }?.session.client
        left(id, at: instant, into: &outputs)
        clients.remove(id)
        managed?.left(id.rawValue)
        deferred.release(id)
        decide(.gone(id), at: instant, into: &outputs)
        // What it left behind waits for it, and may start it.
        if let name { awaken(name, at: instant, into: &outputs) }
        accessChanged(at: instant, into: &outputs)
    }

    /// What is needed of the receiver, after somebody came, went, asked, was answered or paused.
    mutating func demandChanged() {
        let requests = clients.requests + monitoringRequests
        demand = Demand.merging(requests)
        cause = clients.cause(of: requests)
    }

    private func status(at instant: MonotonicInstant) -> DaemonStatus {
        var status = DaemonStatus()
        status.clients = clients.local.count + clients.gpsd.count
        status.device = configuration.device
        status.state = line.isOpen && managed?.isAsleep == true ? .resting : line.state
        status.power = managed?.status(at: instant)
        status.compass = compassStatus(at: instant)
        status.detail = failure
        status.baud = line.rate
        let counters = line.decoder.stream.counters
        status.bytes = counters.bytes
        status.sentences = counters.sentences
        status.frames = counters.frames
        status.checksumFailures = counters.checksumFailures
        status.skippedBytes = counters.skippedBytes
        status.epochs = epochCount
        status.secondsSinceEpoch = lastEpochAt.map { Double(instant.nanoseconds(since: $0)) * 1e-9 }
        status.time = lastEpochAt == nil ? nil : lastEpoch.fix.time
        return status
    }
}

extension HelloObject {
    fileprivate mutating func describe(_ manifest: ClientManifest) {
        maximumRegions = manifest.maximumRegions
        hasBackgroundMode = manifest.backgroundMode
        hasWhenInUsePurpose = manifest.purposes.whenInUse != nil
        hasAlwaysPurpose = manifest.purposes.always != nil
        temporaryPurposes = manifest.purposes.temporaryKeys
        requiresServiceSession = manifest.requiresServiceSession
    }
}
