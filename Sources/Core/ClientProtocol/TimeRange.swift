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

    /// The bytes of the durable form: both times in nanoseconds since 1970, little-endian.
    public func encode(to record: inout RecordWriter) {
        record.write(notBefore.nanoseconds)
        record.write(notAfter.nanoseconds)
    }

    /// Reads what `encode` wrote; nil where it is damaged.
    public init?(from record: inout RecordReader) {
        guard let first = record.integer(Int64.self), let last = record.integer(Int64.self) else { return nil }
        self.init(notBefore: UTCInstant(nanoseconds: first), notAfter: UTCInstant(nanoseconds: last))
    }
}

extension VisitObject {
    /// Appends which ranges there are (1 byte; 1: of the arrival, 2: of the departure), and these; nothing without any.
    public func writeRanges(to record: inout RecordWriter) {
        guard arrivalRange != nil || departureRange != nil else { return }
        record.write((arrivalRange == nil ? 0 : 1) | (departureRange == nil ? 0 : 2) as UInt8)
        arrivalRange?.encode(to: &record)
        departureRange?.encode(to: &record)
    }

    /// Reads what `writeRanges` wrote at a record's end; false where it is damaged.
    public mutating func readRanges(from record: inout RecordReader) -> Bool {
        guard !record.isAtEnd else { return true }
        guard let bits = record.integer(UInt8.self), (1...3).contains(bits) else { return false }
        if bits & 1 != 0 { arrivalRange = TimeRange(from: &record) }
        if bits & 2 != 0 { departureRange = TimeRange(from: &record) }
        return (arrivalRange != nil) == (bits & 1 != 0) && (departureRange != nil) == (bits & 2 != 0)
    }
}
