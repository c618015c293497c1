public import SextantUnits

/// The times between which something happened that nobody followed, as while the whole board slept.
public struct TimeRange: Sendable, Hashable {
    /// The last time at which it had surely not happened.
    public var notBefore: UTCInstant
    /// The first time at which it surely had; never before `notBefore`.
    public var notAfter: UTCInstant

    /// - Returns: Nil where the times are the wrong way round, because a clock was set meanwhile.
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
    /// A visit into which a record can be read.
    public static var blank: VisitObject {
        VisitObject(arrival: nil, departure: nil, latitude: 0, longitude: 0, horizontalAccuracy: 0)
    }

    /// Which ranges there are (1 byte; 1: of the arrival, 2: of the departure), and these, at a record's end; nothing
    /// without any.
    public mutating func codeRanges(_ record: inout RecordFields) throws(DamagedRecord) {
        guard record.hasMore(arrivalRange != nil || departureRange != nil) else { return }
        var known: InlineArray<2, Bool> = [arrivalRange != nil, departureRange != nil]
        try record.code(&known)
        try record.check(known[0] || known[1])
        try record.code(&arrivalRange, where: known[0])
        try record.code(&departureRange, where: known[1])
    }
}
