internal import SextantUnits

/// The processor's time that each client's requests may take.
///
/// Every account is a token bucket: a burst of processor time, which fills again at a fraction of real time. Once the
/// burst is used up, the connections that are charged to the account are not read until half of the burst is back. So
/// no number of clients delays a fix, or another client, for long.
struct ProcessorShares {
    /// An account to which requests are charged: a client's, and that of everybody together.
    enum Account: Hashable {
        case client(ConnectionHolder.Owner)
        /// All who come to the gpsd port, until it is known of which user each is.
        case arrivals
        /// All processes to which no manifest applies, whatever their users.
        case strangers
        case everybody

        /// One part in so many of the processor's time fills the account's burst again.
        var divisor: Int64 { self == .everybody ? 2 : 5 }
        /// Nanoseconds that may be used at once: a fix that comes then waits for no longer.
        var burst: Int64 { self == .everybody ? 4_000_000 : 10_000_000 }
    }

    private struct Share {
        let account: Account
        /// Nanoseconds of the processor's time that may still be used; negative after a long request.
        var left: Int64
        /// When `left` was last computed.
        var since: MonotonicInstant

        var isSpent: Bool { left <= 0 }
        /// When a spent share is half full again.
        var returns: MonotonicInstant {
            since.advanced(byNanoseconds: (account.burst / 2 - left) * account.divisor)
        }
    }

    /// The accounts that have used a part of their burst.
    private var shares: [Share] = []

    /// Charges a request.
    ///
    /// - Returns: Whether the account's next request has to wait until `deadline`.
    mutating func charge(_ account: Account, nanoseconds: Int64, at instant: MonotonicInstant) -> Bool {
        refill(to: instant)
        let index = shares.firstIndex { $0.account == account } ?? shares.endIndex
        if index == shares.endIndex {
            shares.append(Share(account: account, left: account.burst, since: instant))
        }
        shares[index].left -= max(0, nanoseconds)
        return shares[index].isSpent
    }

    /// Whether an account has used up its burst.
    func isSpent(_ account: Account) -> Bool { shares.contains { $0.account == account && $0.isSpent } }

    /// When the first of the used-up accounts has half of its burst again; nil where no account is used up.
    var deadline: MonotonicInstant? { shares.lazy.filter(\.isSpent).map(\.returns).min() }

    /// Lets time pass.
    ///
    /// - Returns: The accounts whose connections are heard again, where no other account of theirs is used up.
    mutating func advance(to instant: MonotonicInstant) -> [Account] {
        let returned = shares.indices.filter { shares[$0].isSpent && shares[$0].returns <= instant }
        for index in returned { fill(index, to: instant) }
        return returned.map { shares[$0].account }
    }

    /// Fills the shares that are not used up, and forgets those that are full again.
    private mutating func refill(to instant: MonotonicInstant) {
        for index in shares.indices where !shares[index].isSpent { fill(index, to: instant) }
        shares.removeAll { $0.left >= $0.account.burst }
    }

    private mutating func fill(_ index: Int, to instant: MonotonicInstant) {
        shares[index].left += instant.nanoseconds(since: shares[index].since) / shares[index].account.divisor
        shares[index].since = instant
    }
}
