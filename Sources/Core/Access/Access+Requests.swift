internal import ClientProtocol
internal import ClientVocabulary
internal import Parts

/// The requests of clients, as far as they concern the client's authorization and sessions.
extension Access {
    mutating func serve(
        _ request: ClientRequest, ofConnectionAt index: Int, _ client: String, _ turn: inout Turn
    ) {
        let id = state.connections[index].id
        switch request.kind {
        case .state(let isForeground): set(isForeground, at: index, &turn)
        case .authorize(let always, let purpose, let isImplicit):
            state.connections[index].statedPurpose = purpose
            let authorization: AuthorizationRequest = isImplicit ? .atStart : always ? .always : .whenInUse
            decide(.requested(id, session: Int64(request.session), authorization), &turn)
        // A passive session gets only the locations that come for other clients, so the user is not asked about it.
        case .watchLocations(_, let options, _) where options.isPassive: break
        case .monitoring(let request) where !request.asksUser: break
        case .watchLocations, .locateOnce, .monitoring:
            decide(.started(id, session: Int64(request.session)), &turn)
        case .authorizeFullAccuracy(let key):
            decide(.requestedFullAccuracy(id, id: request.id, purposeKey: key), &turn)
        case .holdSession(let number, let goal):
            hold(goal, number: number, by: id, of: client, &turn)
            decide(.started(id, session: Access.firstQuestion + Int64(number)), &turn)
        case .releaseSession(let number): release(number, by: id, of: client, &turn)
        case .release: decide(.withdrawn(id, session: Int64(request.session)), &turn)
        default: break
        }
    }

    private mutating func set(_ isForeground: Bool, at index: Int, _ turn: inout Turn) {
        guard state.connections[index].isForeground != isForeground else { return }
        state.connections[index].isForeground = isForeground
        let id = state.connections[index].id
        let wasNeverInUse = !state.connections[index].hasAsked && !isForeground
        decide(wasNeverInUse ? .beganInBackground(id) : .state(id, isForeground: isForeground), &turn)
        if isForeground, let name = state.connections[index].client { turn.tell(.cameIntoUse(name)) }
        turn.tell(.access)
    }
}
