internal import Synchronization

extension CLBackgroundActivitySession {
    /// Whether the board may be switched off while this program's updates run, those of `CLLocationUpdate` too; false
    /// unless set.
    ///
    /// This is Sextant's own, and not Apple's. It ends with the session, and means for all updates of the program what
    /// `CLLocationManager.sextantAllowsHostSleep` means for those of one manager.
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
