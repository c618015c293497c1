/// The records of one kind, events or the history, that are sent next, in the order of their numbers.
struct Lane: Sendable {
    /// The records that were read and not sent yet.
    var waiting: [UplinkRecord] = []
    /// The record number at which the next read of the queue begins.
    var cursor: Int64 = 0
    /// Whether everything from the cursor on was read.
    var isAtEnd = false

    /// Whether all records are sent.
    var isDone: Bool { isAtEnd && waiting.isEmpty }

    /// The largest number of records that wait in memory.
    static let limit = 256

    /// Appends a newly stored record, if all records before it were read and there is room.
    mutating func offer(_ record: UplinkRecord) {
        guard isAtEnd, waiting.count < Lane.limit else {
            isAtEnd = false
            return
        }
        waiting.append(record)
        cursor = record.n + 1
    }

    mutating func take(_ rows: [UplinkRecord]) {
        isAtEnd = rows.count < Lane.limit
        waiting += rows.filter { $0.n >= cursor }
        if let last = rows.last { cursor = max(cursor, last.n + 1) }
    }

    mutating func rewind() { self = Lane() }
}
