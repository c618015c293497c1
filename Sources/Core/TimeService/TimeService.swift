internal import GNSS
public import SextantUnits

/// Settings of the time service, from the configuration and from the build.
public struct TimeConfiguration: Sendable, Equatable {
    /// Nanoseconds from the second that an epoch reports to the arrival of the epoch's first byte, 0 to 1 s; used until
    /// pulses have shown the delay.
    public var serialDelay: Int64
    /// The build's date; earlier times are refused.
    public var earliest: UTCInstant
    /// Whether the host times the receiver's pulses.
    public var hasPulses: Bool
    /// How often and how long the receiver is switched on only to get the time; nil if it never is.
    public var demand: TimeDemand?

    public init(serialDelay: Int64, earliest: UTCInstant, hasPulses: Bool = false, demand: TimeDemand? = nil) {
        self.serialDelay = serialDelay
        self.earliest = earliest
        self.hasPulses = hasPulses
        self.demand = demand
    }
}

/// Makes time samples for a time daemon from a receiver's reports and pulses, or says why a report or a pulse cannot be
/// trusted.
///
/// It reads no clock: reports and readings go in, samples come out. Judging an epoch allocates no memory.
public struct TimeService: Sendable {
    public enum Verdict: Sendable, Equatable {
        case sample(TimeSample)
        case refused(TimeRefusal)
    }

    /// The verdicts on an epoch and on the pulse before it.
    public struct Judgement: Sendable, Equatable {
        public var messages: Verdict
        /// The verdict on the pulse; nil where no pulses are timed, or this pulse was already judged.
        public var pulse: Verdict?
        /// A fault of the pulses that a person can mend; nil where there is none.
        public var trouble: PulseTrouble?
    }

    public let configuration: TimeConfiguration
    private var leap: LeapKnowledge?
    /// The time of the epoch in which the receiver reported the leap seconds; nil where that time was not valid.
    private var leapTime: UTCInstant?
    /// The time of the previous epoch, and the instant of its first byte; nil if that time was not valid.
    private var previous: (utc: UTCInstant, firstByte: MonotonicInstant)?
    private var reading: ClockReading?
    /// The nanoseconds during which valid times came, gaps left out, since the receiver's time last jumped; after 13
    /// minutes, the satellites have sent the leap seconds.
    private var heard: Int64 = 0
    private var pairing = PulsePairing()
    /// Whether a sample was given.
    private var hasServed = false
    /// Whether the wall clock was synchronised before Sextant gave any sample; if so, another source keeps it right.
    private var isKept = false

    public init(_ configuration: TimeConfiguration) { self.configuration = configuration }

    /// Nanoseconds from the beginning of an epoch's second to the epoch's first byte, learned from pulses; nil until
    /// the delay is known.
    public var learnedDelay: Int64? { pairing.delay }

    /// Whether the receiver has reported that its leap seconds come from satellites.
    public var hasLeapSeconds: Bool { leap?.isFromSatellites == true }

    /// Judges an epoch, and the pulse whose second the epoch shows.
    ///
    /// - Parameter now: The clocks, read after the epoch's last byte.
    public mutating func take(_ report: TimeReport, at now: ClockReading) -> Judgement {
        if let told = report.leap { (leap, leapTime) = (told, report.isValid ? report.utc : nil) }
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
    /// The largest error, in seconds, that the receiver may claim for its time if the time is to be used.
    private static let worstAccuracy = 1e-3
    /// The longest accepted time from an epoch's first byte to its judgement; nanoseconds.
    private static let longestAge: Int64 = 4_000_000_000
    /// From one epoch to the next, the receiver's time and the host's clock may advance differently by at most this;
    /// nanoseconds.
    private static let jitter: Int64 = 300_000_000
    /// The longest gap between two epochs that is counted as time with reception; nanoseconds.
    private static let longestGap: Int64 = 10_000_000_000
    /// Nanoseconds of 13 minutes; GPS satellites send the leap seconds every 12.5 minutes.
    ///
    /// Source: IS-GPS-200, 20.3.3.5.
    private static let almanac: Int64 = 780_000_000_000
    private static let keptClock: Int64 = 500_000_000
    /// The largest accepted distance of a pulse from a whole second of the wall clock, while another source than
    /// Sextant keeps that clock right; nanoseconds.
    private static let keptPulse: Int64 = 200_000_000
    /// The largest error, in seconds, that the receiver may claim for its time if the pulse is to be used.
    private static let worstPulseAccuracy = 1e-6
    /// Nanoseconds of 1024 weeks; dates this long after the build are refused, because the wrapping GPS week number can
    /// produce them.
    private static let weekRollover: Int64 = 1024 * 7 * UTCInstant.nanosecondsPerDay

    /// Whether the wall clock was set since the last reading: moved by more than a tenth of the elapsed time plus 1 ms.
    ///
    /// A time daemon that merely slews the clock moves it less: chrony by at most 1/12 of the elapsed time, by default
    /// (`maxslewrate`).
    private mutating func steps(at now: ClockReading) -> Bool {
        defer { reading = now }
        guard let before = reading else { return false }
        let elapsed = now.instant.nanoseconds(since: before.instant)
        return now.shift(since: before).magnitude > UInt64(max(0, elapsed) / 10 + 1_000_000)
    }

    /// Whether the receiver's time advanced as the host's clock did; false for bytes that waited while the host slept,
    /// and after the receiver corrected its second.
    private mutating func continues(_ utc: UTCInstant, _ firstByte: MonotonicInstant) -> Bool {
        defer { previous = (utc, firstByte) }
        guard let previous else { return false }
        let passed = firstByte.nanoseconds(since: previous.firstByte)
        guard (utc.nanoseconds(since: previous.utc) &- passed).magnitude <= UInt64(Self.jitter) else {
            heard = 0
            if utc <= previous.utc { pairing.forgetSecond() }
            return false
        }
        if passed <= Self.longestGap { heard += passed }
        return true
    }

    /// Why an epoch cannot give a time sample, nor tell which second its pulse begins; nil where it can.
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

    /// Whether the receiver's UTC has the present leap seconds: satellites have sent them, or the receiver was on long
    /// enough to get them, or the synchronised wall clock agrees.
    private func knowsLeapSeconds(_ offset: Int64, _ now: ClockReading) -> Bool {
        if let leap { return leap.isFromSatellites }
        return heard >= Self.almanac || now.isSynchronized && offset.magnitude <= UInt64(Self.keptClock)
    }

    /// The leap second announced for the end of this month; only June and December can have one.
    private func announcement(at utc: UTCInstant) -> TimeSample.Leap {
        guard let leap, leap.change != 0, [6, 12].contains(utc.date.month) else { return .none }
        // The receiver is asked about leap seconds only once a day, so the time since its answer is subtracted.
        let left = Int64(leap.secondsToChange) * 1_000_000_000 - utc.nanoseconds(since: leapTime ?? utc)
        // Two seconds are subtracted, so that a leap second at midnight counts for the day that ends then.
        let days = Int64(utc.date.day) + (left - 2_000_000_000) / UTCInstant.nanosecondsPerDay
        guard left > 0, days <= 31 else { return .none }
        return leap.change > 0 ? .insert : .delete
    }
}
