/// The records that are to be sent next, in the order of their numbers; there is one lane for the events and one for
/// the history of fixes.
struct Lane: Sendable {
    /// The records that were read from the queue and are not sent yet.
    var waiting: [UplinkRecord] = []
    /// The record number at which the next read of the queue begins.
    var cursor: Int64 = 0
    /// Whether the queue has no record with the number `cursor` or a higher one.
    var isAtEnd = false

    var isDone: Bool { isAtEnd && waiting.isEmpty }

    /// The largest number of a lane's records that wait in memory.
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
