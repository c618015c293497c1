public import SextantUnits

/// Finds a serial line's baud rate by listening: a rate is right once a message with a valid checksum arrives.
///
/// This state machine does no I/O and uses no timer; only arriving bytes drive it. A silent line tells nothing about
/// its rate, and must not wake the board. Once bytes arrive that form no message, each rate is tried for `dwell`, which
/// is over two seconds because a receiver may send only once a second.
public struct BaudHunt: Sendable, Equatable {
    /// The baud rates in the order in which they are tried after the rate that was right the last time; the common
    /// factory rates of u-blox (9600, 38400 and 115200), MediaTek and CASIC (9600, 115200) come first.
    public static let rates = [9600, 38_400, 115_200, 4800, 19_200, 57_600, 230_400, 460_800, 921_600]

    /// The time for which a rate is tried, in nanoseconds from the first bytes received at that rate.
    public static let dwell: Int64 = 2_500_000_000
    /// After this many nanoseconds of bytes that form no message, a rate that was right is doubted.
    public static let doubt: Int64 = 5_000_000_000

    /// The step that the caller must take after bytes arrived.
    public enum Outcome: Sendable, Equatable {
        case nothing
        /// The first message has arrived, so the rate is right.
        case found
        /// The line must be set to the new `rate`.
        case changed
        /// Bytes keep coming but formed no message at any rate tried; returned once.
        case unintelligible
    }

    private enum State: Equatable {
        /// The line's rate is known, or the line has none; `since` is the instant of the first bytes after the last
        /// valid message, nil if none came since then.
        case fixed(since: MonotonicInstant?)
        /// The rate at `index` in the list is tried; `since` is the instant of the first bytes at it, nil if none came.
        case searching(index: Int, since: MonotonicInstant?)
        case locked(lastMessage: MonotonicInstant)
    }

    private var state: State
    private let order: [Int]
    /// The number of rates that were tried without success since the last message.
    private var failures = 0
    /// Bits per second to which the caller must set the line; nil where the line has no rate.
    public private(set) var rate: Int?

    /// Watches a line whose rate is known, or that has no rate (nil).
    public init(fixedAt rate: Int?) {
        state = .fixed(since: nil)
        order = []
        self.rate = rate
    }

    /// Searches for a line's rate, beginning with `last`, the rate that was right the last time.
    public init(startingAt last: Int?) {
        let first = last.map { [$0] } ?? []
        order = first + BaudHunt.rates.filter { $0 != last }
        state = .searching(index: 0, since: nil)
        rate = order[0]
    }

    /// Whether the rate is still being sought.
    public var isSearching: Bool {
        switch state {
        case .searching: true
        case .fixed, .locked: false
        }
    }

    /// Takes note of bytes that arrived; `hadMessage` states whether a message with a valid checksum was among them.
    public mutating func heard(hadMessage: Bool, at instant: MonotonicInstant) -> Outcome {
        if hadMessage { failures = 0 }
        switch (state, hadMessage) {
        case (.fixed, true):
            state = .fixed(since: nil)
            return .nothing
        case (.fixed(nil), false):
            state = .fixed(since: instant)
            return .nothing
        case (.fixed(let since?), false) where failures == 0 && instant.nanoseconds(since: since) >= BaudHunt.doubt:
            failures = 1
            return .unintelligible
        case (.searching, true):
            state = .locked(lastMessage: instant)
            return .found
        case (.locked, true):
            state = .locked(lastMessage: instant)
            return .nothing
        case (.searching(let index, nil), false):
            state = .searching(index: index, since: instant)
            return .nothing
        case (.searching(let index, let since?), false) where instant.nanoseconds(since: since) >= BaudHunt.dwell:
            failures += 1
            // Once all rates have failed, `.unintelligible` is returned one time, and the present rate is tried for
            // another `dwell` before the search goes on.
            if failures == order.count {
                state = .searching(index: index, since: nil)
                return .unintelligible
            }
            return move(to: (index + 1) % order.count)
        case (.locked(let last), false) where instant.nanoseconds(since: last) >= BaudHunt.doubt:
            // The rate may still be right and the line only noisy, so the rate is kept for another `dwell`.
            state = .searching(index: order.firstIndex { $0 == rate } ?? 0, since: instant)
            return .nothing
        case (.fixed, _), (.searching, false), (.locked, false):
            return .nothing
        }
    }

    private mutating func move(to index: Int) -> Outcome {
        state = .searching(index: index, since: nil)
        rate = order[index]
        return .changed
    }
}
