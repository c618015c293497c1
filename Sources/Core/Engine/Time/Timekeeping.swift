internal import ClientProtocol
internal import GNSS
internal import GPSDProtocol
internal import Parts
internal import Receivers
internal import SextantUnits
internal import TimeService

/// Gives the receiver's time to a time daemon on the host; off unless it is configured.
///
/// At each epoch, a reading of the wall clock and of the last pulse per second is requested. It comes as an input, so
/// that a flight recording contains it.
struct Timekeeping: ~Copyable {
    /// The counts of the time samples from one source (messages or pulses), and the last of these samples.
    private struct Tally {
        var sink = TimeSinkState.untried
        var last: (sample: TimeSample, at: MonotonicInstant)?
        var samples: UInt64 = 0
        var refused = [UInt64](repeating: 0, count: TimeRefusal.allCases.count)
    }

    private var service: TimeService?
    private var plan: TimeDemandPlan?
    /// The time data of the epoch for which a reading of the clocks was asked.
    private var report: TimeReport?
    private var messages = Tally()
    private var pulses = Tally()
    /// How many good pulses must still come until the next fault of the time pulses (PPS) is logged; 0 to log it now.
    private var soundPulsesWanted = 0

    /// When the receiver was last asked for its leap seconds.
    private var askedForLeapSeconds: MonotonicInstant?

    /// Nanoseconds after which the receiver is asked for leap seconds again.
    ///
    /// Until the receiver has the number from the satellites, which takes up to 12.5 minutes, the wait is
    /// `leapSecondsRetry`. Then it is `leapSecondsRenewal`, because a new leap second can be announced months before it
    /// comes.
    private static let leapSecondsRetry: Int64 = 60_000_000_000
    private static let leapSecondsRenewal: Int64 = 86_400_000_000_000
    /// The number of good pulses after which the next fault of the time pulses (PPS) counts as a new one and is logged.
    private static let soundPulses = 60

    /// - Parameter canSwitch: Whether the receiver can be switched on when only the time service needs it.
    mutating func begin(_ configuration: TimeConfiguration, canSwitch: Bool, at instant: MonotonicInstant) {
        service = TimeService(configuration)
        guard canSwitch else { return }
        plan = configuration.demand.map { TimeDemandPlan($0, at: instant) }
    }

    /// Keeps the time data of a closed epoch, and asks for a reading of the clocks.
    mutating func heard(_ epoch: Epoch, _ turn: inout Turn) {
        guard service != nil else { return }
        report = TimeReport(epoch)
        turn.actions.append(.readClock)
    }

    /// Takes the reading of the clocks, and makes time samples from the last epoch and its pulse.
    ///
    /// - Returns: Two offsets of the wall clock: from the epoch's time, nil where that time is not valid, and from the
    ///   pulse, nil where it is not known which second the pulse marks.
    mutating func read(
        _ reading: ClockReading, _ turn: inout Turn
    ) -> (epoch: GPSDTimeOffset?, pulse: GPSDTimeOffset?) {
        guard let report, let judgement = service?.take(report, at: reading) else { return (nil, nil) }
        self.report = nil
        Self.count(judgement.messages, in: &messages, &turn)
        if case .sample = judgement.messages { changePlan(&turn) { $0.sampled(at: $1) } }
        var pulse: GPSDTimeOffset?
        if let verdict = judgement.pulse {
            Self.count(verdict, in: &pulses, &turn)
            if case .sample(let sample) = verdict {
                pulse = GPSDTimeOffset(.pulse, real: sample.truth, clock: sample.clock)
                soundPulsesWanted = max(0, soundPulsesWanted - 1)
            }
        }
        tell(judgement.trouble, &turn)
        let epoch = report.clock(by: reading).map { GPSDTimeOffset(.epoch, real: $0.real, clock: $0.clock) }
        return (epoch, pulse)
    }

