internal import Foundation

extension CLLocationManager {
    func beginUpdates() {
        guard let session = openSession() else { return }
        locateName = nil
        askAtStart()
        let settings = settings
        let name = client.update { state in (state.watch(session, settings), []) }
        watchName = name ?? watchName
    }

    func endUpdates() {
        watchName = nil
        locateName = nil
        guard let session else { return }
        client.update { state in ((), state.unwatch(session)) }
    }

    func locate() {
        guard watchName == nil, locateName == nil, let session = openSession() else { return }
        askAtStart()
        let accuracy = desiredAccuracy
        locateName = client.update { state in (state.locate(session, accuracy), []) }
    }

    func deferUpdates(_ distance: CLLocationDistance, _ timeout: TimeInterval) {
        guard client.has("deferral", unlessKnown: true) else { return core.receive(.deferralFinished(.deferredFailed)) }
        guard let session, watchName != nil else {
            // As in Core Location, a deferral that is requested while no updates run ends a pending request for one
            // location, which then gets no answer.
            if locateName != nil { endUpdates() }
            return core.receive(.deferralFinished(.deferredNotUpdatingLocation))
        }
        client.update { state in ((), state.deferUpdates(session, distance, timeout)) }
    }

    func endDeferral() {
        guard let session else { return }
        client.update { state in ((), state.undefer(session)) }
    }

    /// The number under which the daemon knows this manager; nil, with an error to the delegate, if 64 managers and
    /// loops have numbers already.
    func openSession() -> Int? {
        if let session { return session }
        let core = core
        session = client.update { state in (state.openSession(core), []) }
        if session == nil {
            Complaint.print("64 managers and loops ask for something at once; let go of some.")
            core.receive(.failed(.locationUnknown, of: CLLocationManager.nobody, reason: .tooManySessions))
        }
        return session
    }

    /// The empty request name, used in failures that belong to no request.
    static let nobody = ""
}
