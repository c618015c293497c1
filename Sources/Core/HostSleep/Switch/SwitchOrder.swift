public import SextantUnits

/// When a host switch shall wake the host.
public struct SwitchOrder: Sendable, Equatable {
    /// The instant of the alarm, a whole second.
    public var alarm: UTCInstant
    /// The seconds after which the second way back wakes the host; nil where there is none.
    public var backstop: Double?
    /// Whether motion shall wake it too.
    public var byMotion: Bool

    public init(alarm: UTCInstant, backstop: Double?, byMotion: Bool) {
        self.alarm = alarm
        self.backstop = backstop
        self.byMotion = byMotion
    }
}

/// The settings read from a host switch, by transfers of its own and not from a copy of those written.
public struct SwitchReading: Sendable, Equatable {
    /// The switch's clock; nil where the switch says that it stopped since it was set.
    public var clock: UTCInstant?
    /// The next instant at which the alarm fires by that clock; nil where it is not set or not enabled.
    public var alarm: UTCInstant?
    /// The seconds of the second way back; nil where it is off or there is none.
    public var backstop: Double?
    /// Whether motion wakes the host.
    public var byMotion: Bool

    public init(clock: UTCInstant?, alarm: UTCInstant?, backstop: Double?, byMotion: Bool) {
        self.clock = clock
        self.alarm = alarm
        self.backstop = backstop
        self.byMotion = byMotion
    }
}
