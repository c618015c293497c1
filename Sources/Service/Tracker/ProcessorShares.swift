internal import Units

/// The processor's time that each client's requests may take.
///
/// Every client has a burst, which fills again at a fraction of real time. A client that has used it up is not heard
/// until half of it is back, so that nobody's requests delay a fix, or another client, for long.
struct ProcessorShares {
    typealias Owner = ConnectionHolder.Owner

    private struct Share {
        let owner: Owner
        /// Nanoseconds of the processor's time that the client may still use; negative after a long request.
        var left: Int64
        /// When `left` was last computed.
        var since: MonotonicInstant

        var isSpent: Bool { left <= 0 }
        /// When a spent share is half full again.
        var returns: MonotonicInstant {
            since.advanced(byNanoseconds: (ProcessorShares.burst / 2 - left) * ProcessorShares.divisor)
        }
    }

    /// Nanoseconds that a client may use at once.
    static let burst: Int64 = 10_000_000
    /// One part in so many of the processor's time fills a client's burst again.
    static let divisor: Int64 = 5

    /// The clients that have used a part of their burst.
    private var shares: [Share] = []

    /// Charges a client's request.
    ///
    /// - Returns: Whether the client's next request has to wait until `deadline`.
    mutating func charge(_ owner: Owner, nanoseconds: Int64, at instant: MonotonicInstant) -> Bool {
        refill(to: instant)
        let place = shares.firstIndex { $0.owner == owner } ?? shares.endIndex
        if place == shares.endIndex { shares.append(Share(owner: owner, left: ProcessorShares.burst, since: instant)) }
        shares[place].left -= max(0, nanoseconds)
        return shares[place].isSpent
    }

    /// Whether a client has used up its burst.
    func isSpent(_ owner: Owner) -> Bool { shares.contains { $0.owner == owner && $0.isSpent } }

    /// When the next client that has used up its burst is heard again; nil where there is none.
    var deadline: MonotonicInstant? { shares.lazy.filter(\.isSpent).map(\.returns).min() }

    /// Lets time pass.
    ///
    /// - Returns: The clients that are heard again.
    mutating func advance(to instant: MonotonicInstant) -> [Owner] {
        let returned = shares.indices.filter { shares[$0].isSpent && shares[$0].returns <= instant }
        for place in returned { fill(place, to: instant) }
        return returned.map { shares[$0].owner }
    }

    /// Fills the shares of the clients that are heard, and forgets those that are full again.
    private mutating func refill(to instant: MonotonicInstant) {
        for place in shares.indices where !shares[place].isSpent { fill(place, to: instant) }
        shares.removeAll { $0.left >= ProcessorShares.burst }
    }

    private mutating func fill(_ place: Int, to instant: MonotonicInstant) {
        shares[place].left += instant.nanoseconds(since: shares[place].since) / ProcessorShares.divisor
        shares[place].since = instant
    }
}
