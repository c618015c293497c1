public import SextantUnits

/// The settings by which a host switch is to wake the host.
public struct SwitchOrder: Sendable, Equatable {
    /// The instant of the alarm, a whole second.
    public var alarm: UTCInstant
    /// The seconds from the sleep's beginning until the backstop, a second wake-up by a counter; nil where there is
    /// none.
    public var backstop: Double?
    /// Whether motion is to wake the host too.
    public var byMotion: Bool

    public init(alarm: UTCInstant, backstop: Double?, byMotion: Bool) {
        self.alarm = alarm
        self.backstop = backstop
        self.byMotion = byMotion
    }
}

/// The settings of a host switch, read over the bus and not taken from a copy of what was written.
public struct SwitchReading: Sendable, Equatable {
    /// The switch's clock; nil where the switch says that the clock stopped since it was set.
    public var clock: UTCInstant?
    /// The next instant at which the alarm fires by the switch's clock; nil where no alarm is set or enabled.
    public var alarm: UTCInstant?
    /// The seconds from the sleep's beginning until the backstop, a second wake-up by a counter; nil where it is off or
    /// the switch has none.
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
