internal import ClientProtocol
internal import ClientVocabulary
internal import Parts
internal import SextantJSON

/// The events that `tell` sends.
extension Access {
    mutating func tellChanges(_ turn: inout Turn) {
        for index in state.connections.indices {
            let access = state.access(of: state.connections[index].client)
            guard access != state.connections[index].lastSent else { continue }
            state.connections[index].lastSent = access
            turn.send(state.connections[index].id) { ClientEvent.appendAuthorization(access, to: &$0) }
        }
    }

    mutating func answerAccuracy(_ turn: inout Turn) {
        for answer in accuracyAnswers {
            turn.send(answer.client) { ClientEvent.appendFullAccuracy(answer.errorCode, id: answer.id, to: &$0) }
        }
        accuracyAnswers.removeAll(keepingCapacity: true)
    }

    mutating func showCalibration(_ isShown: Bool, _ turn: inout Turn) {
        guard isShown != isCalibrationShown else { return }
        isCalibrationShown = isShown
        tellAgents(&turn) { ClientEvent.appendCalibrationDisplay(isShown: isShown, to: &$0) }
    }

    func tellAll(_ turn: inout Turn, _ write: (inout TextBuffer) -> Void) {
        for connection in state.connections { turn.send(connection.id, write) }
    }

    func tellAgents(_ turn: inout Turn, _ write: (inout TextBuffer) -> Void) {
        for connection in state.connections where connection.isAgent { turn.send(connection.id, write) }
    }
}
