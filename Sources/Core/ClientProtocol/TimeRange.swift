public import SextantUnits

/// The earliest and the latest possible time of an event whose time is not known, for example because the board slept.
public struct TimeRange: Sendable, Hashable {
    /// The latest time at which the event had certainly not happened yet.
    public var notBefore: UTCInstant
    /// The earliest time at which the event had certainly happened; at or after `notBefore`.
    public var notAfter: UTCInstant

    /// - Returns: The range; nil if `notAfter` is before `notBefore`, as can be if the clock was set back between the
    ///   two times.
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
    /// An empty visit, into which a stored record is decoded.
    public static var blank: VisitObject {
        VisitObject(arrival: nil, departure: nil, latitude: 0, longitude: 0, horizontalAccuracy: 0)
    }

    /// Encodes or decodes the last part of a visit's stored record: the ranges of possible arrival and departure times;
    /// a visit without such ranges lacks this part.
    ///
    /// The first byte tells which ranges follow: 1 for that of the arrival, 2 for that of the departure, 3 for both.
    public mutating func codeRanges(_ record: inout RecordFields) throws(DamagedRecord) {
        guard record.hasMore(arrivalRange != nil || departureRange != nil) else { return }
        var known: InlineArray<2, Bool> = [arrivalRange != nil, departureRange != nil]
        try record.code(&known)
        try record.check(known[0] || known[1])
        try record.code(&arrivalRange, where: known[0])
        try record.code(&departureRange, where: known[1])
    }
}
