public import Units

/// Learns how long a receiver's burst of messages lasts, so that the line need not be looked at while it comes in.
///
/// A burst at 9600 baud lasts most of a second and arrives in crumbs of a few bytes, each of which would wake the board.
/// After its first bytes the line is left alone for the shortest length lately seen, less a margin; the kernel keeps the
/// bytes meanwhile. The burst's end is then heard as it comes, so that nothing is late. Never is the line left alone for
/// longer than the kernel's buffer can take.
public struct BurstPacer: Sendable {
    /// A silence of this many nanoseconds ends a burst; most receivers pause less between messages of an epoch.
    public private(set) var silence: Int64 = 40_000_000
    /// A receiver that pauses for longer within an epoch than this is not waited for.
    private static let longestSilence: Int64 = 320_000_000
    /// Bursts that a length is learned from.
    private static let memory = 8
    /// How much earlier than the shortest burst's end the line is listened to again: nanoseconds, at the least.
    private static let margin: Int64 = 30_000_000
    /// A rest shorter than this saves no wake-up worth having.
    private static let shortestRest: Int64 = 20_000_000
    /// Bytes that may gather unread: half of what Linux's line discipline holds (N_TTY_BUF_SIZE, 4096).
    private static let backlogBytes: Int64 = 2048

    private var lengths = InlineArray<8, Int64>(repeating: 0)
    private var lengthCount = 0
    private var next = 0
    private var burstStart: MonotonicInstant?
    private var lastByte = MonotonicInstant.zero
    private var restUntil = MonotonicInstant.zero
    private var isRested = false
    private var readsAfterRest = 0
    /// Nanoseconds a byte takes on the line; nil where the rate has no meaning.
    private var nanosecondsPerByte: Int64?

    public init() {}

    /// Begins anew on a line of `baud` bits per second, ten to a byte; nil on a pseudo-terminal.
    public mutating func reset(baud: Int?) {
        self = BurstPacer()
        nanosecondsPerByte = baud.map { 10_000_000_000 / Int64($0) }
    }

    /// When the line counts as silent if nothing comes until then; time that it was left unread does not count.
    public var silenceDeadline: MonotonicInstant { max(lastByte, restUntil).advanced(byNanoseconds: silence) }

    /// Whether a silence came before the `byteCount` bytes that were read at `instant`.
    ///
    /// The time that the bytes took on the line is not silence: a board that was busy reads late, and much at once.
    public func isNewBurst(at instant: MonotonicInstant, byteCount: Int) -> Bool {
        guard burstStart != nil else { return true }
        let onLine = (nanosecondsPerByte ?? 0) * Int64(byteCount)
        return instant.advanced(byNanoseconds: -onLine) >= silenceDeadline
    }

    /// An epoch went on after what was taken for a silence.
    public mutating func lengthenSilence() { silence = min(silence * 2, BurstPacer.longestSilence) }

    /// Bytes have arrived.
    ///
    /// - Returns: Until when the line may be left alone, or nil to listen on.
    public mutating func heard(_ byteCount: Int, at instant: MonotonicInstant) -> MonotonicInstant? {
        if isNewBurst(at: instant, byteCount: byteCount) { beginBurst(at: instant) }
        lastByte = instant
        if isRested { readsAfterRest += 1 }
        guard !isRested, let start = burstStart, let shortest else { return nil }
        isRested = true
        var rest = shortest - max(BurstPacer.margin, shortest / 16)
        if let nanosecondsPerByte { rest = min(rest, BurstPacer.backlogBytes * nanosecondsPerByte) }
        let until = start.advanced(byNanoseconds: rest)
        guard until.nanoseconds(since: instant) >= BurstPacer.shortestRest else { return nil }
        restUntil = until
        return until
    }

    private mutating func beginBurst(at instant: MonotonicInstant) {
        if let start = burstStart {
            let length = lastByte.nanoseconds(since: start)
            // Nothing came after the rest, so the burst ended unheard at an unknown time.
            learn(restUntil > start && readsAfterRest <= 1 ? length / 4 * 3 : length)
        }
        burstStart = instant
        isRested = false
        readsAfterRest = 0
    }

    private mutating func learn(_ length: Int64) {
        lengths[next] = length
        next = (next + 1) % BurstPacer.memory
        lengthCount = min(lengthCount + 1, BurstPacer.memory)
    }

    /// The shortest of the last bursts; nil until there are enough.
    private var shortest: Int64? {
        guard lengthCount >= 3 else { return nil }
        var least = Int64.max
        for index in 0..<lengthCount { least = min(least, lengths[index]) }
        return least
    }
}
