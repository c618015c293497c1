/// The signals from the host that can end the receiver's present sleep.
///
/// Two events end every sleep and are not in this set: the end of a timed sleep, and a supply that is switched off and
/// on.
struct WakeSources: OptionSet, Sendable {
    var rawValue: UInt8
    static let uart = WakeSources(rawValue: 1)
    static let line = WakeSources(rawValue: 2)
    static let all: WakeSources = [.uart, .line]
}

/// The last command to sleep, for the scheduled or the present sleep.
struct SleepOrder: Sendable {
    /// The length of the sleep in nanoseconds; nil if it lasts until the receiver is woken.
    var duration: Int64?
    var wakeSources: WakeSources = .all
    /// Whether the RAM is lost during the sleep, so that the firmware boots when the receiver is woken.
    var losesRAM = true
}
