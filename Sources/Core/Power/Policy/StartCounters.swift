/// How the receiver's starts ended, and how long they took to a fix, since the daemon started.
public struct StartCounters: Sendable, Equatable {
    /// The kind of start that could be expected when the receiver was started.
    public enum Kind: Int, Sendable, CaseIterable {
        /// The first start since the daemon started; the receiver's sleep before it is not known.
        case first = 0
        /// The receiver woke with ephemerides young enough for a hot start.
        case hot = 1
        /// The ephemerides were too old for a hot start.
        case warm = 2
        /// The receiver's supply was cut off during its sleep, so it had lost all that it knew.
        case cold = 3
        /// The receiver was on, lost its fix and searched again.
        case regained = 4
    }

    public enum Outcome: Int, Sendable, CaseIterable {
        case fix = 0
        /// The search was given up.
        case failed = 1
        /// The search ended because no client needed the fix any more.
        case ended = 2
    }

    /// The upper limit in seconds of each bar of the histograms; one more bar counts the longer times.
    public static let bounds: [Double] = [1, 2, 5, 10, 20, 30, 60, 120, 300]

    private var counts = [UInt64](repeating: 0, count: Kind.allCases.count * Outcome.allCases.count)
    private var bars = [UInt64](repeating: 0, count: Kind.allCases.count * (bounds.count + 1))
    private var sums = [Double](repeating: 0, count: Kind.allCases.count)

    public init() {}

    public func count(_ kind: Kind, _ outcome: Outcome) -> UInt64 {
        counts[kind.rawValue * Outcome.allCases.count + outcome.rawValue]
    }

    /// The number of starts that found a fix, by the time they took: one number for each of `bounds`, and one for
    /// longer times.
    public func histogram(_ kind: Kind) -> ArraySlice<UInt64> {
        let length = StartCounters.bounds.count + 1
        return bars[kind.rawValue * length..<(kind.rawValue + 1) * length]
    }

    /// The sum of the seconds to a fix, of all starts of this kind that found one.
    public func seconds(_ kind: Kind) -> Double { sums[kind.rawValue] }

    /// Whether a start of this kind has ended since the daemon started, whatever its outcome.
    public func hasAny(_ kind: Kind) -> Bool { Outcome.allCases.contains { count(kind, $0) > 0 } }

    mutating func note(_ kind: Kind, _ outcome: Outcome, seconds: Double) {
        counts[kind.rawValue * Outcome.allCases.count + outcome.rawValue] += 1
        guard outcome == .fix else { return }
        let bar = StartCounters.bounds.firstIndex { seconds <= $0 } ?? StartCounters.bounds.count
        bars[kind.rawValue * (StartCounters.bounds.count + 1) + bar] += 1
        sums[kind.rawValue] += seconds
    }
}
