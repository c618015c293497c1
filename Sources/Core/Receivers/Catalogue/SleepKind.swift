/// A kind of sleep between fixes, from the lightest to the deepest.
public enum SleepKind: UInt8, Sendable, CaseIterable, Comparable {
    /// The receiver itself switches tracking on and off (u-blox cyclic tracking) and keeps reporting.
    case cyclic = 0
    /// The receiver's own sleep command: supply on, RAM lost, backup domain kept (u-blox PMREQ, MTK standby, PCAS12).
    case software = 1
    /// Main supply off through a line, backup supply kept: clock, ephemeris and configuration survive.
    case hardware = 2
    /// Main and backup supply off: nothing survives except what the host saved.
    case cut = 3

    public static func < (left: SleepKind, right: SleepKind) -> Bool { left.rawValue < right.rawValue }
}
