internal import ClientProtocol
internal import ClientVocabulary
internal import Parts

/// Operators' decisions about clients, and the questions that agents (programs that ask the user) are sent.
extension Access {
    /// Applies an operator's decision about a client.
    mutating func answer(
        _ name: String, _ answer: OperatorAnswer?, reducesAccuracy: Bool?, mayBeWoken: Bool?, _ turn: inout Turn
    ) {
        if let reducesAccuracy {
            decide(.setAccuracy(client: name, reducesAccuracy ? .reduced : .full), &turn)
        }
        if let mayBeWoken {
            decide(.setMayBeWoken(client: name, mayBeWoken), &turn)
            turn.tell(.changed(name))
            turn.tell(.access)
        }
        if let answer { decide(.answered(client: name, answer), &turn) }
    }

    /// Turns location services on or off for all clients.
    ///
    /// This is `switch` in the Promela model authorization.pml.
    mutating func enableServices(_ isEnabled: Bool, _ turn: inout Turn) {
        state.isSwitchUnreadable = false
        turn.put(.settings, "", Access.servicesName, [isEnabled ? 1 : 0])
        decide(.servicesEnabled(isEnabled), &turn)
    }

    // MARK: Agents

    /// Makes a connection an agent, which shows the user the questions about authorization, or an ordinary connection
    /// again.
    ///
    /// A new agent is sent at once the questions that wait already.
    mutating func setAgent(_ isAgent: Bool, id: ClientID, request: String?, _ turn: inout Turn) {
        guard let index = state.index(of: id) else { return }
        state.connections[index].isAgent = isAgent
        turn.send(id) { ClientEvent.appendDone(.agent, isEnabled: isAgent, id: request, to: &$0) }
        if isAgent {
            for prompt in state.book.prompts { turn.send(id) { ClientEvent.append(object(prompt), to: &$0) } }
            if isCalibrationShown {
                turn.send(id) { ClientEvent.appendCalibrationDisplay(isShown: true, to: &$0) }
            }
        }
        countAgents(&turn)
    }

    mutating func countAgents(_ turn: inout Turn) {
        let count = state.connections.count { $0.isAgent }
        decide(.agents(count: count), &turn)
    }

    /// A question to the user, in the form in which agents receive it.
    func object(_ prompt: Prompt) -> PromptObject {
        let stated = state.connections.last { $0.client == prompt.client && $0.statedPurpose != nil }?.statedPurpose
        return PromptObject(
            client: prompt.client, kind: prompt.kind, purpose: prompt.purpose, statedPurpose: stated,
            answers: prompt.answers, isReduced: prompt.isReduced)
    }
}
