enum SettingError: Error, CustomStringConvertible {
    case noBackgroundMode, noManifest

    var description: String {
        switch self {
        case .noBackgroundMode:
            """
            allowsBackgroundLocationUpdates was set to true, but the client's manifest does not say backgroundMode: \
            true. Add that to its file in /etc/sextant/clients.d, or leave the property false.
            """
        case .noManifest:
            """
            allowsBackgroundLocationUpdates was set to true, but no manifest names this program. Write one with \
            backgroundMode: true in /etc/sextant/clients.d, or leave the property false.
            """
        }
    }
}

extension CLLocationManager {
    /// Sets `allowsBackgroundLocationUpdates`; throws if the program has no manifest, or one without `backgroundMode:
    /// true`.
    ///
    /// Before the daemon's `hello` line has come, the manifest is unknown; nothing is thrown then, and the daemon
    /// decides.
    func allowBackgroundLocationUpdates(_ allows: Bool) throws(SettingError) {
        let greeting = client.read { $0.greeting }
        if allows, let greeting, !greeting.backgroundMode {
            throw greeting.hasPurpose == nil ? .noManifest : .noBackgroundMode
        }
        settings.continuesInBackground = allows
    }

    func settingsDidChange() {
        guard let session, watchName != nil else { return }
        let settings = settings
        client.update { state in
            state.change(session, settings)
            return ((), [])
        }
    }
}

extension LocationClient {
    /// The process's shared client, after a short wait for the daemon's `hello` line, which tells what the board can
    /// do.
    static var greeted: LocationClient {
        shared.awaitGreeting()
        return shared
    }

    /// Whether the board has a capability according to the daemon's `hello` line; before this line has come, returns
    /// `unlessKnown`.
    func has(_ capability: String, unlessKnown: Bool) -> Bool {
        read { state in state.greeting.map { $0.capabilities.contains(capability) } ?? unlessKnown }
    }
}
