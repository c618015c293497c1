internal import GNSS
public import SextantUnits

/// Settings of the time service, from the owner and from the build.
public struct TimeConfiguration: Sendable, Equatable {
    /// Nanoseconds from the second that an epoch names to its first byte, 0 to 1 s, until pulses have shown it.
    public var serialDelay: Int64
    /// The build's date, before which no time is believed.
    public var earliest: UTCInstant
    /// Whether the host times the receiver's pulses.
    public var hasPulses: Bool
    /// How often the receiver is switched on for the time alone; nil for never.
    public var demand: TimeDemand?

    public init(serialDelay: Int64, earliest: UTCInstant, hasPulses: Bool = false, demand: TimeDemand? = nil) {
        self.serialDelay = serialDelay
        self.earliest = earliest
        self.hasPulses = hasPulses
        self.demand = demand
    }
}

/// Makes samples for a time daemon from what a receiver says of the time and from its pulses, or says why one is not to
/// be trusted.
///
/// It reads no clock: reports and readings go in, samples come out. It allocates nothing for an epoch.
public struct TimeService: Sendable {
    public enum Verdict: Sendable, Equatable {
        case sample(TimeSample)
        case refused(TimeRefusal)
    }

    /// The judgement of an epoch and of the pulse before it.
    public struct Judgement: Sendable, Equatable {
        public var messages: Verdict
        /// The judgement of the pulse; nil where no pulses are timed, or this one was judged before.
        public var pulse: Verdict?
        /// A fault of the pulses that a person can mend; nil where there is none.
        public var trouble: PulseTrouble?
    }

    public let configuration: TimeConfiguration
    private var leap: LeapKnowledge?
    /// The time and the first byte of the last epoch with a valid time, and the last reading.
    private var previous: (utc: UTCInstant, firstByte: MonotonicInstant)?
    private var reading: ClockReading?
    /// Nanoseconds for which valid times came without a gap, by which satellites have told the leap seconds.
    private var heard: Int64 = 0
    private var pairing = PulsePairing()
    /// Whether a sample was given.
    private var hasServed = false
    /// Whether the wall clock was synchronised before any sample was given, so that something else keeps it.
    private var isKept = false

    public init(_ configuration: TimeConfiguration) { self.configuration = configuration }

    /// Nanoseconds from the second to an epoch's first byte, as pulses have shown them; nil until they have.
    public var learnedDelay: Int64? { pairing.delay }

    /// Whether satellites have told the receiver its leap seconds, by what it has said.
    public var hasLeapSeconds: Bool { leap?.isFromSatellites == true }

    /// Judges an epoch, and the pulse that it names.
    ///
    /// - Parameter now: The clocks after the epoch's last byte.
    public mutating func take(_ report: TimeReport, at now: ClockReading) -> Judgement {
        leap = report.leap ?? leap
        if !hasServed { isKept = now.isSynchronized }
        let isStepped = steps(at: now)
        if configuration.hasPulses { pairing.hear(now) }
        if let refusal = refusal(of: report, isStepped: isStepped, at: now) { return refused(refusal) }
        guard let utc = report.utc else { return refused(.notValid) }
        let (pulse, trouble) = configuration.hasPulses ? judgePulse(report, utc, at: now) : (nil, nil)
        let truth = utc.advanced(byNanoseconds: pairing.delay ?? configuration.serialDelay)
        let sample = TimeSample(clock: now.wall(at: report.firstByte), truth: truth, leap: announcement(at: utc))
        guard knowsLeapSeconds(sample.offset, now) else { return refused(.leapSecondsUnknown) }
        hasServed = true
        return Judgement(messages: .sample(sample), pulse: pulse, trouble: trouble)
    }

    private func refused(_ refusal: TimeRefusal) -> Judgement {
        Judgement(
            messages: .refused(refusal), pulse: configuration.hasPulses ? .refused(refusal) : nil, trouble: nil)
    }

    private mutating func judgePulse(
        _ report: TimeReport, _ utc: UTCInstant, at now: ClockReading
    ) -> (Verdict?, PulseTrouble?) {
        if let accuracy = report.accuracy, accuracy > Self.worstPulseAccuracy { return (.refused(.inaccurate), nil) }
        switch pairing.name(by: utc, report.firstByte) {
        case .repeated: return (nil, nil)
        case .refused(let refusal, let trouble): return (.refused(refusal), trouble)
        case .named(let second):
            guard let pulse = now.pulse else { return (nil, nil) }
            let sample = TimeSample(clock: pulse.wall, truth: second, leap: announcement(at: utc), source: .pulse)
            guard isKept, now.isSynchronized else { return (.sample(sample), pairing.doubt()) }
            guard sample.offset.magnitude > UInt64(Self.keptPulse) else { return (.sample(sample), nil) }
            return (.refused(.pulseOff), .offClock(nanoseconds: -sample.offset))
        }
    }
}

