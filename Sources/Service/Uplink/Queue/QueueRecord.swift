/// A fix or an event that waits to be delivered.
struct QueueRecord: Sendable, Equatable {
    enum Kind: Int64, Sendable { case fix, event }

    /// Counted up over fixes and events, and never used again in a series.
    var number: Int64
    var kind: Kind
    /// When it happened, nanoseconds since 1970; nil where no clock told that yet.
    var time: Int64?
    /// What is sent of it, in the reducer's own form.
    var body: [UInt8]
}

/// How much waits.
struct QueueLoad: Sendable, Equatable {
    var fixes = 0
    var events = 0
    /// Bytes of all records, with what the database adds to each.
    var bytes = 0

    /// Bytes that a record takes in the database beside its body.
    private static let overhead = 24

    mutating func add(_ kind: QueueRecord.Kind, count: Int, bodyBytes: Int) {
        switch kind {
        case .fix: fixes += count
        case .event: events += count
        }
        bytes += bodyBytes + count * QueueLoad.overhead
    }
}
