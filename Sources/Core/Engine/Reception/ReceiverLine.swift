internal import ClientProtocol
internal import Epochs
internal import GNSS
internal import Receivers
internal import SextantUnits

/// The serial line to the receiver: its decoder, its rate, its bursts of bytes, and whether messages arrive.
///
/// It is a class only to save compile time, as `Engine` is.
final class ReceiverLine {
    var decoder: EpochDecoder
    private var hunt: BaudHunt
    private var pacer = BurstPacer()
    private let configuration: EngineConfiguration
    private var lastRate: Int?
    private(set) var isOpen = false
    private var hasRate = true
    private var lastMessageAt: MonotonicInstant?
    private var isSilent = false
    /// Whether silence has ended the last burst, and no bytes have come since.
    private var hasFoundSilence = false
    private var knownFalseSilences = 0
    private(set) var cycle = EpochCycle()

    /// Nanoseconds without a message after which the receiver is reported as silent.
    private static let silentAfter: Int64 = 5_000_000_000

    /// The actions that are due after bytes were read.
    struct Advice {
        var hunt: BaudHunt.Outcome
        var restUntil: MonotonicInstant?
    }

    init(_ configuration: EngineConfiguration) {
        self.configuration = configuration
        lastRate = configuration.lastBaud
        decoder = EpochDecoder(reference: .near(configuration.now), source: .line)
        hunt = ReceiverLine.hunt(configuration, lastRate: lastRate)
    }

    private static func hunt(_ configuration: EngineConfiguration, lastRate: Int?) -> BaudHunt {
        if let power = configuration.power {
            // The controller of a managed receiver finds the rate by its own requests, so `BaudHunt` does not search
            // for it.
            return BaudHunt(fixedAt: lastRate ?? configuration.fixedBaud ?? power.model.defaultBauds[0])
        }
        return configuration.fixedBaud.map { BaudHunt(fixedAt: $0) } ?? BaudHunt(startingAt: lastRate)
    }

    /// The line's rate in bits per second; nil for a device without one, such as a pseudo-terminal.
    var rate: Int? { hasRate ? hunt.rate : nil }

    /// Whether UBX frames came, and never an NMEA sentence.
    var speaksUBX: Bool { decoder.stream.counters.frames > 0 && decoder.stream.counters.sentences == 0 }

    var state: ReceiverState {
        guard isOpen else { return .absent }
        if isSilent { return .silent }
        if lastMessageAt != nil { return .receiving }
        return hasRate && hunt.isSearching && decoder.stream.counters.bytes > 0 ? .searchingRate : .waiting
    }

    func opened(_ link: ReceiverLink) {
        isOpen = true
        hasRate = link.hasRate
        hunt = hasRate ? ReceiverLine.hunt(configuration, lastRate: lastRate) : BaudHunt(fixedAt: nil)
        pacer.reset(baud: rate)
        isSilent = false
        lastMessageAt = nil
    }

    /// Takes the rate that the receiver's controller ordered, and drops a message that began at the old rate.
    func ordered(baud: Int) {
        hunt = BaudHunt(fixedAt: baud)
        pacer.reset(baud: baud)
        while decoder.abandonPartialMessage() {}
    }

    /// Notes the rate at which the receiver answers.
    ///
    /// - Returns: Whether the rate differs from the last known one.
    func proved(baud: Int?) -> Bool {
        guard let baud, baud != lastRate else { return false }
        lastRate = baud
        return true
    }

    /// Notes that the receiver was put to sleep, so that its silence is not reported.
    func rested() {
        isSilent = false
        lastMessageAt = nil
    }

    /// Notes that the device is not open; it is to be opened at the rate at which the receiver last answered, whatever
    /// rate was being tried.
    func closed() {
        isOpen = false
        if hasRate { hunt = ReceiverLine.hunt(configuration, lastRate: lastRate) }
        isSilent = false
        lastMessageAt = nil
    }

    func isNewBurst(at instant: MonotonicInstant, byteCount: Int) -> Bool {
        pacer.isNewBurst(at: instant, byteCount: byteCount)
    }

    func heard(_ byteCount: Int, hadMessage: Bool, at instant: MonotonicInstant) -> Advice {
        if decoder.falseSilences > knownFalseSilences {
            knownFalseSilences = decoder.falseSilences
            pacer.lengthenSilence()
        }
        hasFoundSilence = false
        let rest = pacer.heard(byteCount, at: instant)
        let outcome = hunt.heard(hadMessage: hadMessage, at: instant)
        switch outcome {
        case .nothing, .unintelligible: break
        case .found: lastRate = hunt.rate
        case .changed:
            pacer.reset(baud: hunt.rate)
            while decoder.abandonPartialMessage() {}
        }
        // Reading is not suspended while the rate is searched for, because every byte counts.
        return Advice(hunt: outcome, restUntil: hunt.isSearching ? nil : rest)
    }

    /// Notes that a message came.
    ///
    /// - Returns: Whether it is the first message, or the first after a silence.
    func noteMessage(at instant: MonotonicInstant) -> Bool {
        let isNews = lastMessageAt == nil || isSilent
        lastMessageAt = instant
        isSilent = false
        return isNews
    }

    func noteEpoch(_ epoch: Epoch) { cycle.heard(epoch.fix.time) }

    /// The next instant at which, without further bytes, a burst ends or the receiver counts as silent.
    var deadline: MonotonicInstant? {
        guard isOpen else { return nil }
        return awaitsSilence ? pacer.silenceDeadline : silentDeadline
    }

    private var silentDeadline: MonotonicInstant? {
        isSilent ? nil : lastMessageAt?.advanced(byNanoseconds: ReceiverLine.silentAfter)
    }

    func isSilenceOver(at instant: MonotonicInstant) -> Bool {
        isOpen && awaitsSilence && pacer.silenceDeadline <= instant
    }

    /// Whether an open epoch or a partial message waits for silence to end it.
    ///
    /// Only the first silence after a burst of bytes ends them; what is still open then waits for the silence after the
    /// next burst.
    private var awaitsSilence: Bool {
        !hasFoundSilence && (decoder.hasOpenEpoch || decoder.stream.hasPartialMessage)
    }

    func foundSilence() { hasFoundSilence = true }

    /// Notes that the receiver has fallen silent, if no message came for long enough.
    ///
    /// - Returns: The seconds without a message, once for each silence; nil otherwise.
    func fellSilent(at instant: MonotonicInstant) -> Int? {
        guard isOpen, let deadline = silentDeadline, deadline <= instant else { return nil }
        isSilent = true
        return Int(ReceiverLine.silentAfter / 1_000_000_000)
    }
}

/// The duration of the receiver's last navigation cycle.
struct EpochCycle {
    private var latest: UTCInstant?
    /// Seconds between the times that the last two epochs state; nil until two epochs in a row have had a time.
    private(set) var seconds: Double?

    /// Takes the time of an epoch; nil where the receiver gave none.
    mutating func heard(_ time: UTCInstant?) {
        if let time, let latest, latest < time { seconds = Double(time.nanoseconds(since: latest)) * 1e-9 }
        latest = time
    }
}
