internal import Foundation

extension CLLocationManager {
    /// What this program may have; inside a callback, what that callback tells.
    public var authorizationStatus: CLAuthorizationStatus {
        (toldAuthorization ?? client.authorization).status
    }

    /// How exactly this program may know where it is.
    public var accuracyAuthorization: CLAccuracyAuthorization {
        (toldAuthorization ?? client.authorization).accuracy
    }

    @available(*, deprecated, message: "Ask a manager for its authorizationStatus.")
    public class func authorizationStatus() -> CLAuthorizationStatus {
        LocationClient.shared.awaitGreeting()
        return LocationClient.shared.authorization.status
    }

    /// Whether the board's location services are switched on, as last heard from the daemon.
    public class func locationServicesEnabled() -> Bool {
        LocationClient.shared.awaitGreeting()
        return LocationClient.shared.authorization.servicesEnabled
    }

    /// Asks to be authorized while the program is in use.
    ///
    /// The delegate hears of it if the status changes. Letting go of the manager takes the question back.
    public func requestWhenInUseAuthorization() {
        authorize("whenInUse")
    }

    /// Asks to be authorized at all times, also to be started for an event.
    public func requestAlwaysAuthorization() {
        authorize("always")
    }

    private func authorize(_ authorization: String) {
        guard let session = openSession() else { return }
        client.update { state in
            state.authorize(session, authorization)
            return ((), [])
        }
    }

    /// Asks for full accuracy for a while, with the text that the manifest has under the key.
    ///
    /// The completion runs where the delegate is called; its error is nil if the user was asked, whatever the answer.
    public func requestTemporaryFullAccuracyAuthorization(
        withPurposeKey purposeKey: String, completion: (((any Error)?) -> Void)? = nil
    ) {
        let asked = openSession().flatMap { session in
            client.update { state in (state.askFullAccuracy(session, purposeKey: purposeKey), []) }
        }
        let name = asked ?? "declined \(UUID())"
        completions[name] = completion
        if asked == nil { core.receive(.fullAccuracy(of: name, .promptDeclined)) }
    }

    /// Asks for full accuracy for a while; throws `CLError.promptDeclined` where nobody was asked.
    public func requestTemporaryFullAccuracyAuthorization(withPurposeKey purposeKey: String) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            requestTemporaryFullAccuracyAuthorization(withPurposeKey: purposeKey) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }
}

extension LocationClient {
    var authorization: Authorization { read { $0.authorization } }
}
