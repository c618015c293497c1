internal import ClientProtocol
internal import ClientVocabulary
internal import Parts
internal import SextantUnits

/// The requests of the local socket's clients.
extension Delivery {
    /// Answers a client's request about its location sessions, whole epochs and single positions.
    mutating func answer(
        _ request: ClientRequest, clientAt client: Int, predictedStart: Double?, _ now: DeliveryContext,
        _ turn: inout Turn
    ) {
        let id = clients.local[client].id
        let index = clients.index(ofSession: request.session, clientAt: client)
        switch request.kind {
        case .watch(let satellites):
            watch(EpochWatch(hasSatellites: satellites), request, clientAt: client, now, &turn)
        case .watchPassively(let satellites, let interval):
            let epochs = EpochWatch(hasSatellites: satellites, isPassive: true, minimumInterval: interval)
            watch(epochs, request, clientAt: client, now, &turn)
        case .watchLocations(let settings, let options, let label):
            let new = clients.local[client].makeSession(
                settings, options, number: request.session, label: label, at: turn.instant)
            watch(new, id: request.id, clientAt: client, now, &turn)
        case .change(let settings, let options):
            if let index { change(to: settings, options, at: index, now, &turn) }
        case .defer(let deferral, let onlyInBackground):
            `defer`(deferral, onlyInBackground: onlyInBackground, request, clientAt: client, now, &turn)
        case .undefer: if let index { endTerm(.asked, at: index, now, &turn) }
        case .unwatch:
            endAll(request.session, clientAt: client, now, &turn)
            turn.send(id) {
                ClientEvent.appendWatching(false, session: request.session, id: request.id, to: &$0)
            }
        case .flush: flush(request, clientAt: client, now, &turn)
        case .locate(let seconds, let accuracy):
            let deadline = turn.instant.advanced(bySeconds: seconds)
            wait(LocationWait(.next(accuracy: accuracy), until: deadline, id: request.id), clientAt: client, now, &turn)
        case .locateOnce(let accuracy):
            locateOnce(accuracy, request, clientAt: client, predictedStart: predictedStart, now, &turn)
        case .release: endAll(request.session, clientAt: client, now, &turn)
        default: break
        }
    }
}
