internal import ClientProtocol
internal import JSONText
internal import Sessions
internal import Units

/// What operators ask, and what agents are told.
extension Engine {
    mutating func serve(
        _ request: OperatorRequest, id: String?, clientAt client: Int, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        let connection = clients.local[client].id
        guard clients.local[client].isOperator else {
            return outputs.send(connection) {
                ClientEvent.appendError(
                    "notOperator",
                    "only the board's root, the daemon's user and clients whose manifest says operator may ask this",
                    id: id, to: &$0)
            }
        }
        switch request {
        case .clients: listClients(for: id, to: connection, into: &outputs)
        case .answer(let name, let answer, let reducesAccuracy, let mayBeWoken):
            guard exists(name, id: id, connection, into: &outputs) else { return }
            if let reducesAccuracy {
                decide(
                    .setAccuracy(client: name, reducesAccuracy ? .reduced : .full), at: instant, into: &outputs)
            }
            if let mayBeWoken {
                decide(.setMayBeWoken(client: name, mayBeWoken), at: instant, into: &outputs)
                reconsiderWaking(name, at: instant, into: &outputs)
            }
            if let answer { decide(.answered(client: name, OperatorAnswer(answer)), at: instant, into: &outputs) }
            outputs.send(connection) { ClientEvent.appendDone("answered", client: name, id: id, to: &$0) }
        case .services(let isEnabled):
            if let isEnabled { enableServices(isEnabled, at: instant, into: &outputs) }
            outputs.send(connection) { [isEnabled = authorization.servicesEnabled] in
                ClientEvent.appendDone("services", isEnabled: isEnabled, id: id, to: &$0)
            }
        case .agent(let isEnabled):
            clients.local[client].isAgent = isEnabled
            outputs.send(connection) { ClientEvent.appendDone("agent", isEnabled: isEnabled, id: id, to: &$0) }
            if isEnabled {
                for prompt in authorization.prompts {
                    outputs.send(connection) { ClientEvent.append(PromptObject(prompt), to: &$0) }
                }
                if isCalibrationShown {
                    outputs.send(connection) { ClientEvent.appendCalibrationDisplay(isShown: true, to: &$0) }
                }
            }
            countAgents(at: instant, into: &outputs)
        case .privacy(let name):
            guard name.map({ exists($0, id: id, connection, into: &outputs) }) ?? true else { return }
            listStored(of: name, for: id, to: connection, into: &outputs)
        case .track(let request): serve(request, id: id, to: connection, into: &outputs)
        case .visits(let request): serve(request, id: id, to: connection, into: &outputs)
        case .compass(let request): serve(request, id: id, clientAt: client, at: instant, into: &outputs)
        case .erase(let name, let what):
            guard exists(name, id: id, connection, into: &outputs) else { return }
            erase(what, of: name, id: id, connection, at: instant, into: &outputs)
        }
    }

    private func exists(
        _ name: String, id: String?, _ connection: ClientID, into outputs: inout Outputs
    ) -> Bool {
        guard admission[name] == nil else { return true }
        outputs.send(connection) {
            ClientEvent.appendError(
                "noSuchClient", "no client has a manifest named \"\(name)\"; sextant clients lists those that have",
                id: id, to: &$0)
        }
        return false
    }

    private mutating func enableServices(
        _ isEnabled: Bool, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        outputs.put(.settings, "", "servicesEnabled", [isEnabled ? 1 : 0])
        decide(.servicesEnabled(isEnabled), at: instant, into: &outputs)
    }

    // MARK: Agents

    mutating func countAgents(at instant: MonotonicInstant, into outputs: inout Outputs) {
        let count = clients.local.count { $0.isAgent }
        decide(.agents(count: count), at: instant, into: &outputs)
    }

    func tellAgents(into outputs: inout Outputs, _ write: (inout TextBuffer) -> Void) {
        for client in clients.local where client.isAgent { outputs.send(client.id, write) }
    }

    // MARK: Lists

    private func listClients(for id: String?, to connection: ClientID, into outputs: inout Outputs) {
        var objects: [ClientObject] = []
        for description in authorization.descriptions {
            let name = description.client
            var object = ClientObject(
                name: name, selector: admission[name]?.selector.description ?? "", access: access(of: name))
            object.connections = clients.connectionCount(of: name, isGPSD: name == admission.gpsd?.name)
            object.isInUse = description.standing.isInUse
            object.mayBeWoken = description.standing.mayBeWoken
            object.waiting = description.standing.waiting?.name
            object.problem = missing(for: name) ?? description.problem?.message
            object.registrations = registrations[name]?.count ?? 0
            object.pendingEvents = pending.count(of: name)
            objects.append(object)
        }
        objects += strangers
        outputs.send(connection) { text in
            for object in objects { ClientEvent.append(object, id: id, to: &text) }
            ClientEvent.appendClients(count: objects.count, id: id, to: &text)
        }
    }

    /// Connections that no manifest speaks of.
    private var strangers: [ClientObject] {
        var strangers: [ClientObject] = []
        for client in clients.local where client.session.client == nil {
            let name = client.identity?.printableName ?? "local"
            if let place = strangers.firstIndex(where: { $0.name == name }) {
                strangers[place].connections += 1
            } else {
                var object = ClientObject(name: name, selector: name, access: access(of: nil))
                object.connections = 1
                object.problem =
                    "no manifest speaks of it, so nothing that it asks has an effect; write one in clients.d"
                strangers.append(object)
            }
        }
        return strangers
    }

    // MARK: Privacy

