internal import ClientProtocol
internal import GNSS
internal import GPSDProtocol
internal import Parts
internal import Receivers
internal import SextantUnits
internal import TimeService

/// Gives a time daemon on the host what the receiver says of the time; off until the configuration speaks of it.
///
/// The wall clock and the last pulse come in as a reading that the part asks for with each epoch, so that a recording
/// has them.
struct Timekeeping: ~Copyable {
    /// Counts of one source's samples, and the last of them.
    private struct Tally {
        var sink = TimeSinkState.untried
        var last: (sample: TimeSample, at: MonotonicInstant)?
        var samples: UInt64 = 0
        var refused = [UInt64](repeating: 0, count: TimeRefusal.allCases.count)
    }

    private var service: TimeService?
    private var plan: TimeDemandPlan?
    /// The epoch whose reading was asked for.
    private var report: TimeReport?
    private var messages = Tally()
    private var pulses = Tally()
    /// How many pulses must give samples until the next trouble with them is told; 0 where it is told at once.
    private var soundPulsesWanted = 0

    /// When the receiver was last asked for its leap seconds.
    private var askedForLeapSeconds: MonotonicInstant?

    /// Nanoseconds after which leap seconds are asked for again: until satellites have told them, which takes up to
    /// 12.5 minutes, and after that, since one may be announced months before it comes.
    private static let leapSecondsRetry: Int64 = 60_000_000_000
    private static let leapSecondsRenewal: Int64 = 86_400_000_000_000
    /// After so many sound pulses a trouble is a new one.
    private static let soundPulses = 60

    /// - Parameter canSwitch: Whether the receiver can be switched on for the time's sake.
    mutating func begin(_ configuration: TimeConfiguration, canSwitch: Bool, at instant: MonotonicInstant) {
        service = TimeService(configuration)
        guard canSwitch else { return }
        plan = configuration.demand.map { TimeDemandPlan($0, at: instant) }
    }

    /// Keeps what a closed epoch says of the time, and asks for the clocks.
    mutating func heard(_ epoch: Epoch, _ turn: inout Turn) {
        guard service != nil else { return }
        report = TimeReport(epoch)
        turn.actions.append(.readClock)
    }

    /// Judges the epoch that the clocks were asked for.
    ///
    /// - Returns: How the wall clock stood to the epoch's time, where that is valid, and to its pulse, where that has a
    /// name.
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

    /// Has the receiver asked for its leap seconds, where that is due and the receiver knows such a question.
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
        if soundPulsesWanted == 0 { turn.actions.append(.log(.pulseTrouble(trouble))) }
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
    /// Whether the receiver must be on for the time alone.
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
    /// - Parameter joules: What the receiver has used for the time alone; nil where that is not known.
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
            age: tally.last.map { Double(instant.nanoseconds(since: $0.at)) * 1e-9 })
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
