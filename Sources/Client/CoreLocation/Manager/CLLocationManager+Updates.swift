public import Foundation

extension CLLocationManager {
    /// The last location that any service told this program; nil before the first.
    public var location: CLLocation? {
        toldLocation ?? client.read { $0.newest }
    }

    /// Begins to tell locations: first what is known already, however old, then what is measured.
    ///
    /// Called again while updates run it does nothing, but that it ends a pause.
    public func startUpdatingLocation() {
        guard let session = openSession() else { return }
        locateName = nil
        let settings = settings
        let name = client.update { state in (state.watch(session, settings), []) }
        watchName = name ?? watchName
    }

    /// Ends updates and a request for one location; no location is told after this returns.
    public func stopUpdatingLocation() {
        watchName = nil
        locateName = nil
        guard let session else { return }
        client.update { state in ((), state.unwatch(session)) }
    }

    /// Asks for one location; the delegate hears of either that or an error, once.
    ///
    /// It does nothing while updates run or a request is open.
    public func requestLocation() {
        guard watchName == nil, locateName == nil, let session = openSession() else { return }
        let accuracy = desiredAccuracy
        locateName = client.update { state in (state.locate(session, accuracy), []) }
    }

    /// The number of this manager at the daemon; nil, with an error to the delegate, where 64 others have one.
    func openSession() -> Int? {
        if let session { return session }
        let core = core
        session = client.update { state in (state.openSession(core), []) }
        if session == nil {
            Complaint.print("64 managers and loops ask for something at once; let go of some.")
            core.receive(.failed(.locationUnknown, of: CLLocationManager.nobody))
        }
        return session
    }

    /// The name of what could not begin.
    static let nobody = ""
}

extension CLLocationManager {
    public class func deferredLocationUpdatesAvailable() -> Bool {
        LocationClient.shared.awaitGreeting()
        return LocationClient.shared.has("deferral", unlessKnown: false)
    }

    /// Holds locations back while the program is in the background, until it has come so far or so long has passed.
    ///
    /// The delegate hears once of the end of each deferral. Distance in metres, timeout in seconds.
    public func allowDeferredLocationUpdates(untilTraveled distance: CLLocationDistance, timeout: TimeInterval) {
        guard client.has("deferral", unlessKnown: true) else { return core.receive(.deferralFinished(.deferredFailed)) }
        guard let session, watchName != nil else {
            return core.receive(.deferralFinished(.deferredNotUpdatingLocation))
        }
        client.update { state in ((), state.deferUpdates(session, distance, timeout)) }
    }

    public func disallowDeferredLocationUpdates() {
        guard let session else { return }
        client.update { state in ((), state.undefer(session)) }
    }
}

extension LocationClient {
    /// Whether the board has a service; before the daemon has said so, what the caller takes for granted.
    func has(_ capability: String, unlessKnown: Bool) -> Bool {
        read { state in state.greeting.map { $0.capabilities.contains(capability) } ?? unlessKnown }
    }
}
