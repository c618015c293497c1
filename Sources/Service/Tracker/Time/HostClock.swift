internal import ClientProtocol
internal import Configuration
internal import Engine
internal import Logging
internal import SextantReactor
internal import SextantSockets
internal import SextantUnits
internal import TimeService

/// The part of the daemon that tells the Engine (the daemon's logic) when the host's clock can be trusted, and passes
/// the receiver's time to chrony.
///
/// A class, because it shares the way to the Engine with other parts.
final class HostClock {
    /// The chrony socket that gets the time samples of one source, the receiver's messages or its pulses.
    ///
    /// A class, because an optional noncopyable socket cannot be kept in a struct that is copied.
    private final class Sink {
        let path: String
        /// The connection to chrony's socket; nil if the process cannot open another descriptor.
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
    /// The chrony socket for the time samples of the receiver's messages; nil if the time service is off.
    private var messages: Sink?
    /// The chrony socket for the time samples of the receiver's pulses; nil if pulses are not used.
    private var pulses: Sink?
    private var pulsePort: (any PulsePort)?
    /// Whether the host's clock was synchronised and the Engine (the daemon's logic) has been told its time since.
    private var isTrusted = false

    init(_ time: TimeSettings?, _ hardware: any TrackerHardware, _ feed: Feed, _ journal: Journal) {
        self.time = time
        self.hardware = hardware
        self.feed = feed
        self.journal = journal
    }

    /// Tells the Engine (the daemon's logic) the time once the host's clock is synchronised.
    ///
    /// A board without a clock battery gets the time from the network some minutes after its start. The clock is
    /// checked when a client needs the Engine, since nothing else depends on it.
    func ask() {
        guard !isTrusted, feed.reactor.utcIsSynchronized else { return }
        isTrusted = true
        feed(.clockTrusted(feed.reactor.utc))
    }

    /// Starts passing the receiver's time to chrony if the configuration asks for it.
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

    /// Reads the receiver's last pulse, and then the wall clock and the boot clock, one right after the other.
    ///
    /// Reading the clocks takes less than a microsecond unless the host interrupts it.
    func read() {
        let pulse = lastPulse()
        feed.add(
            .clockRead(
                ClockReading(
                    wall: feed.reactor.utc, instant: feed.reactor.now, isSynchronized: feed.reactor.utcIsSynchronized,
                    pulse: pulse)))
    }

    /// The receiver's last pulse; if the kernel's PPS device cannot be read, the device is opened again at the next
    /// epoch.
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

    /// Sends a time sample to chrony, and tells the Engine when chrony's socket becomes usable or unusable.
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
