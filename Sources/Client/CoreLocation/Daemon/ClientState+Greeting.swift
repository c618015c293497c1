internal import ClientVocabulary
internal import DaemonClient

extension ClientState {
    /// Handles the `hello` line, with which the daemon begins a connection, and sends all requests that the program has
    /// made and not ended.
    mutating func greet(_ line: DaemonLine) -> [EventDelivery] {
        let isFirst = greeting == nil
        isReady = true
        greeting = Greeting(
            backgroundMode: line.flag(.backgroundMode) ?? false, capabilities: Set(line.texts(.capabilities)),
            launchReason: line.text(.launchReason), hasPurpose: line.object(.purposes)?.flag(.whenInUse),
            location: line.location)
        // A changed authorization goes to every manager, an unchanged one only to the new managers, which have got
        // none.
        let changes = authorize(line.authorization ?? Authorization())
        let firsts = announce()
        // Conditions that the daemon refused are requested again, because the program may have got a manifest
        // meanwhile.
        var deliveries = (changes.isEmpty ? firsts : changes) + roomMade()
        if isFirst, !services.isEmpty, !authorization.isDenied, let failure = serviceFailure {
            deliveries.append(EventDelivery(event: failure, sinks: managers))
        }
        if newest == nil { newest = line.location }
        // A program that the daemon started for an event is in the background until the program says otherwise.
        if line.text(.launchReason) != nil, !hasSaidState { isForeground = false }
        saySessions(isLaunched: line.text(.launchReason) != nil)
        outbox.append(orders: journal.bytes)
        // These requests follow the unread ones, because an unread request can have switched off a service that the
        // program started again afterwards.
        for service in MonitoredService.switched where services.contains(service) { send(Self.monitor(service, true)) }
        confirmJournal()
        askRegistrations()
        for name in pings.keys { send(DaemonRequest(.ping).with(.id, name)) }
        return deliveries
    }

    private mutating func saySessions(isLaunched: Bool) {
        let isForeground = isForeground
        // Updates that began in the foreground can go on in the background, so they are requested before the daemon is
        // told that the program is in the background.
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

    /// Requests deferred updates again, under a new request name, with the time that is left and the location from
    /// which the distance counts.
    ///
    /// The daemon can send another `hello` line on a connection that was not lost, and can then still have the old
    /// deferral. The daemon reports the old deferral's end under the old name, so this end is not taken for that of the
    /// new deferral.
    private mutating func sayDeferral(_ number: Int) {
        guard var deferral = sessions[number]?.deferral, !deferral.isEnding else { return }
        deferral.name = newName("defer")
        sessions[number]?.deferral = deferral
        let origin = deferral.origin?.coordinate
        deferral.timeout = deferral.timeLeft
        send(
            deferLine(number, deferral).with(.latitude, origin?.latitude).with(.longitude, origin?.longitude))
    }

    /// Handles the loss of the connection to the daemon, or a failed attempt to connect.
    mutating func lose() -> [EventDelivery] {
        isReady = false
        confirming = nil
        outbox.clear()
        registry.isAsking = false
        var deliveries = takeBeacons()
        for number in sessions.keys.sorted() { deliveries += loseSession(number) }
        return announce() + deliveries
    }

    /// Sends the authorization to the new managers that have not got it.
    mutating func announce() -> [EventDelivery] {
        let sinks = unannounced.compactMap(\.sink)
        unannounced = []
        return sinks.isEmpty ? [] : [EventDelivery(event: .authorization(authorization), sinks: sinks)]
    }

    private mutating func loseSession(_ number: Int) -> [EventDelivery] {
        var deliveries = takeBatch(number)
        if sessions[number]?.deferral?.isEnding == true { deliveries += endDeferral(number, nil) }
        sessions[number]?.watch?.isConfirmed = false
        sessions[number]?.watch?.skipsRepeat = true
        sessions[number]?.heading?.isConfirmed = false
        for identity in sessions[number]?.rangings.keys.map(\.self) ?? [] {
            sessions[number]?.rangings[identity]?.isConfirmed = false
        }
        return deliveries
    }

    /// Stores the program's authorization; if it differs from the previous one, every manager gets it.
    mutating func authorize(_ new: Authorization) -> [EventDelivery] {
        let old = authorization
        guard new != old else { return [] }
        authorization = new
        let isNarrower = new.accuracy == .reducedAccuracy && old.accuracy == .fullAccuracy
        if !new.isGranted || isNarrower { newest = nil }
        for number in sessions.keys { sessions[number]?.authorizations = [] }
        let denials = new.isDenied && !old.isDenied ? denials : []
        return [EventDelivery(event: .authorization(new), sinks: managers)] + denials
    }

    /// The failures that this process itself reports to delegates when the program becomes denied.
    ///
    /// The monitoring of each region fails. The monitoring of significant changes fails for the managers that run no
    /// updates; the others get this failure from the daemon.
    private var denials: [EventDelivery] {
        let watching = sessions.values.filter { $0.watch != nil }.compactMap(\.sink)
        let others = managers.filter { manager in !watching.contains { $0 === manager } }
        let changes = ClientEvent.failed(.denied, of: CLLocationManager.nobody)
        let regions = registry.confirmed.sorted { $0.key < $1.key }.map { identifier, watched in
            ClientEvent.monitoringFailed(
                watched.region(identifier),
                CLError(.regionMonitoringDenied, because: authorization.denialReason))
        }
        return (services.contains(.significantChange) ? [EventDelivery(event: changes, sinks: others)] : [])
            + regions.map { EventDelivery(event: $0, sinks: managers) }
    }

    mutating func askRegistrations() {
        guard isReady, !registry.isAsking else { return }
        registry.beginAsking()
        send(DaemonRequest(.registrations))
    }
}
