public import SextantUnits

/// The earliest and latest possible time of an event without a known time, for example while the whole board slept.
public struct TimeRange: Sendable, Hashable {
    /// The last time at which the event had certainly not happened.
    public var notBefore: UTCInstant
    /// The first time at which the event had certainly happened; never before `notBefore`.
    public var notAfter: UTCInstant

    /// - Returns: Nil if `notAfter` is before `notBefore`, because a clock was set meanwhile.
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
    /// An empty visit, into which a record can be decoded.
    public static var blank: VisitObject {
        VisitObject(arrival: nil, departure: nil, latitude: 0, longitude: 0, horizontalAccuracy: 0)
    }

    /// Encodes or decodes the two ranges at the end of a record; a visit without ranges takes no bytes.
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
