import Access
import Parts
import SextantUnits
import Testing

@testable import Tracker

@Suite("The slots of connections")
struct ConnectionSlotsTests {
    /// Rules under which user 2000 is an operator by its manifest.
    private var admission: Admission {
        var desk = ClientManifest(name: "desk", selector: ClientSelector(user: 2000))
        desk.isOperator = true
        let tracker = ClientManifest(name: "tracker", selector: ClientSelector(unit: "tracker.service"))
        return Admission(manifests: ClientManifests([desk, tracker]), policy: OperatorPolicy())
    }

    private func holder(ofUser user: UInt32) -> ConnectionHolder {
        ConnectionHolder(PeerIdentity(userID: user), admission, daemonUser: 900)
    }

    /// A client with a manifest, of the user of many strangers.
    private var client: ConnectionHolder {
        ConnectionHolder(
            PeerIdentity(userID: 1000, unit: "tracker.service"), admission, daemonUser: 900)
    }

    private func at(_ seconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
    }

    /// Takes slots at one instant until one is refused, and returns how many were given, and why no more.
    private func fill(
        _ slots: inout ConnectionSlots, from first: UInt32, with holder: ConnectionHolder
    ) -> (count: Int, refusal: ConnectionSlots.Refusal?) {
        for count in 0..<1000 {
            let refusal = slots.take(holder, for: ClientID(rawValue: first + UInt32(count)), at: at(0))
                .refusal
            if let refusal { return (count, refusal) }
        }
        return (1000, nil)
    }

    @Test
    func
        `one user's processes without a manifest take no more than 16 slots, and none of a client's`()
    {
        var slots = ConnectionSlots()
        let filled = fill(&slots, from: 1, with: holder(ofUser: 1000))
        #expect(filled == (16, .userFull(1000)))
        let other = slots.take(holder(ofUser: 1001), for: ClientID(rawValue: 100), at: at(0)).refusal
        #expect(other == nil)
        let clients = fill(&slots, from: 200, with: client)
        #expect(clients == (16, .clientFull("tracker")))
    }

    @Test func `all strangers together leave slots for clients with a manifest, and for operators`() {
        var slots = ConnectionSlots()
        for user in 0..<7 {
            _ = fill(&slots, from: UInt32(user) * 100, with: holder(ofUser: 1000 + UInt32(user)))
        }
        let stranger = slots.take(holder(ofUser: 1100), for: ClientID(rawValue: 1000), at: at(0))
            .refusal
        #expect(stranger == .strangersFull)
        #expect(fill(&slots, from: 3000, with: client) == (16, .clientFull("tracker")))
        for user: UInt32 in [0, 900, 2000] {
            let refusal = slots.take(
                holder(ofUser: user), for: ClientID(rawValue: 2000 + user), at: at(0)
            ).refusal
            #expect(refusal == nil)
        }
        let filled = fill(&slots, from: 10_000, with: holder(ofUser: 0))
        #expect(filled == (45, .localFull))
    }

    @Test func `the gpsd port's connections take no local slots`() {
        var slots = ConnectionSlots()
        let filled = fill(&slots, from: 1, with: .gpsd(user: nil))
        #expect(filled == (64, .gpsdFull))
        let local = slots.take(holder(ofUser: 1000), for: ClientID(rawValue: 1000), at: at(0)).refusal
        #expect(local == nil)
    }

    @Test func `64 connections of one user at the gpsd port get 16 slots, and another user's is served`() {
        var slots = ConnectionSlots()
        let filled = fill(&slots, from: 1, with: .gpsd(user: 1000))
        #expect(filled == (16, .gpsdUserFull(1000)))
        for number: UInt32 in 1...16 { slots.asked(ClientID(rawValue: number), at: at(1)) }
        for number: UInt32 in 100..<164 {
            let knock = slots.take(.gpsd(user: 1000), for: ClientID(rawValue: number), at: at(1000))
            #expect(knock == (.gpsdUserFull(1000), nil))
        }
        let chrony = slots.take(.gpsd(user: 1001), for: ClientID(rawValue: 200), at: at(1000))
        #expect(chrony == (nil, nil))
        let unknown = fill(&slots, from: 300, with: .gpsd(user: nil))
        #expect(unknown == (47, .gpsdFull))
    }

