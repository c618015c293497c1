public import SextantUnits

/// The earliest and latest possible time of an event whose time is not known, for example because the whole board
/// slept.
public struct TimeRange: Sendable, Hashable {
    /// The last time at which it is certain that the event had not happened yet.
    public var notBefore: UTCInstant
    /// The first time at which it is certain that the event had happened; never before `notBefore`.
    public var notAfter: UTCInstant

    /// - Returns: The range; nil if `notAfter` is before `notBefore`, as when a clock was set between the two.
    public init?(notBefore: UTCInstant, notAfter: UTCInstant) {
        guard notBefore <= notAfter else { return nil }
        self.notBefore = notBefore
        self.notAfter = notAfter
    }
}

/// The durable form: both times.
extension TimeRange: Recorded {
    public static var blank: TimeRange { TimeRange(.blank) }

    private init(_ time: UTCInstant) { (notBefore, notAfter) = (time, time) }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try notBefore.code(&record)
        try notAfter.code(&record)
        try record.check(notBefore <= notAfter)
    }
}

extension VisitObject {
    /// A visit with empty values, into which a stored record can be decoded.
    public static var blank: VisitObject {
        VisitObject(arrival: nil, departure: nil, latitude: 0, longitude: 0, horizontalAccuracy: 0)
    }

    /// Encodes or decodes, at the end of a stored record, the ranges of possible arrival and departure times; a visit
    /// without ranges takes no bytes.
    ///
    /// The first byte says which ranges follow (1: of the arrival, 2: of the departure).
    public mutating func codeRanges(_ record: inout RecordFields) throws(DamagedRecord) {
        guard record.hasMore(arrivalRange != nil || departureRange != nil) else { return }
        var known: InlineArray<2, Bool> = [arrivalRange != nil, departureRange != nil]
        try record.code(&known)
        try record.check(known[0] || known[1])
        try record.code(&arrivalRange, where: known[0])
        try record.code(&departureRange, where: known[1])
    }
}
