internal import ClientProtocol
internal import Configuration
internal import Engine
internal import Logging
internal import Parts
internal import SextantReactor
internal import SextantSockets
internal import SextantUnits
internal import TimeService

/// The time for the host's clock.
extension Tracker {
    /// Turns the time service on, where the configuration asks for it; without it nothing of this runs.
    func beginTimeService() {
        guard let time = settings.time else { return }
        chrony = ChronySocket(path: time.chrony)
        let delay = Int64((time.serialDelay * 1e9).rounded())
        feed(.timeServed(TimeConfiguration(serialDelay: delay, earliest: BuildDate.instant)))
    }

    /// Reads both clocks one after the other, which takes less than a microsecond unless the host interrupts it.
    func readClock() {
        pending.append(
            .clockRead(
                ClockReading(
                    wall: reactor.utc, instant: reactor.now, isSynchronized: reactor.utcIsSynchronized)))
    }

    /// Sends a sample, and tells of the socket when its state changes.
    func tellTime(_ sample: TimeSample) {
        guard let outcome = chrony?.send(sample.chronyDatagram), let path = settings.time?.chrony else { return }
        let state: TimeSinkState =
            switch outcome {
            case .sent: .takes
            case .absent: .absent
            case .forbidden: .forbidden
            case .failed: .failed
            }
        guard state != timeSink else { return }
        timeSink = state
        if state == .takes { logger.info("chrony takes the time at \(path)") }
        complain(state.mend.map { "\(path): \($0)" }, about: "time")
        pending.append(.timeSink(state))
    }
}