    /// Polls the receiver for its leap seconds, where that is due and the receiver has such a message.
    mutating func ask(forLeapSeconds question: @autoclosure () -> [UInt8]?, _ turn: inout Turn) {
        guard let service else { return }
        let wait = service.hasLeapSeconds ? Self.leapSecondsRenewal : Self.leapSecondsRetry
        let isDue = askedForLeapSeconds.map { turn.instant.nanoseconds(since: $0) >= wait } ?? true
        guard isDue, let question = question() else { return }
        askedForLeapSeconds = turn.instant
        turn.actions.append(.port(.transmit(question)))
    }

    private static func count(_ verdict: TimeService.Verdict, in tally: inout Tally, _ turn: inout Turn) {
        switch verdict {
        case .sample(let sample):
            tally.samples += 1
            tally.last = (sample, turn.instant)
            turn.actions.append(.tellTime(sample))
        case .refused(let refusal): tally.refused[Int(refusal.rawValue)] += 1
        }
    }

    private mutating func tell(_ trouble: PulseTrouble?, _ turn: inout Turn) {
        guard let trouble else { return }
        if soundPulsesWanted == 0 { turn.log(.pulseTrouble(trouble)) }
        soundPulsesWanted = Self.soundPulses
    }

    mutating func heard(_ sink: TimeSinkState, of source: TimeSample.Source) {
        switch source {
        case .messages: messages.sink = sink
        case .pulse: pulses.sink = sink
        }
    }
}

// MARK: The receiver for the time's sake

extension Timekeeping {
    /// Whether the receiver must be on now for the sake of the host's clock.
    var isWanted: Bool { plan?.isWanted == true }

    var deadline: MonotonicInstant? { plan?.deadline }

    mutating func advance(_ turn: inout Turn) { changePlan(&turn) { $0.timePassed(to: $1) } }

    private mutating func changePlan(_ turn: inout Turn, _ change: (inout TimeDemandPlan, MonotonicInstant) -> Void) {
        guard var plan else { return }
        change(&plan, turn.instant)
        if plan.isWanted != isWanted { turn.tell(.deliveryNeeds) }
        self.plan = plan
    }
}

// MARK: The status

extension Timekeeping {
    /// - Parameter joules: The energy in joules that the receiver has used only for the host's clock; nil where it is
    ///   not known.
    func status(joules: Double?, at instant: MonotonicInstant) -> TimeServiceStatus? {
        guard let service else { return nil }
        var status = TimeServiceStatus(messages: Self.status(of: messages, at: instant))
        if service.configuration.hasPulses {
            status.pulse = Self.status(of: pulses, at: instant)
            status.delay = service.learnedDelay.map { Double($0) * 1e-9 }
        }
        if let plan, let demand = service.configuration.demand {
            status.demand = TimeServiceStatus.Demand(
                every: Double(demand.interval) * 1e-9, seconds: Double(demand.length) * 1e-9, isOn: plan.isWanted,
                joules: joules)
        }
        return status
    }

    private static func status(of tally: Tally, at instant: MonotonicInstant) -> TimeServiceStatus.Source {
        TimeServiceStatus.Source(
            sink: tally.sink, samples: tally.samples,
            refused: TimeRefusal.allCases.compactMap { refusal in
                let count = tally.refused[Int(refusal.rawValue)]
                return count == 0 ? nil : .init(name: refusal.name, count: count)
            },
            offset: tally.last.map { Double($0.sample.offset) * 1e-9 },
            age: tally.last.map { instant.seconds(since: $0.at) })
    }
}

extension TimeReport {
    init(_ epoch: Epoch) {
        self.init()
        utc = epoch.fix.time
        isValid = epoch.fix.isTimeValidated
        isResolved = epoch.isTimeResolved
        accuracy = epoch.fix.timeAccuracy
        hasFix = epoch.fix.hasPosition && epoch.fix.type != .deadReckoningOnly
        leap = epoch.leap
        firstByte = epoch.firstByte
    }
}
