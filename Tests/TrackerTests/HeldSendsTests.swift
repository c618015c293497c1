import Parts
import Testing

@testable import Tracker

@Suite("Lines that wait for the store")
struct HeldSendsTests {
    private let one = ClientID(rawValue: 1)
    private let two = ClientID(rawValue: 2)
    private var held = HeldSends()

    /// Keeps a line of one byte.
    private mutating func hold(
        _ byte: UInt8, _ client: ClientID, behind ticket: UInt32?, _ condition: HeldSends.Condition = .always
    ) {
        if let ticket { held.wait(client, for: ticket) }
        held.hold([byte], for: client, condition)
    }

    private mutating func released(_ ticket: UInt32, isRefused: Bool = false) -> [[UInt32]] {
        held.release(through: ticket, isRefused: isRefused).map { [$0.client.rawValue] + $0.bytes.map(UInt32.init) }
    }

    @Test mutating func `each line waits for its own ticket, and not for other clients' tickets`() {
        hold(10, one, behind: 5)
        #expect(held.isWaiting(one) && !held.isWaiting(two))
        hold(20, two, behind: 4)
        #expect(released(4) == [[2, 20]])
        #expect(held.isWaiting(one) && !held.isWaiting(two))
        #expect(released(5) == [[1, 10]])
        #expect(!held.isWaiting(one))
    }

    @Test mutating func `a client's lines keep their order`() {
        hold(10, one, behind: 5)
        hold(11, one, behind: nil)
        hold(12, one, behind: 7)
        hold(13, one, behind: nil)
        #expect(released(6) == [[1, 10], [1, 11]])
        #expect(held.isWaiting(one))
        #expect(released(7) == [[1, 12], [1, 13]])
    }

    @Test mutating func `a line that waits for an older change stays behind the client's earlier lines`() {
        hold(10, one, behind: 7)
        hold(11, one, behind: 5)
        #expect(released(5) == [])
        #expect(held.isWaiting(one))
        #expect(released(7) == [[1, 10], [1, 11]])
    }

    @Test mutating func `a client that connects during a write gets no line before the write is done`() {
        held.wait(one, for: 3)
        #expect(held.isWaiting(one))
        hold(10, one, behind: nil)
        #expect(released(2) == [])
        #expect(released(3) == [[1, 10]])
        #expect(!held.isWaiting(one))
    }

    @Test mutating func `held bytes are counted by client, and dropped for a client that has gone`() {
        held.wait(one, for: 1)
        held.hold([1, 2, 3], for: one, .always)
        #expect(held.byteCount(of: one) == 3)
        for client in [one, two] { held.wait(client, for: 2) }
        held.hold([4], for: one, .always)
        #expect(held.byteCount(of: one) == 4)
        held.hold([5], for: two, .always)
        #expect(held.byteCount(of: two) == 1)
        #expect(released(1) == [[1, 1, 2, 3]])
        held.hold([6], for: one, .always)
        #expect(held.byteCount(of: one) == 2)
        held.forget(one)
        #expect(!held.isWaiting(one))
        #expect(released(2) == [[2, 5]])
    }

    @Test mutating func `when the card refuses a write, the client gets the refusal instead of the confirmation`() {
        for (ticket, isRefused) in [(1, false), (2, true)] as [(UInt32, Bool)] {
            hold(10, one, behind: ticket, .ifKept)
            hold(11, one, behind: nil)
            hold(12, one, behind: nil, .ifRefused)
            let expected: [[UInt32]] = isRefused ? [[1, 11], [1, 12]] : [[1, 10], [1, 11]]
            #expect(released(ticket, isRefused: isRefused) == expected)
        }
    }
}
