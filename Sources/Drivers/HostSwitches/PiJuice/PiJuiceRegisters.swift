internal import Hardware

/// The commands that the driver uses, each of which reads or writes a block of bytes with a checksum behind it.
///
/// Source: PiJuice, Firmware/Sources-V1.6_2021_09_10/Src/command_server.c, and Software/Source/pijuice.py.
enum PiJuiceCommand: UInt8 {
    case status = 0x40
    /// The charge in per cent.
    case charge = 0x41
    /// Bits: 0 switched off by the button, 1 by force, 2 system switch by force, 3 reset by the watchdog.
    case faults = 0x44
    /// Millivolts, the low byte first.
    case voltage = 0x49
    /// Minutes without a host's command until a reset or a wake, the low byte first.
    case watchdog = 0x61
    /// Seconds until the cut.
    case powerOff = 0x62
    /// Per cent of charge that wakes the host while a supply is there; 0x7F for never.
    case wakeOnCharge = 0x63
    case time = 0xB0
    case alarm = 0xB9
    case alarmControl = 0xC2
    case firmware = 0xFD

    /// The bytes of the block, without its checksum.
    var count: Int {
        switch self {
        case .status, .charge, .faults, .powerOff, .wakeOnCharge: 1
        case .voltage, .watchdog, .alarmControl, .firmware: 2
        case .time, .alarm: 9
        }
    }
}

/// The alarm's nine bytes: second, minute, hour, day (bit 7 of each: any), three bytes of hours, minutes' step, weekdays.
struct PiJuiceAlarm: Equatable {
    /// In the first four bytes: the field is not compared.
    static let any: UInt8 = 0x80
    /// A 12 h clock in the hour, a weekday in the day.
    static let other: UInt8 = 0x40
    /// Every hour of the three bytes of hours, then the minutes' step, none, and every weekday.
    static let everyHour: [UInt8] = [0xFF, 0xFF, 0xFF, 0x00, 0xFF]
    /// No day of a month.
    static let none: [UInt8] = [0, 0, 0, 0] + everyHour

    static func bytes(_ time: AlarmTime) -> [UInt8] {
        [time.second.bcd, time.minute.bcd, time.hour.bcd, (time.day ?? 0).bcd] + everyHour
    }

    /// The alarm; nil where the block is another kind of alarm than this driver sets, or none.
    static func time(_ row: RegisterBytes) -> AlarmTime? {
        for index in 0..<4 where row[index] & any != 0 { return nil }
        for index in 0..<everyHour.count where row[4 + index] != everyHour[index] { return nil }
        guard (row[2] | row[3]) & other == 0 else { return nil }
        return AlarmTime(bcdDay: row[3], hour: row[2], minute: row[1], second: row[0])
    }
}

/// The alarm's control and status.
enum PiJuiceAlarmControl {
    /// The wake by the alarm is enabled: the bits of the DS1339 that the firmware stands for, INTCN and A1IE.
    static let enabled: UInt8 = 0x05
    /// In the second byte: the alarm has fired.
    static let hasFired: UInt8 = 0x01
}

/// The watchdog's two bytes.
enum PiJuiceWatchdog {
    /// The unit is four minutes.
    static let coarse = 0x4000
    /// The period is kept in the flash, and begins anew with each wake.
    static let isKept = 0x8000
}
