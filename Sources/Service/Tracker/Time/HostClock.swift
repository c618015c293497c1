internal import ClientProtocol
internal import Configuration
internal import Engine
internal import Logging
internal import SextantReactor
internal import SextantSockets
internal import SextantUnits
internal import TimeService

/// The host's clock: whether it can be trusted, and the time that it is given.
///
/// A class, because the feed is shared.
final class HostClock {
    private let feed: Feed
    private let journal: Journal
    private let time: TimeSettings?
    /// Where samples of the time go; nil where the time service is off.
    private var chrony: ChronySocket?
    private var sink = TimeSinkState.untried
    /// Whether the Engine was told the time of a clock that is right.
    private var isTrusted = false

    init(_ time: TimeSettings?, _ feed: Feed, _ journal: Journal) {
        self.time = time
        self.feed = feed
        self.journal = journal
    }

    /// Tells the Engine the time, once the host's clock is right.
    ///
    /// A board without a battery for its clock learns the time from the network minutes after it has started. The clock
    /// is looked at when a client needs the Engine, since nothing else depends on it.
    func ask() {
        guard !isTrusted, feed.reactor.utcIsSynchronized else { return }
        isTrusted = true
        feed(.clockTrusted(feed.reactor.utc))
    }

    /// Turns the time service on, where the configuration asks for it; without it nothing of this runs.
    func begin() {
        guard let time else { return }
        chrony = ChronySocket(path: time.chrony)
        let delay = Int64((time.serialDelay * 1e9).rounded())
        feed(.timeServed(TimeConfiguration(serialDelay: delay, earliest: BuildDate.instant)))
    }

    /// Reads both clocks one after the other, which takes less than a microsecond unless the host interrupts it.
    func read() {
        feed.add(
            .clockRead(
                ClockReading(
                    wall: feed.reactor.utc, instant: feed.reactor.now, isSynchronized: feed.reactor.utcIsSynchronized)))
    }

    /// Sends a sample, and tells of the socket when its state changes.
    func tell(_ sample: TimeSample) {
        guard let outcome = chrony?.send(sample.chronyDatagram), let path = time?.chrony else { return }
        let state: TimeSinkState =
            switch outcome {
            case .sent: .takes
            case .absent: .absent
            case .forbidden: .forbidden
            case .failed: .failed
            }
        guard state != sink else { return }
        sink = state
        if state == .takes { journal.logger.info("chrony takes the time at \(path)") }
        journal.complain(state.mend.map { "\(path): \($0)" }, about: "time")
        feed.add(.timeSink(state))
    }
}