extension TimeService {
    /// The worst accuracy of a time, in seconds.
    private static let worstAccuracy = 1e-3
    /// Nanoseconds from an epoch's first byte to its judgement.
    private static let longestAge: Int64 = 4_000_000_000
    /// Nanoseconds by which an epoch's bytes may come earlier or later than the last one's did.
    private static let jitter: Int64 = 300_000_000
    /// Nanoseconds between two epochs that count as one reception.
    private static let longestGap: Int64 = 10_000_000_000
    /// Nanoseconds, 13 minutes, in which GPS tells its leap seconds, which it does every 12.5.
    ///
    /// Source: IS-GPS-200, 20.3.3.5.
    private static let almanac: Int64 = 780_000_000_000
    private static let keptClock: Int64 = 500_000_000
    /// Nanoseconds that a pulse may be from a second of a clock that something else keeps.
    private static let keptPulse: Int64 = 200_000_000
    /// The worst accuracy of a time whose pulse is used, in seconds.
    private static let worstPulseAccuracy = 1e-6
    /// After it a date that GPS's week number, which wraps, moved forward would be taken for a right one.
    private static let weekRollover: Int64 = 1024 * 7 * UTCInstant.nanosecondsPerDay

    /// Whether the wall clock was set since the last reading.
    ///
    /// chrony moves it by 1/12 of the time that passes at most, unless told otherwise (`maxslewrate`).
    private mutating func steps(at now: ClockReading) -> Bool {
        defer { reading = now }
        guard let before = reading else { return false }
        let elapsed = now.instant.nanoseconds(since: before.instant)
        return now.shift(since: before).magnitude > UInt64(max(0, elapsed) / 10 + 1_000_000)
    }

    /// Whether the receiver's time passed as the host's clock did; it does not for bytes that waited while the host
    /// slept, nor for a receiver that corrects its second.
    private mutating func continues(_ utc: UTCInstant, _ firstByte: MonotonicInstant) -> Bool {
        defer { previous = (utc, firstByte) }
        guard let previous else { return false }
        let passed = firstByte.nanoseconds(since: previous.firstByte)
        guard (utc.nanoseconds(since: previous.utc) &- passed).magnitude <= UInt64(Self.jitter) else {
            heard = 0
            return false
        }
        if passed <= Self.longestGap { heard += passed }
        return true
    }

    /// Why an epoch gives neither a sample nor its pulse a name; nil where nothing speaks against it.
    private mutating func refusal(of report: TimeReport, isStepped: Bool, at now: ClockReading) -> TimeRefusal? {
        guard report.isValid, let utc = report.utc else {
            previous = nil
            return .notValid
        }
        let isContinuous = continues(utc, report.firstByte)
        if report.isResolved == false { return .notResolved }
        if let accuracy = report.accuracy, accuracy > Self.worstAccuracy { return .inaccurate }
        let latest = configuration.earliest.advanced(byNanoseconds: Self.weekRollover)
        guard (configuration.earliest..<latest).contains(utc) else { return .impossibleDate }
        guard report.hasFix else { return .noFix }
        guard now.instant.nanoseconds(since: report.firstByte) <= Self.longestAge else { return .stale }
        guard isContinuous else { return .discontinuous }
        return isStepped ? .clockStepped : nil
    }

    /// Whether the receiver's UTC has the present leap seconds: satellites told them, or there was time for it, or a
    /// clock that somebody keeps agrees.
    private func knowsLeapSeconds(_ offset: Int64, _ now: ClockReading) -> Bool {
        if let leap { return leap.isFromSatellites }
        return heard >= Self.almanac || now.isSynchronized && offset.magnitude <= UInt64(Self.keptClock)
    }

    /// The leap second at the end of this month, which only June and December have.
    private func announcement(at utc: UTCInstant) -> TimeSample.Leap {
        guard let leap, leap.change != 0, [6, 12].contains(utc.date.month) else { return .none }
        let days = Int32(utc.date.day) + leap.secondsToChange / 86_400
        guard leap.secondsToChange > 0, days <= 31 else { return .none }
        return leap.change > 0 ? .insert : .delete
    }
}
