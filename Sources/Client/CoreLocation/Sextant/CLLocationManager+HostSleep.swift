extension CLLocationManager {
    /// Whether the board is allowed to sleep while this manager's updates run; the default is false.
    ///
    /// This property is Sextant's own, and not Apple's; the board's owner must allow sleep too. A program that allows
    /// sleep gets locations when the board wakes: at the latest when the program's accuracy needs one, and after each
    /// movement on a board that motion wakes. If `hostSleep` in the program's manifest is `"veto"`, the board stays on.
    public var sextantAllowsHostSleep: Bool {
        get { settings.allowsHostSleep }
        set { settings.allowsHostSleep = newValue }
    }
}
