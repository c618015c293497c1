internal import ClientProtocol
internal import ClientVocabulary
internal import Parts
internal import SextantJSON
internal import SextantUnits

/// Operators' decisions about clients, and the questions that agents are sent.
extension Access {
    /// Applies an operator's decision about a client.
    mutating func answer(
        _ name: String, _ answer: OperatorRequest.Answer?, reducesAccuracy: Bool?, mayBeWoken: Bool?, _ turn: inout Turn
    ) {
        if let reducesAccuracy {
            decide(.setAccuracy(client: name, reducesAccuracy ? .reduced : .full), &turn)
        }
        if let mayBeWoken {
            decide(.setMayBeWoken(client: name, mayBeWoken), &turn)
            turn.tell(.changed(name))
            turn.tell(.access)
        }
        if let answer { decide(.answered(client: name, OperatorAnswer(answer)), &turn) }
    }

    /// Turns location services on or off for all clients.
    ///
    /// This is `switch` in the model authorization.pml.
    mutating func enableServices(_ isEnabled: Bool, _ turn: inout Turn) {
        isSwitchUnreadable = false
        turn.put(.settings, "", "servicesEnabled", [isEnabled ? 1 : 0])
        decide(.servicesEnabled(isEnabled), &turn)
    }

    // MARK: Agents

    /// Makes a connection an agent, which is sent the questions to the user, or ends that.
    ///
    /// Questions that wait already are sent to a new agent at once.
    mutating func setAgent(_ isAgent: Bool, id: ClientID, request: String?, _ turn: inout Turn) {
        guard let place = place(of: id) else { return }
        connections[place].isAgent = isAgent
        turn.send(id) { ClientEvent.appendDone(.agent, isEnabled: isAgent, id: request, to: &$0) }
        if isAgent {
            for prompt in book.prompts { turn.send(id) { ClientEvent.append(object(prompt), to: &$0) } }
            if isCalibrationShown {
                turn.send(id) { ClientEvent.appendCalibrationDisplay(isShown: true, to: &$0) }
            }
        }
        countAgents(&turn)
    }

    mutating func countAgents(_ turn: inout Turn) {
        let count = connections.count { $0.isAgent }
        decide(.agents(count: count), &turn)
    }

    /// A question as agents are sent it.
    func object(_ prompt: Prompt) -> PromptObject {
        let stated = connections.last { $0.client == prompt.client && $0.statedPurpose != nil }?.statedPurpose
        return PromptObject(
            client: prompt.client, kind: prompt.kind.name, purpose: prompt.purpose, statedPurpose: stated,
            answers: prompt.answers.map { $0.name }, isReduced: prompt.isReduced)
    }

    func tellAgents(_ turn: inout Turn, _ write: (inout TextBuffer) -> Void) {
        for connection in connections where connection.isAgent { turn.send(connection.id, write) }
    }

    // MARK: Lists

    /// Why a connection of the gpsd port sees less than a client may; nil where none does.
    func mixedUp(_ name: String) -> String? {
        guard let mixed = gpsd.first(where: { $0.clients.count > 1 && $0.clients.contains(name) }) else { return nil }
        let names = mixed.clients.compactMap { $0 == name ? nil : $0 ?? "a program without a manifest" }
        return "at the gpsd port it cannot be told from \(names.joined(separator: ", ")) of the same user, so both see "
            + "there what the lesser may; give its programs a user of their own"
    }

    /// The authorized clients as which programs of a client may be told where the board is, too.
    ///
    /// No program can put itself into another unit of the system, nor become another user.
    func otherClients(ofProgramsOf name: String) -> [String] {
        let user = admission[name]?.selector.user
        return admission.manifests.manifests.filter { other in
            guard other.name != name, book.standing(of: other.name).status.isAuthorized else { return false }
            let selector = other.selector
            return selector.unit == nil && (selector.user == nil || user == nil || selector.user == user)
        }.map { $0.name }
    }

    /// Connections for which no manifest applies, counted by name.
    var strangers: [ClientObject] {
        var strangers: [ClientObject] = []
        let names =
            connections.filter { $0.client == nil }.map { $0.identity?.printableName ?? "local" }
            + gpsd.filter { $0.clients == [nil] }.map { $0.printableName }
        for name in names {
            if let place = strangers.firstIndex(where: { $0.name == name }) {
                strangers[place].connections += 1
            } else {
                var object = ClientObject(name: name, selector: name, access: access(of: nil))
                object.connections = 1
                object.problem =
                    "no manifest names it, so its requests have no effect; write one in clients.d"
                strangers.append(object)
            }
        }
        return strangers
    }
}

extension Access.PortConnection {
    /// The text by which an operator recognizes a connection to which no manifest applies.
    var printableName: String {
        switch identities.count {
        case 0: Admission.gpsdClient
        case 1: identities[0].printableName
        default: "user \(identities[0].userID)"
        }
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
            case .on: .on
            case .off: .off
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
        case .on: "on"
        case .off: "off"
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
        case .services: "services"
        }
    }
}
