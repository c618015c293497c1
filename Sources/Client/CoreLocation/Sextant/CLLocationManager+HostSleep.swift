extension CLLocationManager {
    /// Whether the board may be switched off while this manager's updates run; false unless set.
    ///
    /// This is Sextant's own, and not Apple's; the board's owner must allow it besides. A program whose updates allow it is told locations when the board wakes: at the latest when its accuracy needs one,
    /// and after each movement on a board that motion wakes. Where `hostSleep` of the program's manifest is `"veto"`, the
    /// board stays on nevertheless.
    public var sextantAllowsHostSleep: Bool {
        get { settings.allowsHostSleep }
        set { settings.allowsHostSleep = newValue }
    }
}
