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

    static let build = UTCInstant(
        date: CivilDate(year: 2026, month: 11, day: 20) ?? CivilDate(daysSince1970: 0), timeOfDay: 0)

    init(start: UTCInstant = Rig.build.advanced(byNanoseconds: UTCInstant.nanosecondsPerDay)) {
        service = TimeService(TimeConfiguration(serialDelay: 100_000_000, earliest: Rig.build))
        self.start = start
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
        let verdict = service.take(
            report,
            at: ClockReading(
                wall: start.advanced(byNanoseconds: read + wallAhead), instant: MonotonicInstant(nanoseconds: read),
                isSynchronized: isSynchronized))
        switch verdict {
        case .sample(let sample): samples.append(sample)
        case .refused(let refusal): refusals[refusal, default: 0] += 1
        }
    }

    mutating func epochs(_ seconds: Range<Int>, _ change: (inout TimeReport) -> Void = { _ in }) {
        for second in seconds { epoch(second, change) }
    }
}
