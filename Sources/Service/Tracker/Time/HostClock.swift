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
    /// Where the samples of one source go.
    ///
    /// A class, because an optional of a noncopyable socket could not be kept in a struct that is passed on.
    private final class Sink {
        let path: String
        /// The connection to the time daemon's socket; nil where the process may open no more descriptors.
        let socket: ChronySocket?
        var state = TimeSinkState.untried

        init(_ path: String) {
            self.path = path
            socket = ChronySocket(path: path)
        }
    }

    private let feed: Feed
    private let journal: Journal
    private let hardware: any TrackerHardware
    private let time: TimeSettings?
    /// The sink of the messages' times; nil where the time service is off.
    private var messages: Sink?
    /// The sink of the pulses; nil where pulses are left alone.
    private var pulses: Sink?
    private var pulsePort: (any PulsePort)?
    /// Whether the Engine was told the time of a clock that is right.
    private var isTrusted = false

    init(_ time: TimeSettings?, _ hardware: any TrackerHardware, _ feed: Feed, _ journal: Journal) {
        self.time = time
        self.hardware = hardware
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
        messages = Sink(time.chrony)
        pulses = time.pulse.map { Sink($0.chrony) }
        let delay = Int64((time.serialDelay * 1e9).rounded())
        feed(
            .timeServed(
                TimeConfiguration(
                    serialDelay: delay, earliest: BuildDate.instant, hasPulses: pulses != nil, demand: time.demand)))
    }

    /// Reads the last pulse, and then both clocks one after the other, which takes less than a microsecond unless the
    /// host interrupts it.
    func read() {
        let pulse = lastPulse()
        feed.add(
            .clockRead(
                ClockReading(
                    wall: feed.reactor.utc, instant: feed.reactor.now, isSynchronized: feed.reactor.utcIsSynchronized,
                    pulse: pulse)))
    }

    /// The last pulse; a device that cannot be read is opened again with the next epoch.
    private func lastPulse() -> Pulse? {
        guard let device = time?.pulse?.device else { return nil }
        do throws(HardwareFailure) {
            let port: any PulsePort
            if let pulsePort { port = pulsePort } else { port = try hardware.openPulses(device) }
            pulsePort = port
            let pulse = try port.last()
            journal.complain(nil, about: device)
            return pulse
        } catch {
            pulsePort = nil
            journal.complain(error.description, about: device)
            return nil
        }
    }

    /// Sends a sample, and tells of the socket when its state changes.
    func tell(_ sample: TimeSample) {
        switch sample.source {
        case .messages: send(sample, to: messages)
        case .pulse: send(sample, to: pulses)
        }
    }

    private func send(_ sample: TimeSample, to sink: Sink?) {
        guard let outcome = sink?.socket?.send(sample.chronyDatagram), let path = sink?.path else { return }
        let state: TimeSinkState =
            switch outcome {
            case .sent: .takes
            case .absent: .absent
            case .forbidden: .forbidden
            case .failed: .failed
            }
        guard state != sink?.state else { return }
        sink?.state = state
        if state == .takes { journal.logger.info("chrony takes the time at \(path)") }
        journal.complain(state.mend(isPulse: sample.source == .pulse).map { "\(path): \($0)" }, about: path)
        feed.add(.timeSink(state, of: sample.source))
    }
}
