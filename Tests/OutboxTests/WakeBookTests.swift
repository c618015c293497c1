import ClientVocabulary
import Parts
import PartsTestSupport
import SextantUnits
import Testing

@testable import Outbox

@Suite("Wake book")
struct WakeBookTests {
    private let connection = ClientID(rawValue: 1)
    private let second = ClientID(rawValue: 2)
    private let start = WakeEffect.startUnit(client: "a", unit: "a.service", reason: .regions)
    private let stop = WakeEffect.stopUnit(client: "a", unit: "a.service")

    private func note(_ note: WakeNote) -> WakeEffect { .note(client: "a", unit: "a.service", note) }

    /// A book whose client `a` was started at 100 s for a region.
    private func started() throws -> WakeBook {
        var book = WakeBook(at: at(0))
        let effects = event(&book, 100)
        try #require(effects == [start])
        return book
    }

    /// The same, connected at 102 s.
    private func leased() throws -> WakeBook {
        var book = try started()
        let reason = book.connected(connection, as: "a", at: at(102))
        try #require(reason == .regions)
        return book
    }

    private func event(_ book: inout WakeBook, _ seconds: Double) -> [WakeEffect] {
        book.eventWaits(for: "a", unit: "a.service", reason: .regions, at: at(seconds))
    }

    @Test func `BG-07 an event starts the unit of an absent client exactly once`() throws {
        var book = try started()
        #expect(event(&book, 101) == [])
        #expect(book.connected(connection, as: "a", at: at(102)) == .regions)
        #expect(event(&book, 103) == [])
        #expect(book.emptied("a") == [.wakeDone(client: "a")])
        #expect(book.emptied("a") == [])
        #expect(book.disconnected(connection, of: "a", at: at(105)) == [])
        #expect(book.deadline == nil)
    }

    @Test func `a connected client is not started, and does not count as launched`() {
        var book = WakeBook(at: at(0))
        #expect(book.connected(connection, as: "a", at: at(50)) == nil)
        #expect(event(&book, 100) == [])
        #expect(book.isLeased("a") == false)
        #expect(book.advance(to: at(9999)) == [])
    }

    @Test func `a client whose event is withdrawn during its start counts as launched`() throws {
        var book = try started()
        #expect(book.emptied("a") == [.wakeDone(client: "a")])
        #expect(book.connected(connection, as: "a", at: at(102)) == .regions)
        #expect(book.advance(to: at(112)) == [stop, note(.overran(eventsWait: false))])
    }

    @Test func `only the first connection after a start counts as launched`() throws {
        var book = try leased()
        #expect(book.connected(second, as: "a", at: at(103)) == nil)
    }

    @Test func `BG-10 a unit that does not connect within the lease is stopped, and started again later`() throws {
        var book = try started()
        #expect(book.deadline == at(110))
        #expect(book.advance(to: at(109.9)) == [])
        #expect(book.advance(to: at(110)) == [stop, note(.neverConnected)])
        #expect(book.deadline == at(140))
        #expect(event(&book, 120) == [])
        #expect(book.advance(to: at(140)) == [start])
        #expect(book.advance(to: at(150)) == [stop, note(.neverConnected)])
        #expect(book.deadline == at(210))
    }

