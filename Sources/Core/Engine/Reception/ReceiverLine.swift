internal import ClientProtocol
internal import Epochs
internal import GNSS
internal import Receivers
internal import Units

/// The receiver's line as the Engine knows it: its bytes, its rate, its bursts, and whether it is heard.
///
/// A class for the reason that `Compass` is one.
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
    /// Whether the burst's end was found by silence, and nothing came since.
    private var hasFoundSilence = false
    private var knownFalseSilences = 0
    private var previousEpochTime: UTCInstant?
    /// Seconds between the last two epochs.
    private(set) var cycleSeconds: Double?

    /// Nanoseconds without a message after which a receiver is said to be silent.
    private static let silentAfter: Int64 = 5_000_000_000

    /// What is to be done after bytes were heard.
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
            // A receiver that is asked is found by asking: the rate is the controller's to change.
            return BaudHunt(fixedAt: lastRate ?? configuration.fixedBaud ?? power.model.defaultBauds[0])
        }
        return configuration.fixedBaud.map { BaudHunt(fixedAt: $0) } ?? BaudHunt(startingAt: lastRate)
    }

    /// Bits per second; nil where they mean nothing.
    var rate: Int? { hasRate ? hunt.rate : nil }

    /// Whether the last messages were UBX frames and no sentences came at all.
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

    /// The rate is changed by order.
    func ordered(baud: Int) {
        hunt = BaudHunt(fixedAt: baud)
        pacer.reset(baud: baud)
        while decoder.abandonPartialMessage() {}
    }

    /// The receiver answers at this rate.
    ///
    /// - Returns: Whether it is another than the last time.
    func proved(baud: Int?) -> Bool {
        guard let baud, baud != lastRate else { return false }
        lastRate = baud
        return true
    }

    /// The receiver was put to rest: that it is silent is no news.
    func rested() {
        isSilent = false
        lastMessageAt = nil
    }

    func closed() {
        isOpen = false
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
        // While the rate is looked for, every byte counts.
        return Advice(hunt: outcome, restUntil: hunt.isSearching ? nil : rest)
    }

    /// A message came.
    ///
    /// - Returns: Whether none had come for a while.
    func noteMessage(at instant: MonotonicInstant) -> Bool {
        let isNews = lastMessageAt == nil || isSilent
        lastMessageAt = instant
        isSilent = false
        return isNews
    }

    func noteEpoch(_ epoch: Epoch) {
        if let time = epoch.fix.time, let previous = previousEpochTime, previous < time {
            cycleSeconds = Double(time.nanoseconds - previous.nanoseconds) * 1e-9
        }
        previousEpochTime = epoch.fix.time
    }

    /// When time alone changes something here: a burst's end that nothing has marked, and the receiver's silence.
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

    /// What was begun waits for its end; once is enough, because some of it belongs to the next burst.
    private var awaitsSilence: Bool {
        !hasFoundSilence && (decoder.hasOpenEpoch || decoder.stream.hasPartialMessage)
    }

    func foundSilence() { hasFoundSilence = true }

    /// - Returns: For how many seconds nothing came, if that is news.
    func fellSilent(at instant: MonotonicInstant) -> Int? {
        guard isOpen, let deadline = silentDeadline, deadline <= instant else { return nil }
        isSilent = true
        return Int(ReceiverLine.silentAfter / 1_000_000_000)
    }
}
