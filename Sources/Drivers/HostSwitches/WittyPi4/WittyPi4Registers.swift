/// The registers that the driver uses.
///
/// Source: UUGear, Witty-Pi-4, Firmware/WittyPi4/WittyPi4.ino.
enum WittyPi4Register {
    static let identity: UInt8 = 0
    static let isWittyPi4: UInt8 = 0x26
    /// The input voltage in whole volts; the next register has the hundredths of a volt.
    static let inputVolts: UInt8 = 1
    static let reason: UInt8 = 11
    static let revision: UInt8 = 12
    /// The input voltage below which the switch shuts the host down, in tenths of a volt; 255 for never.
    static let lowVoltage: UInt8 = 19
    /// The delay from the silence of the host's UART to the cut of the supply, in tenths of a second.
    static let cutDelay: UInt8 = 21
    /// The input voltage at which the switch wakes a host that it shut down because of low voltage, in tenths of a
    /// volt; 255 for never.
    static let recoveryVoltage: UInt8 = 22
    /// The alarm that switches the host on: second, minute, hour, day of the month.
    static let onAlarm: UInt8 = 27
    /// The alarm that shuts the host down: second, minute, hour, day of the month.
    static let offAlarm: UInt8 = 32
    /// The flag that says whether the alarm that switches on has fired and, as `offFlag`, whether the shutdown alarm
    /// has; the host clears both.
    static let onFlag: UInt8 = 39
    static let offFlag: UInt8 = 40
    static let miscellaneous: UInt8 = 48
    /// This bit of `miscellaneous` keeps an alarm that passes while the host is on from switching the host on after the
    /// next cut of the supply.
    static let neverDelayed: UInt8 = 1 << 0
    static let guaranteedWake: UInt8 = 49
    /// This bit of `guaranteedWake` says that the register counts days and not hours.
    static let inDays: UInt8 = 1 << 7
    /// The first of the seven registers of the PCF85063A, the clock chip: second, minute, hour, day, weekday, month and
    /// year.
    static let clock: UInt8 = 58
    /// This bit of the register with the clock's second says that the oscillator stopped since the clock was set.
    static let hasStopped: UInt8 = 1 << 7
}

/// Why the firmware last switched the host on, as in the register `reason`; numbers that have no case are reasons for
/// switching it off.
enum WittyPi4Reason: UInt8 {
    case alarm = 1
    case button = 3
    case voltageRestored = 5
    case delayedAlarm = 8
    case powerConnected = 10
    case guaranteedWake = 12
}
