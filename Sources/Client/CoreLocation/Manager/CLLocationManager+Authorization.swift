internal import ClientVocabulary
internal import Foundation

extension CLLocationManager {
    var authorization: Authorization { toldAuthorization ?? client.authorization }

    func authorize(_ authorization: AuthorizationRequest) {
        guard let session = openSession() else { return }
        client.update { [statedPurpose] state in
            state.authorize(session, authorization, purpose: statedPurpose)
            return ((), [])
        }
    }

    /// Requests when-in-use authorization as a service starts, if the program's authorization is not determined yet.
    func askAtStart() {
        guard client.authorization.status == .notDetermined, let session = openSession() else { return }
        client.update { [statedPurpose] state in
            state.askAtStart(session, purpose: statedPurpose)
            return ((), [])
        }
    }

    func askFullAccuracy(_ purposeKey: String, _ completion: (((any Error)?) -> Void)?) {
        let asked = openSession().flatMap { session in
            client.update { state in (state.askFullAccuracy(session, purposeKey: purposeKey), []) }
        }
        let name = asked ?? "declined \(UUID())"
        completions[name] = completion
        if asked == nil { core.receive(.fullAccuracy(of: name, .promptDeclined)) }
    }
}

extension LocationClient {
    var authorization: Authorization { read { $0.authorization } }
}
