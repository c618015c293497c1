public import SextantUnits

/// The visit whose arrival was sent to a client, and whose departure was not sent yet.
///
/// The record, little-endian: version (1 byte: 1), the number of that visit (8), 0 for no visit. An empty record stands
/// for no visit.
public struct VisitWatch: Sendable, Equatable {
    /// The number of the visit whose arrival was sent to the client; nil for none.
    ///
    /// A departure from any other visit is sent without the time of arrival, because the client did not monitor visits
    /// at that time.
    public var toldVisit: UInt64?

    public init(toldVisit: UInt64? = nil) { self.toldVisit = toldVisit }
}

extension VisitWatch: Recorded {
    public static var blank: VisitWatch { VisitWatch() }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        guard record.hasMore(true) else { return }
        try record.version(1)
        try record.code(&toldVisit, nilIs: 0)
    }
}
