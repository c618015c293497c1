internal import HostSleep
internal import SextantUnits

/// The note in the store while the host sleeps: when it went to sleep by the wall clock, and when it is to be woken.
///
/// The record, little-endian: version (1 byte: 2), both instants in nanoseconds since 1970 (8 each), flags (1; bit 0:
/// the sleep is a trial of the power switch that the owner ordered, bit 1: motion would wake the host, bits 2 to 7: why
/// the sleep ends, as the cause's number counted from 1, or 0 if not known), then the names of the clients that needed
/// locations: their number (1 byte) and their texts. Version 1 lacks these names.
struct SleepNote {
    private static let maximumClients = 64

    private(set) var from: UTCInstant
    private(set) var alarm: UTCInstant
    /// Whether the sleep is a trial of the power switch that the owner ordered.
    private(set) var isTrial: Bool
    /// Whether motion would wake the host.
    private(set) var byMotion: Bool
    /// The kind of deadline that ends the sleep; nil where an earlier release wrote the note.
    private(set) var cause: HostSleepPlan.Cause?
    /// The clients that needed locations when the sleep began.
    private(set) var clients: [String]

    init(
        from: UTCInstant, alarm: UTCInstant, isTrial: Bool, byMotion: Bool, cause: HostSleepPlan.Cause? = nil,
        clients: [String] = []
    ) {
        self.from = from
        self.alarm = alarm
        self.isTrial = isTrial
        self.byMotion = byMotion
        self.cause = cause
        self.clients = Array(clients.prefix(SleepNote.maximumClients))
    }

    /// The record of this boot: how the host woke, how long it had slept, and how late after the alarm it woke.
    ///
    /// - Parameters:
    ///   - clock: The time on the power switch's clock now; nil where this clock is not trusted.
    ///   - booted: The seconds since the kernel started; the firmware's time before that is not included.
    func boot(_ wake: HostWake, clock: UTCInstant?, seconds booted: Double) -> BootRecord {
        let slept = clock.map { Double($0.nanoseconds(since: from)) / 1e9 - booted } ?? 0
        let late = clock.map { Double($0.nanoseconds(since: alarm)) / 1e9 - booted }
        var boot = BootRecord(wake: wake, slept: max(0, slept), wasAsleep: true, late: late)
        boot.wasTrial = isTrial
        return boot
    }

    /// Seconds from the request to power off until now; nil where the power switch's clock is not trusted.
    func seconds(until clock: UTCInstant?) -> Double? {
        guard let clock else { return nil }
        let seconds = Double(clock.nanoseconds(since: from)) / 1e9
        return (0...SleepNote.year).contains(seconds) ? seconds : nil
    }

    private static let year = 366.0 * 86_400

    /// An upper limit, in seconds, of the time that the firmware takes from a wake by motion or by the alarm until the
    /// kernel starts.
    ///
    /// The real time is shorter. Where the cause of a wake is inferred from the time, it is taken to be the alarm only
    /// within this many seconds after the alarm.
    private static let margin = 60.0

    /// The latest time at which the board was surely still at rest; nil where motion would not have woken the host, or
    /// the power switch's clock is not trusted.
    ///
    /// - Parameters:
    ///   - clock: The power switch's clock now.
    ///   - booted: The seconds since the kernel started.
    func rest(before wake: HostWake, clock: UTCInstant?, seconds booted: Double) -> UTCInstant? {
        guard byMotion, wake.cause == .alarm || wake.cause == .motion, let clock else { return nil }
        return max(from, clock.advanced(byNanoseconds: -Int64(saturating: (booted + SleepNote.margin) * 1e9)))
    }
}

extension SleepNote: Recorded {
    static var blank: SleepNote { SleepNote(from: .blank, alarm: .blank, isTrial: false, byMotion: false) }

    mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        let version = try record.version(upTo: 2)
        try from.code(&record)
        try alarm.code(&record)
        let causes = HostSleepPlan.Cause.allCases
        let index = cause.flatMap { causes.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
        var bits = (isTrial ? 1 : 0) | (byMotion ? 2 : 0) | UInt8(index) << 2
        try record.code(&bits)
        try record.check(bits >> 2 <= causes.count)
        (isTrial, byMotion) = (bits & 1 != 0, bits & 2 != 0)
        cause = bits >> 2 == 0 ? nil : causes[Int(bits >> 2) - 1]
        if version > 1 { try record.code(&clients, count: UInt8.self) }
    }
}
