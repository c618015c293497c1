public import ClientProtocol
internal import Fusion
internal import Monitors
public import SextantUnits

/// The record of a past visit, little-endian: version (1 byte: 1), flags (1 byte; 1: the arrival is known, 2: the visit
/// is over), the numbers of visit and place (8 each), arrival and departure (8 each; UTC, nanoseconds since 1970),
/// latitude, longitude, radius, confidence (8 each, IEEE 754), and where the arrival or departure is uncertain, the
/// range of its possible times (`VisitObject.codeRanges`).
extension PastVisitObject: Recorded {
    public static var blank: PastVisitObject { PastVisitObject(visit: 0, place: 0, confidence: 0, stay: .blank) }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.version(1)
        var known: InlineArray<2, Bool> = [stay.arrival != nil, stay.departure != nil]
        try record.code(&known)
        try record.code(&visit)
        try record.code(&place)
        var (arrival, departure) = (stay.arrival ?? .blank, stay.departure ?? .blank)
        try arrival.code(&record)
        try departure.code(&record)
        (stay.arrival, stay.departure) = (known[0] ? arrival : nil, known[1] ? departure : nil)
        try record.code(latitude: &stay.latitude, longitude: &stay.longitude)
        try record.code(&stay.horizontalAccuracy, in: 0 ... .infinity)
        try record.code(&confidence, in: 0...1)
        try stay.codeRanges(&record)
    }
}

extension VisitObject {
    /// - Parameters:
    ///   - clock: Converts instants to UTC; a time of the visit is nil if the clock cannot convert it.
    ///   - gap: The period before this run of the daemon in which the board's position is not known.
    init(_ event: VisitEvent, _ clock: FixClock, after gap: UnfollowedTime) {
        self.init(
            arrival: event.arrival.flatMap { clock.utc($0) }, departure: event.departure.flatMap { clock.utc($0) },
            latitude: event.latitude, longitude: event.longitude, horizontalAccuracy: event.horizontalAccuracy)
        arrivalRange = arrival.flatMap { gap.range(about: $0) }
        departureRange = departure.flatMap { gap.range(about: $0) }
    }
}

/// The board's most recent visits, for operators to read.
struct VisitBook: Sendable {
    /// The largest number of visits kept: nearly three per day for a year.
    static let capacity = 1000

    enum Change: Sendable, Equatable {
        case put(name: String, [UInt8])
        case remove(name: String)
    }

    /// The visits, in the order of their numbers.
    private(set) var visits: [PastVisitObject] = []

    init() {}

    /// Adds a visit at its arrival, or completes it at its departure; returns the changes to make in the store.
    mutating func note(
        _ event: VisitEvent, clock: FixClock, after gap: UnfollowedTime = UnfollowedTime()
    ) -> [Change] {
        var visit = PastVisitObject(
            visit: event.visit, place: event.place, confidence: event.confidence,
            stay: VisitObject(event, clock, after: gap))
        var changes: [Change] = []
        if let index = visits.lastIndex(where: { $0.visit == event.visit }) {
            let known = visits[index].stay
            visit.stay.arrival = visit.stay.arrival ?? known.arrival
            visit.stay.arrivalRange = known.arrivalRange ?? visit.stay.arrivalRange
            visits[index] = visit
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
        guard let visit = PastVisitObject.decode(value.span) else { return false }
        visits.append(visit)
        return true
    }

    /// Forgets all visits; returns the changes to make in the store.
    mutating func erase() -> [Change] {
        defer { visits = [] }
        return visits.map { .remove(name: VisitBook.name(of: $0.visit)) }
    }

    /// The name of a visit's row in the store: the visit's number with 20 digits, so that the store sorts visits by
    /// number.
    private static func name(of visit: UInt64) -> String {
        let digits = String(visit)
        return String(repeating: "0", count: max(0, 20 - digits.count)) + digits
    }
}
