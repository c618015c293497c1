internal import Access
internal import ClientProtocol
internal import ClientVocabulary
internal import Parts

extension Monitoring {
    mutating func list(
        of client: String, _ grants: Grants, id: String?, on connection: ClientID, _ turn: inout Turn
    ) {
        let maySeeStates = grants.mayHear(of: .regions, client)
        // The number of registrations in the answer leaves out the manifest's regions, because they are the operator's
        // and the client cannot end their monitoring.
        let own = view.count(of: client) - view.regions.manifestCount(of: client)
        let services = view.services.services(of: client)
        turn.send(connection) { text in
            for service in services { ClientEvent.appendRegistration(service.name, to: &text) }
            for region in view.regions.registrations(of: client) where !region.isOfManifest {
                ClientEvent.appendRegistration(
                    region.request, isInside: maySeeStates ? view.regions.shownState(of: region) : nil,
                    date: maySeeStates ? region.date : nil,
                    exitAfter: maySeeStates ? view.regions.exitAfter(region) : nil, to: &text)
            }
            ClientEvent.appendRegistrations(count: own, id: id, to: &text)
        }
        // A client that asks for the list of its registrations is also sent their events from then on, except
        // significant changes, which need a request of their own.
        let hasTopic = grants.manifest(of: client)?.regions.contains { $0.topic != nil } ?? false
        if hasTopic || view.regions.count(of: client) > view.regions.manifestCount(of: client) {
            turn.tell(.want(.regions, on: connection))
        }
        for service in services where service != .significantChange { turn.tell(.want(service, on: connection)) }
    }

    /// Switches a service (visits or significant changes, but not regions) on or off for a client.
    mutating func set(
        _ service: MonitoredService, _ isEnabled: Bool, of client: String, on connection: ClientID,
        _ whereabouts: Whereabouts, _ grants: Grants, _ turn: inout Turn
    ) {
        guard isEnabled else {
            guard view.services.remove(service, client, &turn) else { return }
            changes.settle(view.services)
            return turn.tell(.withdraw(service, of: client))
        }
        guard view.services[service, client] != nil else {
            view.services.keep([], of: service, client, &turn)
            changes.begin(&view.services, whereabouts, grants, &turn)
            return turn.tell(.want(service, on: connection))
        }
        // A client that asks for significant changes once more gets its waiting event; if none waits, it gets the last
        // known location.
        let known =
            service == .significantChange && grants.mayMonitor(client)
            ? whereabouts.latest(isReduced: grants.isReduced(client), at: turn.instant) : nil
        turn.tell(.want(service, on: connection, known: known))
    }
}

/// A table with one value for each client, in the order of the clients' names.
struct PerClient<Value> {
    private(set) var entries: [(client: String, value: Value)] = []

    subscript(client: String) -> Value? {
        get {
            let (index, isKnown) = find(client)
            return isKnown ? entries[index].value : nil
        }
        set {
            let (index, isKnown) = find(client)
            switch (isKnown, newValue) {
            case (true, let value?): entries[index].value = value
            case (true, nil): entries.remove(at: index)
            case (false, let value?): entries.insert((client, value), at: index)
            case (false, nil): break
            }
        }
    }

    /// The index of a client's entry, or the index at which a new entry belongs.
    private func find(_ client: String) -> (index: Int, isKnown: Bool) {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].client < client { low = middle + 1 } else { high = middle }
        }
        return (low, low < entries.count && entries[low].client == client)
    }

    /// Changes a client's entry in place; if the client has no entry, first adds one with the value `initial`.
    mutating func change<Result>(
        _ client: String, initial: @autoclosure () -> Value, _ body: (inout Value) -> Result
    ) -> Result {
        let (index, isKnown) = find(client)
        if !isKnown { entries.insert((client, initial()), at: index) }
        return body(&entries[index].value)
    }

    mutating func change<Result>(at index: Int, _ body: (inout Value) -> Result) -> Result {
        body(&entries[index].value)
    }
}
