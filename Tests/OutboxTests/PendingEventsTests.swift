import ClientVocabulary
import GNSS
import Parts
import PartsTestSupport
import SextantUnits
import Testing

@testable import Outbox

@Suite("Pending events")
struct PendingEventsTests {
    private let first = ClientID(rawValue: 1)
    private let second = ClientID(rawValue: 2)
    private let other = ClientID(rawValue: 3)

    private func delivered(_ effects: [PendingEvents.Effect]) -> [UInt64] {
        effects.compactMap { if case .deliver(let event, to: _) = $0 { event.number } else { nil } }
    }

    private func forgotten(_ effects: [PendingEvents.Effect]) -> [UInt64] {
        effects.compactMap { if case .forget(client: _, let number) = $0 { number } else { nil } }
    }

    /// Two regions of client `a`, durable.
    private func waiting() -> PendingEvents {
        var events = PendingEvents(of: "a")
        _ = events.post(region("home"))
        _ = events.post(region("work"))
        _ = events.stored(2)
        return events
    }

    @Test func `an event is delivered once it is stored, and not before`() throws {
        var events = PendingEvents(of: "a")
        events.connect(first)
        #expect(events.arm(.regions, on: first) == [])
        let event = PendingEvent(number: 1, client: "a", kind: region("home"))
        #expect(events.post(region("home")) == [.store(event)])
        #expect(events.stored(1) == [.deliver(event, to: first)])
        #expect(events.stored(1) == [])
    }

    @Test func `BG-08 a started client gets nothing before it asks for the service again`() {
        var events = waiting()
        events.connect(first)
        #expect(events.arm(.visits, on: first) == [])
        #expect(events.arm(.significantChange, on: first) == [])
        #expect(delivered(events.arm(.regions, on: first)) == [1, 2])
        #expect(events.arm(.regions, on: first) == [])
    }

    @Test func `an event that was not acknowledged is sent once to the next connection`() {
        var events = waiting()
        events.connect(first)
        #expect(delivered(events.arm(.regions, on: first)) == [1, 2])
        #expect(events.acknowledge(1, by: first) == [.forget(client: "a", number: 1)])
        #expect(events.acknowledge(1, by: first) == [])
        events.disconnect(first)
        #expect(events.events.count == 1)
        events.connect(second)
        #expect(delivered(events.arm(.regions, on: second)) == [2])
        #expect(forgotten(events.acknowledge(2, by: second)) == [2])
        #expect(events.events.count == 0)
    }

    @Test func `every subscribed connection gets an event, and one acknowledgement is enough`() {
        var events = PendingEvents(of: "a")
        for connection in [first, second] {
            events.connect(connection)
            _ = events.arm(.regions, on: connection)
        }
        events.connect(other)
        _ = events.arm(.visits, on: other)
        _ = events.post(region("home"))
        #expect(delivered(events.stored(1)) == [1, 1])
        #expect(events.acknowledge(1, by: other) == [])
        #expect(forgotten(events.acknowledge(1, by: second)) == [1])
    }

    @Test func `a connection can acknowledge only events it was sent`() {
        var events = waiting()
        events.connect(first)
        #expect(events.acknowledge(1, by: first) == [])
        #expect(events.acknowledge(1, by: second) == [])
    }

