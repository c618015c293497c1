internal import ClientVocabulary
internal import DaemonClient

extension ClientState {
    /// Takes the daemon's greeting, and sends everything that the program has asked for and still wants.
    mutating func greet(_ line: DaemonLine) -> [Delivery] {
        let isFirst = greeting == nil
        isReady = true
        greeting = Greeting(
            backgroundMode: line.flag(.backgroundMode) ?? false, capabilities: Set(line.texts(.capabilities)),
            launchReason: line.text(.launchReason), hasPurpose: line.object(.purposes)?.flag(.whenInUse),
            location: line.location)
        outbox.clear()
        // A changed authorization is told to every manager, and so to those that have not been told theirs yet.
        let changes = authorize(line.authorization ?? Authorization())
        let firsts = announce()
        // Conditions that were refused are asked for anew: this process may have a manifest now.
        var deliveries = (changes.isEmpty ? firsts : changes) + roomMade()
        if isFirst, !services.isEmpty, !authorization.isDenied, let failure = serviceFailure {
            deliveries.append(Delivery(event: failure, sinks: managers))
        }
        if newest == nil { newest = line.location }
        // A program that was started for an event is in the background until it says otherwise.
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
        // A watch that began in the foreground may go on in the background: it is sent before the program's state
        // is.
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

    /// Asks again for a deferral, for the rest of its time and with its distance from where it began, under a new name.
    ///
    /// A daemon that greets anew on a connection that was not lost may still have the deferral. It ends that one, and
    /// tells so under the old name; by the new name the end is not taken for that of the deferral asked for here.
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

    /// Tells new managers their authorization.
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

    /// Takes an authorization, and tells it once to every manager if it differs from the one before.
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

    /// The failures that delegates are told when the program is denied, and for which the daemon sends no line.
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
