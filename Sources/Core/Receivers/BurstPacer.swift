public import SextantUnits

/// Learns how long a receiver's burst of messages lasts, so that the line need not be read while the burst comes in.
///
/// A burst at 9600 baud lasts most of a second and arrives in pieces of a few bytes, each of which would wake the
/// board. After a burst's first bytes, the line is left unread for the length of the shortest recent burst, less a
/// margin; the kernel keeps the bytes meanwhile. The burst's end is then read as it arrives, so that no message is
/// late. The line is never left unread for longer than the kernel's buffer can take.
public struct BurstPacer: Sendable {
    /// A silence of this many nanoseconds ends a burst; most receivers pause less between messages of an epoch.
    public private(set) var silence: Int64 = 40_000_000
    /// The largest value of `silence`, in nanoseconds; longer pauses within an epoch count as the end of a burst.
    private static let longestSilence: Int64 = 320_000_000
    /// The number of recent bursts from which the expected length is learned.
    private static let memory = 8
    /// Reading resumes at least this many nanoseconds before the shortest recent burst would have ended.
    private static let margin: Int64 = 30_000_000
    /// The shortest suspension of reading that is worthwhile, in nanoseconds; a shorter one saves too little.
    private static let shortestRest: Int64 = 20_000_000
    /// The largest number of bytes left unread: half of what Linux's line discipline holds (N_TTY_BUF_SIZE, 4096).
    private static let backlogBytes: Int64 = 2048

    private var lengths = InlineArray<8, Int64>(repeating: 0)
    private var lengthCount = 0
    private var next = 0
    private var burstStart: MonotonicInstant?
    private var lastByte = MonotonicInstant.zero
    private var restUntil = MonotonicInstant.zero
    private var isRested = false
    private var readsAfterRest = 0
    /// Nanoseconds that a byte takes on the line; nil where the line has no rate.
    private var nanosecondsPerByte: Int64?

    public init() {}

    /// Starts anew on a line of `baud` bits per second, with ten bits to a byte; `baud` is nil on a pseudo-terminal.
    public mutating func reset(baud: Int?) {
        self = BurstPacer()
        nanosecondsPerByte = baud.map { 10_000_000_000 / Int64($0) }
    }

    /// The instant at which the line counts as silent if no byte is read before; time left unread on purpose is not
    /// silence.
    public var silenceDeadline: MonotonicInstant { max(lastByte, restUntil).advanced(byNanoseconds: silence) }

    /// Whether a silence came before the `byteCount` bytes that were read at `instant`.
    ///
    /// The time that the bytes took on the line is not silence: a busy board reads late, and then many bytes at once.
    public func isNewBurst(at instant: MonotonicInstant, byteCount: Int) -> Bool {
        guard burstStart != nil else { return true }
        let onLine = (nanosecondsPerByte ?? 0) * Int64(byteCount)
        return instant.advanced(byNanoseconds: -onLine) >= silenceDeadline
    }

    /// Doubles `silence`, up to `longestSilence`, because a pause that counted as a burst's end lay within an epoch.
    public mutating func lengthenSilence() { silence = min(silence * 2, BurstPacer.longestSilence) }

    /// Takes note of bytes that were read.
    ///
    /// - Returns: The instant until which the line may be left unread, or nil to keep reading.
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
            // If all bytes after the suspension of reading had waited in the kernel, the burst ended during the
            // suspension, at an unknown time; three quarters of the measured length are a cautious estimate.
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

    /// The length of the shortest recent burst, in nanoseconds; nil until three bursts have been measured.
    private var shortest: Int64? {
        guard lengthCount >= 3 else { return nil }
        var least = Int64.max
        for index in 0..<lengthCount { least = min(least, lengths[index]) }
        return least
    }
}