    @Test func `all significant changes wait, up to 64, and then the oldest goes`() throws {
        var events = PendingEvents(of: "a")
        for number in 1...64 { #expect(events.post(try significantChange(Double(number) * 600)).count == 1) }
        _ = events.post(region("home"))
        let newest = PendingEvent(number: 66, client: "a", kind: try significantChange(0))
        #expect(events.post(try significantChange(0)) == [.store(newest), .forget(client: "a", number: 1)])
        _ = events.stored(66)
        events.connect(first)
        #expect(delivered(events.arm(.significantChange, on: first)) == Array(2...64) + [66])
        #expect(events.keepNewestChange().count == 63)
        #expect(events.events.map(\.number) == [65, 66])
        #expect(events.keepNewestChange() == [])
    }

    @Test func `BG-10 beyond 256 events the oldest region event is dropped and reported`() throws {
        var events = PendingEvents(of: "a")
        _ = events.post(try significantChange(0))
        for number in 2...256 { #expect(events.post(region("\(number)")).count == 1) }
        let more = events.post(region("257"))
        let oldest = PendingEvent(number: 2, client: "a", kind: region("2"))
        #expect(more.suffix(2) == [.forget(client: "a", number: 2), .dropped(oldest)])
        #expect(events.events.count == PendingEvents.capacity)
    }

    @Test func `RUN-04 after a restart numbering continues, and stored events are delivered`() {
        var restored = PendingEvents(of: "a", lastNumber: 40)
        let event = PendingEvent(number: 17, client: "a", kind: region("home"))
        #expect(restored.restore(event) == [])
        #expect(restored.restore(event) == [])
        let work = PendingEvent(number: 41, client: "a", kind: region("work"))
        #expect(restored.post(region("work")) == [.store(work)])
        restored.connect(first)
        #expect(delivered(restored.arm(.regions, on: first)) == [17])
        #expect(delivered(restored.stored(41)) == [41])
    }

    @Test func `the newest 64 of the stored significant changes are restored`() throws {
        var restored = PendingEvents(of: "a")
        for number in 2...66 as ClosedRange<UInt64> where number != 3 {
            #expect(restored.restore(PendingEvent(number: number, client: "a", kind: try significantChange(0))) == [])
        }
        let older = PendingEvent(number: 1, client: "a", kind: try significantChange(0))
        #expect(restored.restore(older) == [.forget(client: "a", number: 1)])
        let late = PendingEvent(number: 3, client: "a", kind: try significantChange(0))
        #expect(restored.restore(late) == [.forget(client: "a", number: 2)])
        #expect(restored.events.map(\.number) == Array(3...66))
    }

    @Test func `events restored later, once a manifest can be read again, are sorted among the others`() {
        var restored = PendingEvents(of: "a")
        for number in [5, 2, 7] as [UInt64] {
            #expect(restored.restore(PendingEvent(number: number, client: "a", kind: region("\(number)"))) == [])
        }
        restored.connect(first)
        #expect(delivered(restored.arm(.regions, on: first)) == [2, 5, 7])
    }

    @Test func `RUN-11 a withdrawn event is forgotten`() {
        var events = waiting()
        let work = events.remove { $0.kind == region("work") }
        #expect(work == [.forget(client: "a", number: 2)])
        #expect(events.remove { _ in true } == [.forget(client: "a", number: 1)])
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `in any order of operations no event is delivered twice to a connection or lost unreported`(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        var events = PendingEvents(of: "a")
        var kept: Set<UInt64> = []
        var seen: Set<[UInt64]> = []
        var connection = first
        for step in 0..<2000 {
            var effects: [PendingEvents.Effect] = []
            switch random.next() % 16 {
            case 0..<8: effects = events.post(region("\(step)"))
            case 8..<11: effects = events.stored(events.lastNumber)
            case 11, 12: effects = events.arm(.regions, on: connection)
            case 13: effects = events.acknowledge(1 + random.next() % (events.lastNumber + 1), by: connection)
            case 14: events.disconnect(connection)
            default:
                connection = ClientID(rawValue: UInt32(step) + 10)
                events.connect(connection)
            }
            for effect in effects {
                switch effect {
                case .store(let event): kept.insert(event.number)
                case .forget(client: _, let number): kept.remove(number)
                case .deliver(let event, to: let listener):
                    let isNew = seen.insert([event.number, UInt64(listener.rawValue)]).inserted
                    #expect(isNew && kept.contains(event.number))
                case .dropped: #expect(events.events.count == PendingEvents.capacity)
                }
            }
        }
        #expect(events.events.map(\.number) == kept.sorted())
    }
}
