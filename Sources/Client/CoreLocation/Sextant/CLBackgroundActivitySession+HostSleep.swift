internal import Synchronization

extension CLBackgroundActivitySession {
    /// Whether the board is allowed to sleep while this program's updates run; the default is false.
    ///
    /// This property is Sextant's own, and not Apple's. It has the effect of
    /// `CLLocationManager.sextantAllowsHostSleep`, for all updates of the program, also those of `CLLocationUpdate`,
    /// and ends with the session.
    public var sextantAllowsHostSleep: Bool {
        get { hostSleep.withLock { $0 } }
        set {
            let isNew = hostSleep.withLock { allowed in
                defer { allowed = newValue }
                return allowed != newValue
            }
            if isNew { tellHostSleep(newValue) }
        }
    }
}
