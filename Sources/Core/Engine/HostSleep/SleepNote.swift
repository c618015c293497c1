internal import HostSleep
internal import SextantUnits

/// What the store holds while the host sleeps: when it went to sleep by the wall clock, and when it is to be woken.
///
/// The record, little-endian: version (1 byte: 1), both instants in nanoseconds since 1970 (8 each), whether it is a trial
/// (1).
struct SleepNote {
    private static let version: UInt8 = 1

    let from: UTCInstant
    let alarm: UTCInstant
    /// Whether the owner tries the switch out.
    let isTrial: Bool

    init(from: UTCInstant, alarm: UTCInstant, isTrial: Bool) {
        self.from = from
        self.alarm = alarm
        self.isTrial = isTrial
    }

    var bytes: [UInt8] {
        var record = RecordWriter()
        record.write(SleepNote.version)
        record.write(from.nanoseconds)
        record.write(alarm.nanoseconds)
        record.write(UInt8(isTrial ? 1 : 0))
        return record.bytes
    }

    init?(_ bytes: [UInt8]) {
        var record = RecordReader(bytes.span)
        guard record.integer() == SleepNote.version, let from: Int64 = record.integer(),
            let alarm: Int64 = record.integer(), let trial: UInt8 = record.integer(), trial <= 1, record.isAtEnd
        else { return nil }
        self.init(
            from: UTCInstant(nanoseconds: from), alarm: UTCInstant(nanoseconds: alarm), isTrial: trial == 1)
    }

    /// How the host woke, by what the switch says and by its clock now; nil clocks are not trusted.
    ///
    /// - Parameter booted: The seconds since the kernel began, which with the firmware's before are the boot's.
    func boot(_ wake: HostWake, clock: UTCInstant?, seconds booted: Double) -> BootRecord {
        let slept = clock.map { Double($0.nanoseconds(since: from)) / 1e9 - booted } ?? 0
        let late = clock.map { Double($0.nanoseconds(since: alarm)) / 1e9 - booted }
        var boot = BootRecord(wake: wake, slept: max(0, slept), wasAsleep: true, late: late)
        boot.wasTrial = isTrial
        return boot
    }
}
