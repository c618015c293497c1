internal import Access
internal import ClientProtocol
internal import ClientVocabulary
internal import Parts
internal import SextantJSON

/// Holds back the JSON objects that tell clients about changes to the store, until the changes are on the SD card.
extension Engine {
    /// Holds back the lines (JSON objects to clients) that report changes to the store, until these and all earlier
    /// changes are on the SD card.
    ///
    /// Held back are lines to the connection whose request makes the change, lines to connections of clients whose rows
    /// in the store change, and events. All other lines are sent at once. An answer without a change of its own can
    /// repeat an earlier answer whose change is not on the SD card yet or could not be written, so such an answer is
    /// held back too.
    ///
    /// This is `hold` in the Promela models authorization.pml and outbox.pml.
    func holdLines(_ turn: inout Turn) {
        let asker = turn.asker
        let (hasChanges, clients) = turn.storedChanges
        guard hasChanges || !turn.confirmations.isEmpty || !turn.told.isEmpty else { return }
        let asks = hasChanges || !turn.confirmations.isEmpty ? asker?.connection : nil
        var held = access.view.connections(of: clients).filter { $0 != asks && turn.sendsLines(to: $0) }
        for id in turn.told where id != asks && !held.contains(id) { held.append(id) }
        for id in held { turn.actions.append(.hold(id, confirmations: [], refusal: nil)) }
        guard let asker, asks != nil else { return }
        let start = turn.text.count
        ClientEvent.appendError(
            .notStored,
            "the change is in effect but not on the card, and is lost when sextantd ends unless it is written before; "
                + "sextant status says why", id: asker.request, to: &turn.text)
        let refusal = start..<turn.text.count
        turn.actions.append(.hold(asker.connection, confirmations: turn.confirmations, refusal: refusal))
    }

    /// Refuses the request of a client that has too many changes waiting to be written to the SD card.
    func refuse(_ id: ClientID, _ request: Result<ClientRequest, RefusedRequest>, _ turn: inout Turn) {
        guard case .success(let asked) = request, !asked.kind.needsNoManifest else {
            return serve(id, request, &turn)
        }
        turn.send(id) {
            ClientEvent.appendError(
                .storeBusy, "too many of this client's changes wait for the card; ask again when some are written",
                id: asked.id, to: &$0)
        }
    }
}

extension Turn {
    fileprivate func sendsLines(to id: ClientID) -> Bool {
        actions.contains { if case .send(id, _) = $0 { true } else { false } }
    }

    /// Whether the input's actions change the store (`isAny`), and the names of the clients whose rows change.
    fileprivate var storedChanges: (isAny: Bool, clients: Set<String>) {
        var (isAny, clients) = (false, Set<String>())
        for case .store(let change) in actions {
            isAny = true
            clients.insert(change.client)
        }
        return (isAny, clients)
    }
}

extension DurableChange {
    /// The name of the client to which the changed rows of the store belong; empty where they belong to no client.
    fileprivate var client: String {
        switch self {
        case .put(let row): row.client
        case .remove(_, let client, _), .erase(let client): client
        }
    }
}
