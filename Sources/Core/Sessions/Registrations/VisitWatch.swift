internal import Units

/// How far a client that monitors visits was told.
///
/// The record, little-endian: version (1 byte: 1), the number of the visit whose arrival it was told (8), 0 for none. A
/// record that is empty is one of none.
public struct VisitWatch: Sendable, Equatable {
    /// The visit whose arrival it was told; the departure of another says nothing of when that began, because it was
    /// not monitored then.
    public var toldVisit: UInt64?

    public init(toldVisit: UInt64? = nil) { self.toldVisit = toldVisit }

    public func encode() -> [UInt8] {
        var record = RecordWriter()
        record.write(1 as UInt8)
        record.write(toldVisit ?? 0)
        return record.bytes
    }

    /// Nil where the record has another version or is damaged.
    public static func decode(_ bytes: Span<UInt8>) -> VisitWatch? {
        guard !bytes.isEmpty else { return VisitWatch() }
        var record = RecordReader(bytes)
        guard record.integer(UInt8.self) == 1, let visit = record.integer(UInt64.self), record.isAtEnd else {
            return nil
        }
        return VisitWatch(toldVisit: visit == 0 ? nil : visit)
    }
}
