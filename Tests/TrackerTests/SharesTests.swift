import Access
import Parts
import SextantUnits
import Testing

@testable import Tracker

@Suite("Clients' shares of the processor")
struct ProcessorSharesTests {
    private let greedy = ProcessorShares.Account.client(.client("greedy"))
    private let modest = ProcessorShares.Account.client(.client("modest"))

    private func at(milliseconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: milliseconds * 1_000_000) }

    @Test func `a client that has used up its burst waits, and other clients do not`() {
        var shares = ProcessorShares()
        let waits = [
            shares.charge(greedy, nanoseconds: 9_000_000, at: at(milliseconds: 9)),
            shares.charge(modest, nanoseconds: 100_000, at: at(milliseconds: 9)),
            shares.charge(greedy, nanoseconds: 4_000_000, at: at(milliseconds: 13)),
        ]
        #expect(waits == [false, false, true])
        #expect(shares.isSpent(greedy))
        #expect(!shares.isSpent(modest))
    }

    @Test func `half of a used-up burst is regained after 25 ms`() {
        var shares = ProcessorShares()
        _ = shares.charge(greedy, nanoseconds: 10_000_000, at: at(milliseconds: 0))
        #expect(shares.deadline == at(milliseconds: 25))
        let returned = [24, 25].map { shares.advance(to: at(milliseconds: $0)) }
        #expect(returned == [[], [greedy]])
        #expect(shares.deadline == nil)
        let waits = shares.charge(greedy, nanoseconds: 4_000_000, at: at(milliseconds: 25))
        #expect(!waits)
    }

    @Test func `a client that never rests gets a fifth of the processor`() throws {
        var shares = ProcessorShares()
        var (now, used): (Int64, Int64) = (0, 0)
        while now < 10_000_000_000 {
            now += 1_000_000
            used += 1_000_000
            guard shares.charge(greedy, nanoseconds: 1_000_000, at: MonotonicInstant(nanoseconds: now)) else {
                continue
            }
            now = try #require(shares.deadline).nanoseconds
            let returned = shares.advance(to: MonotonicInstant(nanoseconds: now))
            #expect(returned == [greedy])
        }
        #expect((1_900_000_000...2_100_000_000).contains(used))
    }
}

@Suite("What requests are charged to")
struct AccountTests {
    private func holder(user: UInt32, isOperator: Bool = false) -> ConnectionHolder {
        let nobody = Admission(manifests: ClientManifests([]), policy: OperatorPolicy())
        var holder = ConnectionHolder(PeerIdentity(userID: user), nobody, daemonUser: nil)
        holder.isOperator = isOperator
        return holder
    }

    @Test func `strangers share one account, whatever their users`() {
        #expect(holder(user: 1000).accounts == [.strangers, .everybody])
        #expect(holder(user: 1001).accounts == [.strangers, .everybody])
        #expect(ConnectionHolder.gpsd(user: nil).accounts == [.client(.port(user: nil)), .everybody])
        #expect(ConnectionHolder.gpsd(user: 1000).accounts == [.client(.port(user: 1000)), .everybody])
    }

    @Test func `an operator is charged nothing`() { #expect(holder(user: 0, isOperator: true).accounts == []) }

    @Test func `all together get half of the processor`() {
        var shares = ProcessorShares()
        _ = shares.charge(.everybody, nanoseconds: 4_000_000, at: MonotonicInstant(nanoseconds: 0))
        #expect(shares.deadline == MonotonicInstant(nanoseconds: 4_000_000))
    }
}

@Suite("Bounds on the output that waits for clients")
struct OutputBoundsTests {
    private func waiting(_ number: UInt32, _ owner: ConnectionHolder.Owner, mebibytes: Int) -> OutputBounds.Waiting {
        OutputBounds.Waiting(client: ClientID(rawValue: number), owner: owner, byteCount: mebibytes << 20)
    }

    @Test func `one client's connections share a bound, and the fullest is dropped`() {
        let one = ConnectionHolder.Owner.client("one")
        let all = [
            waiting(1, one, mebibytes: 1), waiting(2, one, mebibytes: 3), waiting(3, .port(user: nil), mebibytes: 3),
        ]
        #expect(OutputBounds.excess(all, addedFor: one) == nil)
        #expect(OutputBounds.excess(all + [waiting(4, one, mebibytes: 1)], addedFor: one) == ClientID(rawValue: 2))
    }

    @Test func `all output together is bounded, and the connection with the most is dropped`() {
        let all = (0..<6).map { waiting($0, .user($0), mebibytes: $0 == 4 ? 4 : 3) }
        #expect(OutputBounds.excess(all, addedFor: .user(0)) == ClientID(rawValue: 4))
        #expect(OutputBounds.excess(Array(all.dropLast()), addedFor: .user(0)) == nil)
    }
}
