import Sessions
import SextantUnits
import Testing

@testable import Tracker

@Suite("The places of connections")
struct ConnectionPlacesTests {
    /// Rules under which user 2000 is an operator by its manifest.
    private var admission: Admission {
        var desk = ClientManifest(name: "desk", selector: ClientSelector(user: 2000))
        desk.isOperator = true
        return Admission(manifests: ClientManifests([desk]), policy: OperatorPolicy())
    }

    private func holder(ofUser user: UInt32) -> ConnectionHolder {
        ConnectionHolder(PeerIdentity(userID: user), admission, daemonUser: 900)
    }

    /// Takes places until one is refused, and returns how many were given, and why no more.
    private func fill(
        _ places: inout ConnectionPlaces, from first: UInt32, with holder: ConnectionHolder
    ) -> (count: Int, refusal: ConnectionPlaces.Refusal?) {
        for count in 0..<1000 {
            let refusal = places.take(holder, for: ClientID(rawValue: first + UInt32(count)))
            if let refusal { return (count, refusal) }
        }
        return (1000, nil)
    }

    @Test func `one user takes no more than 16 places`() {
        var places = ConnectionPlaces()
        let filled = fill(&places, from: 1, with: holder(ofUser: 1000))
        #expect(filled == (16, .userFull(1000)))
        let other = places.take(holder(ofUser: 1001), for: ClientID(rawValue: 100))
        #expect(other == nil)
    }

    @Test func `all users together leave some places free for operators`() {
        var places = ConnectionPlaces()
        for user in 0..<7 { _ = fill(&places, from: UInt32(user) * 100, with: holder(ofUser: 1000 + UInt32(user))) }
        let stranger = places.take(holder(ofUser: 1100), for: ClientID(rawValue: 1000))
        #expect(stranger == .othersFull)
        for user: UInt32 in [0, 900, 2000] {
            let refusal = places.take(holder(ofUser: user), for: ClientID(rawValue: 2000 + user))
            #expect(refusal == nil)
        }
        let filled = fill(&places, from: 10_000, with: holder(ofUser: 0))
        #expect(filled == (13, .localFull))
    }

    @Test func `the gpsd port's connections take no local places`() {
        var places = ConnectionPlaces()
        let filled = fill(&places, from: 1, with: .gpsd)
        #expect(filled == (64, .gpsdFull))
        let local = places.take(holder(ofUser: 1000), for: ClientID(rawValue: 1000))
        #expect(local == nil)
    }

    @Test func `a released place can be taken again`() {
        var places = ConnectionPlaces()
        _ = fill(&places, from: 1, with: holder(ofUser: 1000))
        places.release(ClientID(rawValue: 3))
        #expect(places[ClientID(rawValue: 3)] == nil)
        let again = places.take(holder(ofUser: 1000), for: ClientID(rawValue: 99))
        #expect(again == nil)
    }
}

@Suite("Log lines that repeat")
struct RepeatedLinesTests {
    private func at(_ seconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: seconds * 1_000_000_000) }

    @Test func `2000 lines of one kind in a minute become two`() {
        var lines = RepeatedLines()
        let written = (0..<2000).compactMap { lines.take("no place \($0)", kind: "place", at: at(Int64($0 / 100))) }
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
