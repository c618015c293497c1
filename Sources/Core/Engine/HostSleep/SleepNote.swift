internal import HostSleep
internal import SextantUnits

/// The note in the store while the host sleeps: when it went to sleep by the wall clock, and when it is to be woken.
///
/// The record, little-endian: version (1 byte: 2), both instants in nanoseconds since 1970 (8 each), bits (1; 1: a
/// trial, 2: motion would wake the host, and from 4 on the number of whose deadline ends the sleep, from 1 on), then
/// the names of the clients that needed locations, which version 1 lacks: their number (1 byte) and their texts.
struct SleepNote {
    /// The most clients that are named.
    private static let mostClients = 64

    private(set) var from: UTCInstant
    private(set) var alarm: UTCInstant
    /// Whether the owner tries the switch out.
    private(set) var isTrial: Bool
    /// Whether motion would wake the host.
    private(set) var byMotion: Bool
    /// The kind of deadline that ends the sleep; nil where an earlier release wrote the note.
    private(set) var cause: HostSleepPlan.Cause?
    /// The clients that needed locations when it began.
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
        self.clients = Array(clients.prefix(SleepNote.mostClients))
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

    /// Seconds from the request to power off until now; nil where the switch's clock is not to be trusted.
    func seconds(until clock: UTCInstant?) -> Double? {
        guard let clock else { return nil }
        let seconds = Double(clock.nanoseconds(since: from)) / 1e9
        return (0...SleepNote.year).contains(seconds) ? seconds : nil
    }

    private static let year = 366.0 * 86_400

    /// Seconds before the kernel began by which motion may have woken the board: the firmware takes less, and so does a
    /// wake whose cause is inferred from its time.
    private static let margin = 60.0

    /// The latest time at which the board certainly still rested; nil where motion would not have woken it, or no clock
    /// is trusted.
    ///
    /// - Parameters:
    ///   - clock: The switch's clock now.
    ///   - booted: The seconds since the kernel began.
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
