internal import Hardware

/// The commands that the driver uses, each of which reads or writes a block of bytes followed by a checksum.
///
/// Source: PiJuice, Firmware/Sources-V1.6_2021_09_10/Src/command_server.c, and Software/Source/pijuice.py.
enum PiJuiceCommand: UInt8 {
    case status = 0x40
    /// The charge in per cent.
    case charge = 0x41
    /// What switched the host off or reset it: bit 0 the button, bit 1 a forced power-off by the button, bit 2 a forced
    /// power-off by the system switch, bit 3 the watchdog.
    case faults = 0x44
    /// The battery's voltage in millivolts, the low byte first.
    case voltage = 0x49
    /// The watchdog's period: the minutes without a command from the host after which it resets or wakes the host, the
    /// low byte first.
    case watchdog = 0x61
    /// The seconds from the write of this value until the supply is cut.
    case powerOff = 0x62
    /// The charge in per cent at which the host is woken while a supply is connected; 0x7F for never.
    case wakeOnCharge = 0x63
    case time = 0xB0
    case alarm = 0xB9
    case alarmControl = 0xC2
    case firmware = 0xFD

    /// The number of bytes in the command's block, without its checksum.
    var count: Int {
        switch self {
        case .status, .charge, .faults, .powerOff, .wakeOnCharge: 1
        case .voltage, .watchdog, .alarmControl, .firmware: 2
        case .time, .alarm: 9
        }
    }
}

/// The alarm's nine bytes: second, minute, hour and day (bit 7 of each says that it is not compared), three bytes with
/// the allowed hours, the step of the minutes, and the weekdays.
struct PiJuiceAlarm: Equatable {
    /// This bit in one of the alarm's first four bytes says that the field is not compared.
    static let any: UInt8 = 0x80
    /// In the hour, this bit says that the clock counts 12 h; in the day, that it is a weekday and not a day of the
    /// month.
    static let other: UInt8 = 0x40
    /// The last five bytes of the alarm: every hour is allowed, in three bytes; the minutes have no step; every weekday
    /// is allowed.
    static let everyHour: [UInt8] = [0xFF, 0xFF, 0xFF, 0x00, 0xFF]
    /// An alarm that never fires, because its day of the month is 0.
    static let none: [UInt8] = [0, 0, 0, 0] + everyHour

    static func bytes(_ time: AlarmTime) -> [UInt8] {
        [time.second.bcd, time.minute.bcd, time.hour.bcd, (time.day ?? 0).bcd] + everyHour
    }

    /// Reads the alarm from its block; nil if the block holds no alarm, or one of a kind that this driver never sets.
    static func time(_ row: RegisterBytes) -> AlarmTime? {
        for index in 0..<4 where row[index] & any != 0 { return nil }
        for index in 0..<everyHour.count where row[4 + index] != everyHour[index] { return nil }
        guard (row[2] | row[3]) & other == 0 else { return nil }
        return AlarmTime(bcdDay: row[3], hour: row[2], minute: row[1], second: row[0])
    }
}

/// Bits of the two bytes that control the alarm and tell its state.
enum PiJuiceAlarmControl {
    /// These bits of the first byte let the alarm wake the host: INTCN and A1IE of the DS1339, which the firmware
    /// emulates.
    static let enabled: UInt8 = 0x05
    /// This bit of the second byte says that the alarm has fired.
    static let hasFired: UInt8 = 0x01
}

/// The watchdog's two bytes.
enum PiJuiceWatchdog {
    /// Set if the unit of the watchdog's period is four minutes and not one.
    static let coarse = 0x4000
    /// Set if the watchdog's period is kept in the chip's flash; the period then begins again at each wake of the host.
    static let isKept = 0x8000
}
