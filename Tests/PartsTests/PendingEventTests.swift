import ClientProtocol
import ClientVocabulary
import GNSS
import Parts
import PartsTestSupport
import SextantUnits
import Testing

/// One event of each kind, with everything known and with nothing.
func eventKinds() throws -> [PendingEvent.Kind] {
    let time = UTCInstant(nanoseconds: 1_795_176_000_123_456_789)
    let visit = VisitObject(
        arrival: nil, departure: time, latitude: -89.9, longitude: 179.5, horizontalAccuracy: 60)
    var told = PendingEvent.RegionTransition(
        identifier: "quay", monitor: nil, kind: .dwell, state: .inside, time: time, confirmed: nil)
    told.topic = "harbour/boat"
    return [
        try significantChange(0), .region(told), region("home", at: time),
        .region(
            .init(identifier: "", monitor: "Ω", kind: .exit, state: .unmonitored, time: nil, confirmed: nil)),
        .visit(visit),
    ]
}

@Suite("Pending event")
struct PendingEventTests {
    @Test func `a record reads back as it was written`() throws {
        for (number, kind) in try eventKinds().enumerated() {
            let event = PendingEvent(number: UInt64(number) + 1, client: "org.example.müller", kind: kind)
            #expect(PendingEvent.decode(event.encode().span) == event)
        }
    }

    @Test func `RUN-09 a truncated or overlong record is refused`() throws {
        for kind in try eventKinds() {
            let record = PendingEvent(number: 7, client: "a", kind: kind).encode()
            for length in 0..<record.count {
                #expect(PendingEvent.decode(Array(record[..<length]).span) == nil)
            }
            #expect(PendingEvent.decode((record + [0]).span) == nil)
        }
    }

    @Test func `RUN-09 a damaged record is refused or read as a valid one`() throws {
        for kind in try eventKinds() {
            let record = PendingEvent(number: 7, client: "a", kind: kind).encode()
            for index in record.indices {
                for value in UInt8.min...UInt8.max {
                    var damaged = record
                    damaged[index] = value
                    guard let event = PendingEvent.decode(damaged.span) else { continue }
                    let canBe = (1...PendingEvent.maximumNumber).contains(event.number)
                    if !canBe || event.encode().count != damaged.count { Issue.record("byte \(index) is \(value)") }
                }
            }
        }
    }

    @Test func `another version is refused`() throws {
        var record = PendingEvent(number: 7, client: "a", kind: region("home")).encode()
        record[0] = 2
        #expect(PendingEvent.decode(record.span) == nil)
    }
}
