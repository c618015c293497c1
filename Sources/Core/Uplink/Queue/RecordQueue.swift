internal import SextantUnits

/// What the uplink knows of the queue on the card: the numbers of its records, and what is being read and written.
struct RecordQueue: Sendable {
    /// The purpose of the read that is in progress; `abandoned` if its records are to be discarded.
    enum Reading: Sendable, Equatable { case events, history, thinning, expiry, abandoned }

    /// Seconds after which the queue is read again, if it could not be read.
    private static let readSeconds = 30.0

    var next: Int64 = 1
    var oldestNumber: Int64 = 1
    var newestFixTime: UTCInstant?
    var identities = BoundedList<UInt64>(limit: 1000)
    /// Events that are being written to the card.
    var storing: [(record: UplinkRecord, number: UInt64?)] = []
    var reading: Reading?
    /// When the queue is read again, after it could not be read; nil if no such wait is in progress.
    var readAgain: MonotonicInstant?
    var thinning = Thinning()

    var canRead: Bool { reading == nil && readAgain == nil }

    mutating func read(_ purpose: Reading, from n: Int64, kind: UplinkRecord.Kind?, limit: Int) -> UplinkOutput {
        reading = purpose
        return .read(from: n, kind: kind, limit: limit)
    }

    /// Remembers that the queue could not be read, and has it read again later.
    mutating func didFail(at now: MonotonicInstant) {
        (reading, readAgain) = (nil, now.advanced(bySeconds: RecordQueue.readSeconds))
    }

    /// If a read of records to be sent is in progress, has these records discarded when they come.
    mutating func abandonLanes() {
        if reading == .events || reading == .history { reading = .abandoned }
    }
}
