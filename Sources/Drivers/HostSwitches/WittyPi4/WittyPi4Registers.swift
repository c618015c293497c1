/// The registers that the driver uses.
///
/// Source: UUGear, Witty-Pi-4, Firmware/WittyPi4/WittyPi4.ino.
enum WittyPi4Register {
    static let identity: UInt8 = 0
    static let isWittyPi4: UInt8 = 0x26
    /// Volts at the input, and hundredths of them in the next.
    static let inputVolts: UInt8 = 1
    static let reason: UInt8 = 11
    static let revision: UInt8 = 12
    /// Tenths of a volt at the input under which it shuts the host down; 255 for never.
    static let lowVoltage: UInt8 = 19
    /// Tenths of a second between the end of the host's UART and the cut.
    static let cutDelay: UInt8 = 21
    /// Tenths of a volt at which it wakes the host after a shutdown by low voltage; 255 for never.
    static let recoveryVoltage: UInt8 = 22
    /// The alarm that switches on: second, minute, hour, day of the month.
    static let onAlarm: UInt8 = 27
    /// The alarm that shuts down, likewise.
    static let offAlarm: UInt8 = 32
    /// The flags of the two alarms, for the host to clear.
    static let onFlag: UInt8 = 39
    static let offFlag: UInt8 = 40
    static let miscellaneous: UInt8 = 48
    /// In `miscellaneous`: an alarm that passes while the host is on does not switch it on after the next cut.
    static let neverDelayed: UInt8 = 1 << 0
    static let guaranteedWake: UInt8 = 49
    /// In `guaranteedWake`: the count is of days and not of hours.
    static let inDays: UInt8 = 1 << 7
    /// The PCF85063A's second, minute, hour, day, weekday, month and year.
    static let clock: UInt8 = 58
    /// In the second: the oscillator stopped since the clock was set.
    static let hasStopped: UInt8 = 1 << 7
}

/// Why the firmware switched on last, in the register `reason`; the numbers left out are reasons to switch off.
enum WittyPi4Reason: UInt8 {
    case alarm = 1
    case button = 3
    case voltageRestored = 5
    case delayedAlarm = 8
    case powerConnected = 10
    case guaranteedWake = 12
}
