internal import SextantUnits

/// What the uplink knows of the queue on the card: the numbers of its records, and what is being read and written.
struct RecordQueue: Sendable {
    /// What the records that are being read are for; `abandoned` for nothing any more.
    enum Reading: Sendable, Equatable { case events, history, thinning, expiry, abandoned }

    /// Seconds after which a queue that could not be read is read again.
    private static let readSeconds = 30.0

    /// The number of the next record.
    var next: Int64 = 1
    var oldestNumber: Int64 = 1
    var newestFixTime: UTCInstant?
    var identities = BoundedList<UInt64>(limit: 1000)
    /// Events that are being written to the card.
    var storing: [(record: UplinkRecord, number: UInt64?)] = []
    var reading: Reading?
    /// When a queue that could not be read is read again.
    var readAgain: MonotonicInstant?
    var thinning = Thinning()

    /// Whether a read can begin.
    var canRead: Bool { reading == nil && readAgain == nil }

    mutating func read(_ purpose: Reading, from n: Int64, kind: UplinkRecord.Kind?, limit: Int) -> UplinkOutput {
        reading = purpose
        return .read(from: n, kind: kind, limit: limit)
    }

    /// Notes that the queue could not be read.
    mutating func didFail(at now: MonotonicInstant) {
        (reading, readAgain) = (nil, now.advanced(bySeconds: RecordQueue.readSeconds))
    }

    /// Ignores the records that are being read for the lanes.
    mutating func abandonLanes() {
        if reading == .events || reading == .history { reading = .abandoned }
    }
}
