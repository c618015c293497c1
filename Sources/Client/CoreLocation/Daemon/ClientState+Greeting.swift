internal import ClientVocabulary
internal import DaemonClient

extension ClientState {
    /// Handles the daemon's first line, and sends all requests of the program that still hold.
    mutating func greet(_ line: DaemonLine) -> [Delivery] {
        let isFirst = greeting == nil
        isReady = true
        greeting = Greeting(
            backgroundMode: line.flag(.backgroundMode) ?? false, capabilities: Set(line.texts(.capabilities)),
            launchReason: line.text(.launchReason), hasPurpose: line.object(.purposes)?.flag(.whenInUse),
            location: line.location)
        outbox.clear()
        // A changed authorization goes to every manager, which includes the managers that wait for their first one.
        let changes = authorize(line.authorization ?? Authorization())
        let firsts = announce()
        // Refused conditions are requested again, because the program may have a manifest now.
        var deliveries = (changes.isEmpty ? firsts : changes) + roomMade()
        if isFirst, !services.isEmpty, !authorization.isDenied, let failure = serviceFailure {
            deliveries.append(Delivery(event: failure, sinks: managers))
        }
        if newest == nil { newest = line.location }
        // A program that the daemon started for an event is in the background until the program says otherwise.
        if line.text(.launchReason) != nil, !hasSaidState { isForeground = false }
        saySessions(isLaunched: line.text(.launchReason) != nil)
        for service in MonitoredService.switched where services.contains(service) { send(Self.monitor(service, true)) }
        outbox.append(orders: journal.bytes)
        confirmJournal()
        askRegistrations()
        for name in pings.keys { send(DaemonRequest(.ping).with(.id, name)) }
        return deliveries
    }

    private mutating func saySessions(isLaunched: Bool) {
        let isForeground = isForeground
        // Updates that began in the foreground can go on in the background, so they are requested before the state is
        // sent.
        let first = sessions.keys.filter { !isForeground && sessions[$0]?.watch?.goesOnInBackground == true }.sorted()
        for number in first { saySession(number) }
        if !isForeground || isLaunched { sayState() }
        for number in holds.keys.sorted() {
            if let line = holds[number]?.line { send(line) }
        }
        for number in sessions.keys.sorted() where !first.contains(number) { saySession(number) }
        for name in stateQuestions.keys.sorted() { sayStateQuestion(name) }
        for name in histories.keys.sorted() { sayHistoryQuestion(name) }
    }

    private mutating func saySession(_ number: Int) {
        guard let session = sessions[number] else { return }
        for authorization in session.authorizations {
            send(authorizeLine(number, authorization))
        }
        if let watch = session.watch {
            send(watch.settings.line(.watch, session: number).with(.id, watch.name))
            sayDeferral(number)
        } else if let locate = session.locate {
            send(locateLine(number, locate))
        }
        if let heading = session.heading {
            send(heading.settings.line(.watchHeading, session: number).with(.id, heading.name))
        }
        for (identity, ranging) in session.rangings.sorted(by: { $0.value.name < $1.value.name }) {
            send(rangeLine(number, identity, ranging))
        }
        for (name, key) in session.fullAccuracy.sorted(by: { $0.key < $1.key }) {
            send(fullAccuracyLine(number, name: name, purposeKey: key))
        }
    }

    /// Requests a deferral again, under a new name, for the rest of its time and with the distance from its origin.
    ///
    /// The daemon can send a new first line on a connection that was not lost, and can still have the old deferral. The
    /// daemon then reports the old deferral's end under the old name, so this end is not taken for that of the new
    /// deferral.
    private mutating func sayDeferral(_ number: Int) {
        guard var deferral = sessions[number]?.deferral else { return }
        deferral.name = newName("defer")
        sessions[number]?.deferral = deferral
        let origin = deferral.origin?.coordinate
        deferral.timeout = deferral.timeLeft
        send(
            deferLine(number, deferral).with(.latitude, origin?.latitude).with(.longitude, origin?.longitude))
    }

    /// Handles a connection that was lost, or that could not be made.
    mutating func lose() -> [Delivery] {
        isReady = false
        confirming = nil
        outbox.clear()
        registry.isAsking = false
        var deliveries = takeBeacons()
        for number in sessions.keys.sorted() { deliveries += loseSession(number) }
        return announce() + deliveries
    }

    /// Sends new managers their authorization.
    mutating func announce() -> [Delivery] {
        let sinks = unannounced.compactMap(\.sink)
        unannounced = []
        return sinks.isEmpty ? [] : [Delivery(event: .authorization(authorization), sinks: sinks)]
    }

    private mutating func loseSession(_ number: Int) -> [Delivery] {
        let deliveries = takeBatch(number)
        sessions[number]?.watch?.isConfirmed = false
        sessions[number]?.watch?.skipsRepeat = true
        sessions[number]?.heading?.isConfirmed = false
        for identity in sessions[number]?.rangings.keys.map(\.self) ?? [] {
            sessions[number]?.rangings[identity]?.isConfirmed = false
        }
        return deliveries
    }

    /// Notes an authorization, and sends it once to every manager if it differs from the previous one.
    mutating func authorize(_ new: Authorization) -> [Delivery] {
        let old = authorization
        guard new != old else { return [] }
        authorization = new
        let isNarrower = new.accuracy == .reducedAccuracy && old.accuracy == .fullAccuracy
        if !new.isGranted || isNarrower { newest = nil }
        for number in sessions.keys { sessions[number]?.authorizations = [] }
        let denials = new.isDenied && !old.isDenied ? denials : []
        return [Delivery(event: .authorization(new), sinks: managers)] + denials
    }

    /// The failures that delegates get when the program is denied and for which the daemon sends no line.
    ///
    /// Each region fails. Significant changes fail for the managers that run no updates; to a manager that runs
    /// updates, the daemon reports the same failure anyway.
    private var denials: [Delivery] {
        let watching = sessions.values.filter { $0.watch != nil }.compactMap(\.sink)
        let others = managers.filter { manager in !watching.contains { $0 === manager } }
        let changes = ClientEvent.failed(.denied, of: CLLocationManager.nobody)
        let regions = registry.confirmed.sorted { $0.key < $1.key }.map { identifier, watched in
            ClientEvent.monitoringFailed(
                watched.region(identifier),
                CLError(.regionMonitoringDenied, because: authorization.denialReason))
        }
        return (services.contains(.significantChange) ? [Delivery(event: changes, sinks: others)] : [])
            + regions.map { Delivery(event: $0, sinks: managers) }
    }

    mutating func askRegistrations() {
        guard isReady, !registry.isAsking else { return }
        registry.beginAsking()
        send(DaemonRequest(.registrations))
    }
}