    @Test func `BG-10 repeated starts are delayed up to an hour, and end after 20 failures in a day`() throws {
        var book = try started()
        var starts: [Double] = [100]
        var notes: [WakeNote] = []
        while let deadline = book.deadline, deadline < at(100 + 2 * 86_400) {
            for effect in book.advance(to: deadline) {
                if case .startUnit = effect { starts.append(Double(deadline.nanoseconds) / 1e9) }
                if case .note(client: _, unit: _, let note) = effect { notes.append(note) }
            }
        }
        let gaps = zip(starts.dropFirst(), starts).map { $0 - $1 }
        #expect(gaps.prefix(9) == [40, 70, 130, 250, 490, 970, 1930, 3610, 3610])
        for first in starts { #expect(starts.count { ($0 - first) >= 0 && $0 - first < 86_400 } <= 21) }
        #expect(notes.contains(.restsForADay(failures: 20)))
        #expect(starts.contains { $0 > 86_400 })
    }

    @Test func `BG-10 a start that fails counts as a failure`() throws {
        var book = try started()
        #expect(book.startFailed("a", at: at(100.1)) == [note(.startFailed)])
        #expect(book.startFailed("a", at: at(100.2)) == [])
        #expect(book.advance(to: at(130.1)) == [start])
    }

    @Test func `BG-10 an expired lease ends with a stop, and an event not taken is tried again`() throws {
        var book = try leased()
        #expect(book.isLeased("a"))
        #expect(book.advance(to: at(111.9)) == [])
        #expect(book.advance(to: at(112)) == [stop, note(.overran(eventsWait: true))])
        #expect(book.isLeased("a") == false)
        #expect(book.advance(to: at(1000)) == [])
        #expect(book.disconnected(connection, of: "a", at: at(1000)) == [])
        #expect(book.advance(to: at(1000)) == [start])
    }

    @Test func `a lease that expires after the event was taken is not a failure`() throws {
        var book = try leased()
        _ = book.emptied("a")
        #expect(book.advance(to: at(112)) == [stop, note(.overran(eventsWait: false))])
        #expect(book.disconnected(connection, of: "a", at: at(113)) == [])
        #expect(event(&book, 114) == [start])
    }

    @Test func `a lease is extended as requested, up to 60 s in total`() throws {
        var book = try leased()
        book.extend("a", bySeconds: 5)
        #expect(book.deadline == at(117))
        book.extend("a", bySeconds: 0)
        #expect(book.deadline == at(118))
        book.extend("a", bySeconds: 300)
        #expect(book.deadline == at(148))
        book.extend("a", bySeconds: 30)
        #expect(book.deadline == at(162))
        book.extend("a", bySeconds: .nan)
        #expect(book.deadline == at(162))
    }

    @Test func `a client without a lease cannot extend it`() throws {
        var book = try started()
        book.extend("a", bySeconds: 30)
        book.extend("b", bySeconds: 30)
        #expect(book.deadline == at(110))
    }

    @Test func `another event within the lease starts the lease again`() throws {
        var book = try leased()
        #expect(event(&book, 110) == [])
        #expect(book.deadline == at(120))
        for second in stride(from: 115.0, through: 160, by: 5) { _ = event(&book, second) }
        #expect(book.deadline == at(162))
    }

    @Test func `a client that comes into use may stay`() throws {
        var book = try leased()
        book.cameIntoUse("a")
        #expect(book.advance(to: at(500)) == [])
        #expect(book.deadline == nil)
    }

    @Test func `a client that leaves without taking its event is started again after a delay`() throws {
        var book = try leased()
        #expect(book.disconnected(connection, of: "a", at: at(104)) == [note(.leftWithoutTaking)])
        #expect(book.advance(to: at(133.9)) == [])
        #expect(book.advance(to: at(134)) == [start])
    }

    @Test func `a client that connected by itself and left its event is started after a delay`() {
        var book = WakeBook(at: at(0))
        _ = book.connected(connection, as: "a", at: at(50))
        _ = event(&book, 100)
        #expect(book.disconnected(connection, of: "a", at: at(101)) == [])
        #expect(book.advance(to: at(131)) == [start])
    }

    @Test func `a success makes the next delay short again`() throws {
        var book = try started()
        for _ in 0..<6 { if let deadline = book.deadline { _ = book.advance(to: deadline) } }
        let deadline = try #require(book.deadline)
        #expect(book.connected(connection, as: "a", at: deadline) == .regions)
        _ = book.emptied("a")
        _ = book.disconnected(connection, of: "a", at: deadline)
        #expect(event(&book, 2000) == [start])
        #expect(book.advance(to: at(2010)).contains(stop))
        #expect(book.deadline == at(2040))
    }

    @Test func `RUN-04 after the daemon's start, running clients have 10 s to connect again`() {
        var book = WakeBook(at: at(1000))
        #expect(event(&book, 1001) == [])
        #expect(book.connected(connection, as: "a", at: at(1005)) == nil)
        #expect(book.advance(to: at(1010)) == [])
        var absent = WakeBook(at: at(1000))
        #expect(event(&absent, 1001) == [])
        #expect(absent.advance(to: at(1010)) == [start])
    }

    @Test func `two clients are handled in the order of their names`() {
        var book = WakeBook(at: at(0))
        for client in ["c", "b"] { _ = book.eventWaits(for: client, unit: client, reason: .visits, at: at(100)) }
        let stops = book.advance(to: at(110)).compactMap { effect in
            if case .stopUnit(let client, unit: _) = effect { client } else { nil }
        }
        #expect(stops == ["b", "c"])
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func `in any order of events no connected client is started, and time never goes back`(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        var book = WakeBook(at: at(0))
        var connected: [ClientID] = []
        var now = 0.0
        for step in 0..<400 {
            now += random.next() % 4 == 0 ? Double(random.next() % 2000) : Double(random.next() % 12)
            let wasConnected = !connected.isEmpty
            var effects = book.advance(to: at(now))
            if let deadline = book.deadline, deadline <= at(now) { Issue.record("a deadline that has passed") }
            switch random.next() % 8 {
            case 0, 1: effects += event(&book, now)
            case 2, 3:
                connected.append(ClientID(rawValue: UInt32(step)))
                _ = book.connected(ClientID(rawValue: UInt32(step)), as: "a", at: at(now))
            case 4: effects += book.emptied("a")
            case 5: effects += book.startFailed("a", at: at(now))
            case 6: random.next() % 3 == 0 ? book.cameIntoUse("a") : book.extend("a", bySeconds: 20)
            default:
                for connection in connected { effects += book.disconnected(connection, of: "a", at: at(now)) }
                connected = []
            }
            if wasConnected, effects.contains(start) { Issue.record("started while it is connected") }
        }
    }

    @Test(arguments: [
        WakeNote.startFailed, .neverConnected, .leftWithoutTaking, .overran(eventsWait: true),
        .overran(eventsWait: false), .restsForADay(failures: 20),
    ])
    func `every note gives a remedy`(note: WakeNote) {
        #expect(note.message.contains(";") || note.message.contains(","))
    }
}
