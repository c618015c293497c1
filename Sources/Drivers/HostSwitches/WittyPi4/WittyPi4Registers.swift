/// The registers that the driver uses.
///
/// Source: UUGear, Witty-Pi-4, Firmware/WittyPi4/WittyPi4.ino.
enum WittyPi4Register {
    static let identity: UInt8 = 0
    static let isWittyPi4: UInt8 = 0x26
    /// Whole volts at the input; the next register has the hundredths.
    static let inputVolts: UInt8 = 1
    static let reason: UInt8 = 11
    static let revision: UInt8 = 12
    /// The input voltage below which the switch shuts the host down, in tenths of a volt; 255 for never.
    static let lowVoltage: UInt8 = 19
    /// Tenths of a second from the silence of the host's UART to the cut.
    static let cutDelay: UInt8 = 21
    /// The voltage at which the switch wakes the host after a shutdown by low voltage, in tenths of a volt; 255 for
    /// never.
    static let recoveryVoltage: UInt8 = 22
    /// The alarm that switches the host on: second, minute, hour, day of the month.
    static let onAlarm: UInt8 = 27
    /// The alarm that shuts the host down, in the same form.
    static let offAlarm: UInt8 = 32
    /// The flags that say whether each of the two alarms has fired; the host clears them.
    static let onFlag: UInt8 = 39
    static let offFlag: UInt8 = 40
    static let miscellaneous: UInt8 = 48
    /// This bit of `miscellaneous` prevents an alarm that passes while the host is on from switching it on after the
    /// next cut.
    static let neverDelayed: UInt8 = 1 << 0
    static let guaranteedWake: UInt8 = 49
    /// This bit of `guaranteedWake` says that the register counts days and not hours.
    static let inDays: UInt8 = 1 << 7
    /// The PCF85063A's second, minute, hour, day, weekday, month and year.
    static let clock: UInt8 = 58
    /// This bit of the clock's second says that the oscillator stopped since the clock was set.
    static let hasStopped: UInt8 = 1 << 7
}

/// Why the firmware last switched the host on, as in the register `reason`; the missing numbers are reasons to switch
/// it off.
enum WittyPi4Reason: UInt8 {
    case alarm = 1
    case button = 3
    case voltageRestored = 5
    case delayedAlarm = 8
    case powerConnected = 10
    case guaranteedWake = 12
}
