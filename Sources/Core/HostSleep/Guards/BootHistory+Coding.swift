public import SextantUnits

/// The stored form, at most 1.4 kB, little-endian: version, the counters that were derived from all boots, the last
/// boots, CRC-32 of all before it.
///
/// If the record cannot be read, the host does not sleep.
extension BootHistory: Recorded {
    public static var blank: BootHistory { BootHistory() }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.version(1)
        try record.code(&loops, as: UInt8.self)
        try record.code(&servedInRow, as: UInt8.self)
        try record.code(&alarmsInRow, as: UInt8.self)
        try record.code(&restlessLevel, as: UInt8.self)
        try record.code(&clocksInRow, as: UInt8.self)
        var isBarred = barred != nil
        try record.code(&isBarred)
        barred = isBarred ? .missedAlarms : nil
        try record.code(&trials, as: UInt8.self)
        try record.code(&hasRebooted)
        try record.code(&fingerprint)
        try record.code(length: &loopLeft)
        try record.code(length: &restlessLeft)
        try record.code(&bootSeconds, count: UInt8.self, blank: 0) { (seconds, record) throws(DamagedRecord) in
            try record.code(length: &seconds)
        }
        try record.code(&boots, count: UInt8.self)
        try record.check(bootSeconds.count <= BootHistory.bootsLearned && boots.count <= BootHistory.capacity)
        try record.codeCheck()
    }
}

extension BootRecord: Recorded {
    public static var blank: BootRecord {
        BootRecord(wake: HostWake(.unknown, isRead: false), slept: 0, wasAsleep: false, late: nil)
    }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.code(index: &wake.cause)
        var flags: InlineArray<6, Bool> = [
            wake.isRead, wasAsleep, served, late != nil, travelled != nil, wasTrial,
        ]
        try record.code(&flags)
        (wake.isRead, wasAsleep, served, wasTrial) = (flags[0], flags[1], flags[2], flags[5])
        try record.code(length: &slept)
        try record.code(length: &awake)
        try record.code(&late, where: flags[3])
        try record.check(late?.isFinite != false)
        try record.code(&travelled, where: flags[4])
        try record.check(travelled.map { $0.isFinite && $0 >= 0 } != false)
    }
}
