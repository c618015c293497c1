internal import Hardware

/// The commands that the driver uses, each of which reads or writes a block of bytes followed by a checksum.
///
/// Source: PiJuice, Firmware/Sources-V1.6_2021_09_10/Src/command_server.c, and Software/Source/pijuice.py.
enum PiJuiceCommand: UInt8 {
    case status = 0x40
    /// The charge in per cent.
    case charge = 0x41
    /// What switched the host off or reset it: bit 0 the button, bit 1 the button by force, bit 2 the system switch by
    /// force, bit 3 the watchdog.
    case faults = 0x44
    /// Millivolts, the low byte first.
    case voltage = 0x49
    /// Minutes without a command from the host until a reset or a wake, the low byte first.
    case watchdog = 0x61
    /// Seconds until the supply is cut.
    case powerOff = 0x62
    /// The charge in per cent at which the host is woken while a supply is connected; 0x7F for never.
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

/// The alarm's nine bytes: second, minute, hour, day (bit 7 of each: not compared), three bytes of hours, minutes'
/// step, weekdays.
struct PiJuiceAlarm: Equatable {
    /// This bit in one of the alarm's first four bytes says that the field is not compared.
    static let any: UInt8 = 0x80
    /// This bit says, in the hour, that the clock has 12 h, and in the day, that it is a weekday and not a day of the
    /// month.
    static let other: UInt8 = 0x40
    /// The last five bytes of the alarm: every hour in three bytes, no minutes' step, and every weekday.
    static let everyHour: [UInt8] = [0xFF, 0xFF, 0xFF, 0x00, 0xFF]
    /// An alarm that never fires, because its day of the month is 0.
    static let none: [UInt8] = [0, 0, 0, 0] + everyHour

    static func bytes(_ time: AlarmTime) -> [UInt8] {
        [time.second.bcd, time.minute.bcd, time.hour.bcd, (time.day ?? 0).bcd] + everyHour
    }

    /// Reads the alarm from its block; nil where the block holds no alarm, or none of the kind that this driver sets.
    static func time(_ row: RegisterBytes) -> AlarmTime? {
        for index in 0..<4 where row[index] & any != 0 { return nil }
        for index in 0..<everyHour.count where row[4 + index] != everyHour[index] { return nil }
        guard (row[2] | row[3]) & other == 0 else { return nil }
        return AlarmTime(bcdDay: row[3], hour: row[2], minute: row[1], second: row[0])
    }
}

/// The alarm's control and status.
enum PiJuiceAlarmControl {
    /// The wake by the alarm is enabled: the bits INTCN and A1IE of the DS1339, which the firmware emulates.
    static let enabled: UInt8 = 0x05
    /// In the second byte: the alarm has fired.
    static let hasFired: UInt8 = 0x01
}

/// The watchdog's two bytes.
enum PiJuiceWatchdog {
    /// Set if the watchdog counts in units of four minutes.
    static let coarse = 0x4000
    /// Set if the watchdog's period is kept in the flash; the period then begins again at each wake.
    static let isKept = 0x8000
}