    @Test func `a user who has 16 slots at the gpsd port ends an idle connection of its own, and no other's`() {
        var slots = ConnectionSlots()
        _ = fill(&slots, from: 1, with: .gpsd(user: 1001))
        _ = fill(&slots, from: 101, with: .gpsd(user: 1000))
        var next = slots.take(.gpsd(user: 1000), for: ClientID(rawValue: 200), at: at(9))
        #expect(next == (.gpsdUserFull(1000), nil))
        next = slots.take(.gpsd(user: 1000), for: ClientID(rawValue: 200), at: at(10))
        #expect(next == (nil, ClientID(rawValue: 101)))
    }

    @Test func `a gpsd connection that has asked for nothing in 10 s gives its slot to a new one`() {
        var slots = ConnectionSlots()
        _ = fill(&slots, from: 1, with: .gpsd(user: nil))
        for number: UInt32 in 1...63 where number != 7 {
            slots.asked(ClientID(rawValue: number), at: at(1))
        }
        var next = slots.take(.gpsd(user: nil), for: ClientID(rawValue: 100), at: at(9))
        #expect(next == (.gpsdFull, nil))
        next = slots.take(.gpsd(user: nil), for: ClientID(rawValue: 100), at: at(10))
        #expect(next == (nil, ClientID(rawValue: 7)))
        next = slots.take(.gpsd(user: nil), for: ClientID(rawValue: 101), at: at(10))
        #expect(next == (nil, ClientID(rawValue: 64)))
        slots.asked(ClientID(rawValue: 100), at: at(11))
        slots.asked(ClientID(rawValue: 101), at: at(11))
        next = slots.take(.gpsd(user: nil), for: ClientID(rawValue: 102), at: at(1000))
        #expect(next == (.gpsdFull, nil), "those that watch wait for reports, and are not idle")
    }

    @Test
    func
        `a stranger that is silent for 10 s gives its slot to one of the same kind, a client does not`()
    {
        var slots = ConnectionSlots()
        _ = fill(&slots, from: 1, with: holder(ofUser: 1000))
        for number: UInt32 in 1...16 { slots.asked(ClientID(rawValue: number), at: at(Int64(number))) }
        let next = slots.take(holder(ofUser: 1000), for: ClientID(rawValue: 50), at: at(11))
        #expect(next == (nil, ClientID(rawValue: 1)))
        _ = fill(&slots, from: 200, with: client)
        for number: UInt32 in 200...215 { slots.asked(ClientID(rawValue: number), at: at(1)) }
        #expect(
            slots.take(client, for: ClientID(rawValue: 300), at: at(900)) == (
                .clientFull("tracker"), nil
            ))
    }

    @Test func `a released slot can be taken again`() {
        var slots = ConnectionSlots()
        _ = fill(&slots, from: 1, with: holder(ofUser: 1000))
        slots.release(ClientID(rawValue: 3))
        #expect(slots[ClientID(rawValue: 3)] == nil)
        let again = slots.take(holder(ofUser: 1000), for: ClientID(rawValue: 99), at: at(0)).refusal
        #expect(again == nil)
    }
}

@Suite("Log lines that repeat")
struct RepeatedLinesTests {
    private func at(_ seconds: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: seconds * 1_000_000_000)
    }

    @Test func `2000 lines of one kind in a minute become two`() {
        var lines = RepeatedLines()
        let written = (0..<2000).compactMap {
            lines.take("no place \($0)", kind: "place", at: at(Int64($0 / 100)))
        }
        #expect(written == ["no place 0"])
        #expect(lines.deadline == at(60))
        let later = [59, 60].map { lines.advance(to: at($0)) }
        #expect(later == [[], ["no place 1999 (1999 more within a minute)"]])
    }

    @Test func `a line that comes once is not repeated and sets no timer`() {
        var lines = RepeatedLines()
        let first = lines.take("a", kind: "a", at: at(0))
        #expect(first == "a")
        #expect(lines.deadline == nil)
        let next = lines.take("a", kind: "a", at: at(60))
        #expect(next == "a")
    }

    @Test func `kinds of lines beyond the maximum share one line`() {
        var lines = RepeatedLines()
        let written = (0..<1000).compactMap { lines.take("kind \($0)", kind: "\($0)", at: at(0)) }
        #expect(written.count == RepeatedLines.maximumKinds + 1)
        let later = lines.advance(to: at(60))
        #expect(later.count == 1)
    }
}
