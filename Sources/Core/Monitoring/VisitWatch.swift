internal import SextantUnits

/// The last visit whose arrival was told to a client that monitors visits.
///
/// The record, little-endian: version (1 byte: 1), the number of the visit whose arrival the client was told (8), 0 for
/// no visit. An empty record stands for no visit.
public struct VisitWatch: Sendable, Equatable {
    /// The visit whose arrival the client was told; nil for none.
    ///
    /// A departure from another visit is told without its beginning, because visits were not monitored then.
    public var toldVisit: UInt64?

    public init(toldVisit: UInt64? = nil) { self.toldVisit = toldVisit }

    public func encode() -> [UInt8] {
        var record = RecordWriter()
        record.write(1 as UInt8)
        record.write(toldVisit ?? 0)
        return record.bytes
    }

    /// Reads a record; nil where it has another version or is damaged.
    public static func decode(_ bytes: Span<UInt8>) -> VisitWatch? {
        guard !bytes.isEmpty else { return VisitWatch() }
        var record = RecordReader(bytes)
        guard record.integer(UInt8.self) == 1, let visit = record.integer(UInt64.self), record.isAtEnd else {
            return nil
        }
        return VisitWatch(toldVisit: visit == 0 ? nil : visit)
    }
}
