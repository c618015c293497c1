internal import Hardware

extension I2CBus where Self: ~Copyable {
    /// Writes an alarm of second, minute, hour and day of the month, each in a transfer of its own; nil removes the
    /// alarm.
    ///
    /// The day is written first, because no alarm fires without it, and the seconds are written last.
    mutating func putAlarm(_ time: AlarmTime?, to register: UInt8, at address: I2CAddress) throws(HostSwitchError) {
        try put(time?.day?.bcd ?? 0, to: register + 3, at: address)
        try put(time?.hour.bcd ?? 0, to: register + 2, at: address)
        try put(time?.minute.bcd ?? 0, to: register + 1, at: address)
        try put(time?.second.bcd ?? 0, to: register, at: address)
    }

    /// Reads an alarm of second, minute, hour and day of the month; nil if none is set.
    mutating func alarm(from register: UInt8, at address: I2CAddress) throws(HostSwitchError) -> AlarmTime? {
        let row = try bytes(4, from: register, at: address)
        return AlarmTime(bcdDay: row[3], hour: row[2], minute: row[1], second: row[0])
    }
}