    private func listStored(
        of name: String?, for id: String?, to connection: ClientID, into outputs: inout Outputs
    ) {
        var count = 0
        let names = name.map { [$0] } ?? admission.manifests.manifests.map(\.name)
        outputs.send(connection) { text in
            for name in names {
                for (kind, amount) in stored(of: name) where amount > 0 {
                    count += 1
                    ClientEvent.appendStored(client: name, kind: kind, count: amount, id: id, to: &text)
                }
            }
            ClientEvent.appendPrivacy(count: count, id: id, to: &text)
        }
    }

    private func stored(of name: String) -> [(kind: StaticString, count: Int)] {
        [
            ("authorization", hasRecord(of: name) ? 1 : 0),
            ("registrations", registrations[name]?.count ?? 0), ("events", pending.count(of: name)),
            ("track", deferred.count(of: name)),
        ]
    }

    private func hasRecord(of name: String) -> Bool {
        authorization.descriptions.contains { $0.client == name && $0.record != AuthorizationRecord() }
    }

    private mutating func erase(
        _ what: OperatorRequest.Stored, of name: String, id: String?, _ connection: ClientID,
        at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        var count = 0
        for (kind, amount) in stored(of: name) where what == .all || what.rawValue == kind.description {
            count += amount
        }
        if what == .all || what == .registrations { eraseRegistrations(of: name, into: &outputs) }
        if what == .all || what == .track { forgetDeferred(of: name, into: &outputs) }
        // An event of what is no longer monitored is nobody's.
        if what == .all || what == .events || what == .registrations {
            withdraw(of: name, into: &outputs) { _ in true }
        }
        if what == .all || what == .authorization {
            decide(.answered(client: name, .reset), at: instant, into: &outputs)
        }
        if what == .all { outputs.actions.append(.store(.erase(client: name))) }
        outputs.send(connection) { ClientEvent.appendErased(count: count, id: id, to: &$0) }
    }

    private mutating func eraseRegistrations(of name: String, into outputs: inout Outputs) {
        guard let entry = registrations[name] else { return }
        for region in entry.regions { outputs.remove(.registrations, name, region.key.name) }
        outputs.remove(.registrations, name, "visits")
        outputs.remove(.registrations, name, "significantChange")
        forgetRegistrations(of: name)
    }

    private mutating func forgetRegistrations(of name: String) {
        for region in registrations[name]?.regions ?? [] { unwatch(region) }
        registrations.forget(name)
        demandChanged()
    }

    /// The manifests or the policy are others: who has none any more is forgotten with all that was kept.
    mutating func admit(_ new: Admission, at instant: MonotonicInstant, into outputs: inout Outputs) {
        let gone = admission.manifests.manifests.map(\.name).filter { new[$0] == nil && !new.isUnreadable($0) }
        admission = new
        decide(.policy(new.policy), at: instant, into: &outputs)
        decide(.manifests(new.manifests), at: instant, into: &outputs)
        for name in gone {
            withdraw(of: name, into: &outputs) { _ in true }
            forgetRegistrations(of: name)
            forgetDeferred(of: name, into: &outputs)
            holders.removeAll { $0.client == name }
            outputs.actions.append(.store(.erase(client: name)))
        }
        let rows = parked
        parked = []
        for row in rows { restore(row, at: instant, into: &outputs) }
        identifyAgain(at: instant, into: &outputs)
        for name in Set(rows.map(\.client)).sorted() { awaken(name, at: instant, into: &outputs) }
    }

    /// Every connection is the client that the manifests now say it is.
    private mutating func identifyAgain(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for place in clients.local.indices {
            let manifest = admission.client(for: clients.local[place].identity)
            clients.local[place].isOperator = isOperator(manifest, clients.local[place].identity)
            if !clients.local[place].isOperator { clients.local[place].watchesCompass = false }
            guard manifest?.name != clients.local[place].session.client else { continue }
            let id = clients.local[place].id
            decide(.gone(id), at: instant, into: &outputs)
            if let name = clients.local[place].session.client { leave(id, of: name, at: instant, into: &outputs) }
            clients.local[place].session.client = manifest?.name
            clients.local[place].wanted = []
            guard let manifest else {
                clients.local[place].session.headings = []
                continue
            }
            decide(.connected(id, client: manifest.name), at: instant, into: &outputs)
            if !clients.local[place].session.isForeground {
                decide(.beganInBackground(id), at: instant, into: &outputs)
            }
            _ = join(id, as: manifest.name, at: instant)
        }
        for client in clients.gpsd {
            decide(.gone(client.id), at: instant, into: &outputs)
            guard let gpsd = admission.gpsd else { continue }
            decide(.connected(client.id, client: gpsd.name), at: instant, into: &outputs)
        }
        accessChanged(at: instant, into: &outputs)
    }

    /// Whether a process may do what an operator may.
    func isOperator(_ manifest: ClientManifest?, _ identity: PeerIdentity?) -> Bool {
        if manifest?.isOperator == true { return true }
        return identity.map { $0.userID == 0 || $0.userID == configuration.userID } ?? false
    }
}

extension PromptObject {
    init(_ prompt: Prompt) {
        self.init(
            client: prompt.client, kind: prompt.kind.name, purpose: prompt.purpose,
            answers: prompt.answers.map(\.name))
    }
}

extension OperatorAnswer {
    init(_ answer: OperatorRequest.Answer) {
        self =
            switch answer {
            case .allow: .allow
            case .once: .once
            case .keep: .keep
            case .deny: .deny
            case .always: .always
            case .reset: .reset
            }
    }

    var name: StaticString {
        switch self {
        case .allow: "allow"
        case .once: "once"
        case .keep: "keep"
        case .deny: "deny"
        case .always: "always"
        case .reset: "reset"
        }
    }
}

extension Prompt.Kind {
    var name: StaticString {
        switch self {
        case .whenInUse: "whenInUse"
        case .always: "always"
        case .fullAccuracy: "fullAccuracy"
        }
    }
}
