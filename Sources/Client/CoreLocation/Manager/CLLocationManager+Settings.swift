internal import Foundation

/// Why a setting was refused.
enum SettingError: Error, CustomStringConvertible {
    case noBackgroundMode

    var description: String {
        """
        allowsBackgroundLocationUpdates was set to true, but the client's manifest does not say backgroundMode: true. \
        Add that to its file in /etc/sextant/clients.d, or leave the property false.
        """
    }
}

extension CLLocationManager {
    /// How exact the locations should be; a wish, of which the receiver's rest depends.
    ///
    /// Unit: metre, or one of the named constants. At first the best.
    public var desiredAccuracy: CLLocationAccuracy {
        get { settings.accuracy }
        set { settings.accuracy = newValue }
    }

    /// How far the next location is from the last one told.
    ///
    /// Unit: metre. At first `kCLDistanceFilterNone`: every location is told.
    public var distanceFilter: CLLocationDistance {
        get { settings.distanceFilter }
        set { settings.distanceFilter = newValue }
    }

    /// What the locations are for, which decides when updates pause.
    public var activityType: CLActivityType {
        get { settings.activityType }
        set { settings.activityType = newValue }
    }

    /// Whether updates pause while nothing moves; true unless set.
    public var pausesLocationUpdatesAutomatically: Bool {
        get { settings.pausesAutomatically }
        set { settings.pausesAutomatically = newValue }
    }

    /// Whether updates go on in the background; only with the manifest's `backgroundMode`, else setting it is fatal.
    public var allowsBackgroundLocationUpdates: Bool {
        get { settings.continuesInBackground }
        set {
            do {
                try allowBackgroundLocationUpdates(newValue)
            } catch {
                fatalError("\(error)")
            }
        }
    }

    /// The setter, for what wants to know.
    ///
    /// Before the daemon has greeted nothing is known of the manifest, and the daemon decides later.
    func allowBackgroundLocationUpdates(_ allows: Bool) throws(SettingError) {
        let isForbidden = client.read { state in state.greeting.map { !$0.backgroundMode } ?? false }
        if allows, isForbidden { throw .noBackgroundMode }
        settings.continuesInBackground = allows
    }

    /// Whether the indicator shows background updates of a client that is always authorized; false unless set.
    public var showsBackgroundLocationIndicator: Bool {
        get { settings.showsIndicator }
        set { settings.showsIndicator = newValue }
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
