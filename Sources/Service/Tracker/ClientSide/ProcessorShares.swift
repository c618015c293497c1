internal import SextantUnits

/// The limits of the processor time that each client's requests can take.
///
/// Every account is a token bucket of processor time: its burst can be used at once, and refills at a fraction of real
/// time. Once the burst is used up, the connections that are charged to the account are not read until half of the
/// burst is back. So no number of clients can delay a fix, or another client, for long.
struct ProcessorShares {
    /// An account of processor time, to which requests are charged; a request can be charged to several accounts.
    enum Account: Hashable {
        case client(ConnectionHolder.Owner)
        /// The account of all new connections to the gpsd port, until the user of each is known.
        case arrivals
        /// The account of all processes without a manifest, whatever their users.
        case strangers
        case everybody

        /// The divisor of real time at which the account's burst refills: with 5, it gains 1 ms of processor time in 5
        /// ms.
        var divisor: Int64 { self == .everybody ? 2 : 5 }
        /// The processor time in nanoseconds that can be used at once; it also bounds how long a fix that comes
        /// meanwhile must wait.
        var burst: Int64 { self == .everybody ? 4_000_000 : 10_000_000 }
    }

    private struct Share {
        let account: Account
        /// The processor time in nanoseconds that can still be used; negative after a long request.
        var left: Int64
        /// When the remaining processor time, `left`, was last computed.
        var since: MonotonicInstant

        var isSpent: Bool { left <= 0 }
        /// When half of the account's burst of processor time, which is used up, will be available again.
        var returns: MonotonicInstant {
            since.advanced(byNanoseconds: (account.burst / 2 - left) * account.divisor)
        }
    }

    /// The accounts of processor time whose burst is not full.
    private var shares: [Share] = []

    /// Charges the processor time of a request to an account.
    ///
    /// - Returns: Whether the account is used up, so that its requests must wait until half of the burst is available
    ///   again.
    mutating func charge(_ account: Account, nanoseconds: Int64, at instant: MonotonicInstant) -> Bool {
        refill(to: instant)
        let index = shares.firstIndex { $0.account == account } ?? shares.endIndex
        if index == shares.endIndex {
            shares.append(Share(account: account, left: account.burst, since: instant))
        }
        shares[index].left -= max(0, nanoseconds)
        return shares[index].isSpent
    }

    /// Whether an account's burst of processor time is used up.
    func isSpent(_ account: Account) -> Bool { shares.contains { $0.account == account && $0.isSpent } }

    /// When the first of the used-up accounts will have half of its burst again; nil if no account is used up.
    var deadline: MonotonicInstant? { shares.lazy.filter(\.isSpent).map(\.returns).min() }

    /// Refills the used-up accounts of processor time up to an instant.
    ///
    /// - Returns: The accounts that have half of their burst again; a connection that is charged to one of them is read
    ///   again, unless another of its accounts is still used up.
    mutating func advance(to instant: MonotonicInstant) -> [Account] {
        let returned = shares.indices.filter { shares[$0].isSpent && shares[$0].returns <= instant }
        for index in returned { fill(index, to: instant) }
        return returned.map { shares[$0].account }
    }

    /// Refills the accounts of processor time that are not used up, and removes those that are full again.
    private mutating func refill(to instant: MonotonicInstant) {
        for index in shares.indices where !shares[index].isSpent { fill(index, to: instant) }
        shares.removeAll { $0.left >= $0.account.burst }
    }

    private mutating func fill(_ index: Int, to instant: MonotonicInstant) {
        shares[index].left += instant.nanoseconds(since: shares[index].since) / shares[index].account.divisor
        shares[index].since = instant
    }
}
