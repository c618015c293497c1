public import SextantUnits

/// How often and how long the receiver is switched on only to get the time.
public struct TimeDemand: Sendable, Equatable {
    /// Nanoseconds from the end of one reception of the time to the beginning of the next.
    public var interval: Int64
    /// The minimum time from the first to the last sample of one reception; nanoseconds.
    public var length: Int64

    public init(interval: Int64, length: Int64) {
        self.interval = interval
        self.length = length
    }
}

/// Decides when the receiver must be on to get the time.
///
/// Samples that the receiver gives while it is on for other reasons count as well: the next reception for the time
/// alone is then due one `interval` after these samples.
public struct TimeDemandPlan: Sendable {
    private let demand: TimeDemand
    /// The instant at which the next reception of the time begins, or, during one, at which it is given up.
    public private(set) var deadline: MonotonicInstant
    /// Whether the receiver must be on at present to get the time.
    public private(set) var isWanted = false
    /// The instants of the first and the last time sample of the present reception of the time.
    private var samples: (first: MonotonicInstant, last: MonotonicInstant)?

    /// The longest wait for the first sample, 5 minutes in nanoseconds: a cold start under open sky takes one minute.
    private static let firstSampleNanoseconds: Int64 = 300_000_000_000
    /// Two time samples at most this far apart belong to one reception of the time; nanoseconds.
    private static let longestGap: Int64 = 10_000_000_000

    /// The first reception is due at once, since a board starts without knowing the time.
    public init(_ demand: TimeDemand, at instant: MonotonicInstant) {
        self.demand = demand
        deadline = instant
    }

    /// Begins a reception of the time that is due, or gives up one that has lasted too long.
    public mutating func timePassed(to instant: MonotonicInstant) {
        guard instant >= deadline else { return }
        isWanted.toggle()
        let wait = isWanted ? Self.firstSampleNanoseconds + demand.length : demand.interval
        deadline = instant.advanced(byNanoseconds: wait)
    }

    /// Takes note of a sample.
    public mutating func sampled(at instant: MonotonicInstant) {
        let isNext = samples.map { instant.nanoseconds(since: $0.last) <= Self.longestGap } ?? false
        let first = isNext ? samples?.first ?? instant : instant
        samples = (first, instant)
        guard instant.nanoseconds(since: first) >= demand.length else { return }
        isWanted = false
        deadline = instant.advanced(byNanoseconds: demand.interval)
    }
}
