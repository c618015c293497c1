/// How a receiver rests between fixes, from the lightest rest to the deepest.
public enum SleepKind: UInt8, Sendable, CaseIterable, Comparable {
    /// The receiver tracks on and off by itself (u-blox power save mode, cyclic tracking) and goes on reporting.
    case cyclic = 0
    /// Its own sleep command: supply on, RAM lost, backup domain kept (u-blox PMREQ, MTK standby, PCAS12).
    case software = 1
    /// Main supply off through a line, backup supply kept: clock, ephemeris and configuration survive.
    case hardware = 2
    /// Main and backup supply off: nothing survives, but for what the host saved.
    case cut = 3

    public static func < (left: SleepKind, right: SleepKind) -> Bool { left.rawValue < right.rawValue }
}
