public import Hardware
public import HostSleep
public import SextantUnits

/// The registers of a LiFePO4wered/Pi+ that the driver uses; each holds its low byte first.
///
/// Source: xorbit, LiFePO4wered-Pi, lifepo4wered-data.c, the last column (register version 7).
enum LiFePO4weredRegister: UInt8 {
    case version = 0x00
    /// The battery voltage below which the chip cuts the supply and, as `bootVoltage`, the voltage above which it boots
    /// the host.
    case shutdownVoltage = 0x0A
    case bootVoltage = 0x0C
    /// The lowest input voltage at which an external supply counts as connected.
    case inputThreshold = 0x10
    /// Whether the chip boots the host by itself: 0 for never, 1 for whenever the battery is above `bootVoltage`.
    case autoBoot = 0x20
    /// The delay after which the chip cuts the supply even if the host's UART does not fall silent; units of 10 s.
    case shutdownTimeout = 0x22
    /// The minutes from the cut of the supply until the chip wakes the host, counted by its own oscillator; 0 for
    /// never.
    case wakeMinutes = 0x26
    /// The chip's clock in seconds since 1970.
    case time = 0x28
    /// The time at which the chip wakes the host, in seconds since 1970; 0 for never.
    case wakeTime = 0x2C
    /// Writing 0 tells the chip that the host is shutting down.
    case isRunning = 0x31
    case batteryVoltage = 0x32
    case inputVoltage = 0x36

    var count: Int {
        switch self {
        case .version, .autoBoot, .shutdownTimeout, .isRunning: 1
        case .shutdownVoltage, .bootVoltage, .inputThreshold, .wakeMinutes, .batteryVoltage, .inputVoltage: 2
        case .time, .wakeTime: 4
        }
    }
}

/// Silicognition's LiFePO4wered/Pi+, register version 7.
///
/// A value is accepted once three readings in a row agree, because the chip's first bit sometimes comes late. The first
/// byte of each write contains a code made from the address and the register; the chip ignores a write without it. The
/// chip can wake the host at a time in seconds since 1970, and also a number of minutes after the cut, which is the
/// backstop. It is not verified that both work together, and on older units a minute is 0.6 to 3 times as long. The
/// chip does not report why it woke the host.
///
/// After `cut`, the chip cuts the supply as soon as the host's UART falls silent, and at the latest after the shutdown
/// timeout. Source: xorbit, LiFePO4wered-Pi, lifepo4wered-access.c and lifepo4wered-data.c; by reading, not tried on
/// hardware.
public struct LiFePO4wered: HostSwitchChip {
    public static let usualAddress = I2CAddress(0x43)
    private static let version = 7
    private static let unlock: UInt8 = 0xC9
    /// The largest number of readings in which three in a row must agree; `pause` is the wait before each reading, in
    /// microseconds.
    ///
    /// Both are as in the maker's program.
    private static let tries = 20
    private static let pause = 500

    public let address: I2CAddress
    public var model: HostSwitchModel { .lifepo4wered }

    public init(at address: I2CAddress) { self.address = address }

    public func identify(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> String {
        let found = try read(.version, over: &bus)
        guard found == LiFePO4wered.version else {
            throw .otherFirmware(model, found: "register version \(found)", needed: "register version 7, as of the Pi+")
        }
        return "register version \(found)"
    }

    public func clock(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> UTCInstant? {
        UTCInstant(seconds: try read(.time, over: &bus))
    }

    public func setClock(
        to instant: UTCInstant, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) {
        try write(.time, Int(try instant.wholeSeconds(for: model)), over: &bus)
    }

    public func arm(_ order: SwitchOrder, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) {
        let minutes = try count(of: order.backstop, each: 60, most: 65_535)
        let alarm = Int(try order.alarm.wholeSeconds(for: model))
        try disarm(over: &bus)
        try write(.wakeTime, alarm, over: &bus)
        try write(.wakeMinutes, minutes, over: &bus)
    }

    public func reading(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> SwitchReading {
        let clock = try clock(over: &bus)
        let alarm = UTCInstant(seconds: try read(.wakeTime, over: &bus))
        let minutes = try read(.wakeMinutes, over: &bus)
        // The register keeps an alarm whose time has passed; such an alarm is not reported.
        let isAhead = clock.map { alarm > $0 } ?? false
        return SwitchReading(
            clock: clock, alarm: isAhead ? alarm : nil,
            backstop: minutes == 0 ? nil : Double(minutes) * 60, byMotion: false)
    }

    public func disarm(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) {
        try write(.wakeTime, 0, over: &bus)
        try write(.wakeMinutes, 0, over: &bus)
    }

    /// Tells the chip that the host shuts down; the chip then cuts the supply at the latest after this many seconds,
    /// rounded up to a multiple of ten.
    public func cut(after seconds: Int, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) {
        try write(.shutdownTimeout, Int(try cutByte((seconds + 9) / 10)), over: &bus)
        try write(.isRunning, 0, over: &bus)
    }

    public func wake(
        near alarm: UTCInstant?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) -> HostWake {
        // The register keeps an alarm whose time has passed.
        let held = UTCInstant(seconds: try read(.wakeTime, over: &bus))
        return try inferredWake(near: alarm ?? held, over: &bus)
    }

    public func battery(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> HostBattery {
        let battery = try read(.batteryVoltage, over: &bus)
        let input = try read(.inputVoltage, over: &bus)
        let threshold = try read(.inputThreshold, over: &bus)
        let shutdown = try read(.shutdownVoltage, over: &bus)
        return HostBattery(
            millivolts: LiFePO4wered.millivolts(battery), hasExternalPower: input >= threshold,
            cutMillivolts: LiFePO4wered.millivolts(shutdown))
    }

    public func setRecovery(
        _ recovery: HostRecovery?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) {
        if let recovery {
            try write(.bootVoltage, LiFePO4wered.counts(min(max(recovery.millivolts, 0), 5000)), over: &bus)
        }
        try write(.autoBoot, recovery == nil ? 0 : 1, over: &bus)
    }

    /// Converts the voltage registers' counts to millivolts: 1023 counts are 625 mV.
    private static func millivolts(_ counts: Int) -> Int { (counts * 625 + 511) / 1023 }
    private static func counts(_ millivolts: Int) -> Int { (millivolts * 1023 + 312) / 625 }

    /// Reads a register until three readings in a row give one value.
    private func read(
        _ register: LiFePO4weredRegister, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) -> Int {
        var last = -1
        var same = 0
        for _ in 0..<LiFePO4wered.tries {
            bus.wait(microseconds: LiFePO4wered.pause)
            let row = try bus.row(register.count, from: register.rawValue, at: address)
            let value = (0..<row.count).reduce(0) { $0 | Int(row[$1]) << (8 * $1) }
            same = value == last ? same + 1 : 1
            last = value
            if same == 3 { return value }
        }
        throw .unreadable(model, register: register.rawValue)
    }

    private func write(
        _ register: LiFePO4weredRegister, _ value: Int, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) {
        var row = RegisterBytes([address.rawValue << 1 ^ LiFePO4wered.unlock ^ register.rawValue])
        for index in 0..<register.count { row.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
        try bus.put(row, to: register.rawValue, at: address)
    }
}
