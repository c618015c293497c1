internal import ClientProtocol
internal import GNSS
internal import GPSDProtocol
internal import Parts
internal import SextantUnits
internal import TimeService

/// Gives a time daemon on the host what the receiver says of the time; off until the configuration speaks of it.
///
/// The wall clock comes in as a reading that the part asks for with each epoch, so that a recording has it.
struct Timekeeping: ~Copyable {
    private var service: TimeService?
    /// The epoch whose reading was asked for.
    private var report: TimeReport?
    private var sink = TimeSinkState.untried
    private var last: (sample: TimeSample, at: MonotonicInstant)?
    private var sampleCount: UInt64 = 0
    private var refusalCounts = [UInt64](repeating: 0, count: TimeRefusal.allCases.count)

    var isOn: Bool { service != nil }

    mutating func begin(_ configuration: TimeConfiguration) { service = TimeService(configuration) }

    /// Keeps what a closed epoch says of the time, and asks for the clocks.
    mutating func heard(_ epoch: Epoch, _ turn: inout Turn) {
        guard isOn else { return }
        report = TimeReport(epoch)
        turn.actions.append(.readClock)
    }

    /// Judges the epoch that the clocks were asked for.
    ///
    /// - Returns: How the wall clock stood to the epoch's time, where that is valid.
    mutating func read(_ reading: ClockReading, _ turn: inout Turn) -> GPSDTimeOffset? {
        guard let report else { return nil }
        self.report = nil
        switch service?.take(report, at: reading) {
        case .sample(let sample):
            sampleCount += 1
            last = (sample, turn.instant)
            turn.actions.append(.tellTime(sample))
        case .refused(let refusal): refusalCounts[Int(refusal.rawValue)] += 1
        case nil: break
        }
        return report.clock(by: reading).map { GPSDTimeOffset(real: $0.real, clock: $0.clock) }
    }

    mutating func heard(_ sink: TimeSinkState) { self.sink = sink }

    func status(at instant: MonotonicInstant) -> TimeServiceStatus? {
        guard isOn else { return nil }
        return TimeServiceStatus(
            sink: sink, samples: sampleCount,
            refused: TimeRefusal.allCases.compactMap { refusal in
                let count = refusalCounts[Int(refusal.rawValue)]
                return count == 0 ? nil : .init(name: refusal.name, count: count)
            },
            offset: last.map { Double($0.sample.offset) * 1e-9 },
            age: last.map { Double(instant.nanoseconds(since: $0.at)) * 1e-9 })
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
