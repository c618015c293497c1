import GNSS
import SextantUnits
import TimeService

/// A receiver and a host in virtual time: both clocks tell literal times, and nothing is measured.
struct Rig {
    var service: TimeService
    /// Nanoseconds that the host's wall clock is ahead of the truth.
    var wallAhead: Int64 = 0
    var isSynchronized = false
    /// Nanoseconds from the second to the epoch's first byte, and from there to the reading of the clocks.
    var delay: Int64 = 100_000_000
    var processing: Int64 = 80_000_000
    /// The truth when the host started.
    let start: UTCInstant
    var samples: [TimeSample] = []
    var refusals: [TimeRefusal: Int] = [:]
    /// Nanoseconds from each second to its pulse, for a receiver that has pulses.
    var pulseLate: Int64 = 0
    /// Nil while the receiver has no pulse.
    private var pulse: Pulse?
    var pulses: [TimeSample] = []
    var pulseRefusals: [TimeRefusal: Int] = [:]
    var troubles: [PulseTrouble] = []
    var doubts: Int { troubles.count { if case .lateMessages = $0 { true } else { false } } }

    static let build = UTCInstant(
        date: CivilDate(year: 2026, month: 11, day: 20) ?? CivilDate(daysSince1970: 0), timeOfDay: 0)

    init(
        start: UTCInstant = Rig.build.advanced(byNanoseconds: UTCInstant.nanosecondsPerDay), hasPulses: Bool = false
    ) {
        service = TimeService(
            TimeConfiguration(serialDelay: 100_000_000, earliest: Rig.build, hasPulses: hasPulses))
        self.start = start
    }

    /// The receiver's pulse at a second since the start, and so many nanoseconds later.
    mutating func pulse(_ second: Int, late: Int64 = 0) {
        // The kernel's count wraps after the tenth.
        let sequence = UInt32(truncatingIfNeeded: second) &- 10
        let edge = Int64(second) * 1_000_000_000 + pulseLate + late + wallAhead
        pulse = Pulse(sequence: sequence, wall: start.advanced(byNanoseconds: edge))
    }

    /// Seconds with a pulse that has up to 2 µs of jitter, and the epoch's message after it.
    mutating func pulsedEpochs(
        _ seconds: Range<Int>, _ change: (inout TimeReport) -> Void = { _ in },
        delay: (Int) -> Int64 = { _ in 100_000_000 }
    ) {
        for second in seconds {
            self.delay = delay(second)
            // The messages of a second may be read when the pulse of the next one, or of a later one, has come.
            let read = self.delay + processing
            pulse(second + Int(read / 1_000_000_000), late: Int64(second * 7919 % 4001) - 2000)
            epoch(second, change)
        }
    }

    /// A report of a receiver that vouches for everything.
    static let sound: TimeReport = {
        var report = TimeReport()
        report.isValid = true
        report.isResolved = true
        report.accuracy = 30e-9
        report.hasFix = true
        report.leap = LeapKnowledge(isFromSatellites: true, change: 0, secondsToChange: 0)
        return report
    }()

    /// Gives the epoch of a second since the start; `change` spoils it, and `later` is how much later its bytes are read.
    mutating func epoch(
        _ second: Int, later: Int64 = 0, _ change: (inout TimeReport) -> Void = { _ in }
    ) {
        let truth = Int64(second) * 1_000_000_000
        let firstByte = truth + delay + later
        var report = Rig.sound
        report.utc = start.advanced(byNanoseconds: truth)
        report.firstByte = MonotonicInstant(nanoseconds: firstByte)
        change(&report)
        let read = firstByte + processing
        let judgement = service.take(
            report,
            at: ClockReading(
                wall: start.advanced(byNanoseconds: read + wallAhead), instant: MonotonicInstant(nanoseconds: read),
                isSynchronized: isSynchronized, pulse: pulse))
        switch judgement.messages {
        case .sample(let sample): samples.append(sample)
        case .refused(let refusal): refusals[refusal, default: 0] += 1
        }
        switch judgement.pulse {
        case .sample(let sample): pulses.append(sample)
        case .refused(let refusal): pulseRefusals[refusal, default: 0] += 1
        case nil: break
        }
        if let trouble = judgement.trouble { troubles.append(trouble) }
    }

    mutating func epochs(_ seconds: Range<Int>, _ change: (inout TimeReport) -> Void = { _ in }) {
        for second in seconds { epoch(second, change) }
    }
}
