internal import ClientProtocol
internal import Fusion
internal import Monitors
internal import SextantUnits

/// The record of a past visit, little-endian: version (1 byte: 1), bits (1; 1: arrival known, 2: over), visit and place (8
/// each), arrival and departure (8 each; UTC, nanoseconds since 1970), latitude, longitude, radius, confidence (8 each, IEEE
/// 754), and the ranges of `VisitObject.writeRanges`.
extension PastVisitObject {
    func encode() -> [UInt8] {
        var record = RecordWriter()
        record.write(1 as UInt8)
        record.write((stay.arrival == nil ? 0 : 1) | (stay.departure == nil ? 0 : 2) as UInt8)
        record.write(visit)
        record.write(place)
        record.write(stay.arrival?.nanoseconds ?? 0)
        record.write(stay.departure?.nanoseconds ?? 0)
        for value in [stay.latitude, stay.longitude, stay.horizontalAccuracy, confidence] { record.write(value) }
        stay.writeRanges(to: &record)
        return record.bytes
    }

    /// Reads a record; nil where it has another version or is damaged.
    init?(decoding bytes: Span<UInt8>) {
        var record = RecordReader(bytes)
        guard record.integer(UInt8.self) == 1, let bits = record.integer(UInt8.self), bits < 4,
            let visit = record.integer(UInt64.self), let place = record.integer(UInt64.self),
            let arrival = record.integer(Int64.self), let departure = record.integer(Int64.self),
            let latitude = record.double(), let longitude = record.double(), let accuracy = record.double(),
            let confidence = record.double(), abs(latitude) <= 90, abs(longitude) <= 180, accuracy >= 0,
            (0...1).contains(confidence)
        else { return nil }
        var stay = VisitObject(
            arrival: bits & 1 == 0 ? nil : UTCInstant(nanoseconds: arrival),
            departure: bits & 2 == 0 ? nil : UTCInstant(nanoseconds: departure), latitude: latitude,
            longitude: longitude, horizontalAccuracy: accuracy)
        guard stay.readRanges(from: &record), record.isAtEnd else { return nil }
        self.init(visit: visit, place: place, confidence: confidence, stay: stay)
    }
}

extension VisitObject {
    /// - Parameters:
    ///   - clock: Gives the times, which are unknown while no clock was right.
    ///   - gap: The time for which the board was not followed before this run of the daemon.
    init(_ event: VisitEvent, _ clock: FixClock, after gap: UnfollowedTime) {
        self.init(
            arrival: event.arrival.flatMap { clock.utc($0) }, departure: event.departure.flatMap { clock.utc($0) },
            latitude: event.latitude, longitude: event.longitude, horizontalAccuracy: event.horizontalAccuracy)
        arrivalRange = arrival.flatMap { gap.range(about: $0) }
        departureRange = departure.flatMap { gap.range(about: $0) }
    }
}

/// The newest visits of the board, for its operators.
struct VisitBook: Sendable {
    /// The most visits that are kept: a year of nearly three a day.
    static let capacity = 1000

    /// A change to make in the store.
    enum Change: Sendable, Equatable {
        case put(name: String, [UInt8])
        case remove(name: String)
    }

    /// The visits, in the order of their numbers.
    private(set) var visits: [PastVisitObject] = []

    init() {}

    /// Takes an arrival, or the departure that ends it.
    mutating func note(
        _ event: VisitEvent, clock: FixClock, after gap: UnfollowedTime = UnfollowedTime()
    ) -> [Change] {
        var visit = PastVisitObject(
            visit: event.visit, place: event.place, confidence: event.confidence,
            stay: VisitObject(event, clock, after: gap))
        var changes: [Change] = []
        if let place = visits.lastIndex(where: { $0.visit == event.visit }) {
            let known = visits[place].stay
            visit.stay.arrival = visit.stay.arrival ?? known.arrival
            visit.stay.arrivalRange = known.arrivalRange ?? visit.stay.arrivalRange
            visits[place] = visit
        } else {
            visits.append(visit)
            if visits.count > VisitBook.capacity {
                changes.append(.remove(name: VisitBook.name(of: visits.removeFirst().visit)))
            }
        }
        changes.append(.put(name: VisitBook.name(of: visit.visit), visit.encode()))
        return changes
    }

    /// Takes a stored visit; false where the record is not valid.
    mutating func restore(_ value: [UInt8]) -> Bool {
        guard let visit = PastVisitObject(decoding: value.span) else { return false }
        visits.append(visit)
        return true
    }

    /// Forgets all visits.
    mutating func erase() -> [Change] {
        defer { visits = [] }
        return visits.map { .remove(name: VisitBook.name(of: $0.visit)) }
    }

    /// A name of fixed length, so that the store sorts visits by their numbers.
    private static func name(of visit: UInt64) -> String {
        let digits = String(visit)
        return String(repeating: "0", count: max(0, 20 - digits.count)) + digits
    }
}
