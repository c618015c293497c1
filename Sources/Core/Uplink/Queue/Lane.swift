/// Records of the queue that are next to be sent, in the order of their numbers.
struct Lane: Sendable {
    /// The records that were read and not sent yet.
    var waiting: [UplinkRecord] = []
    /// The number from which on is read next.
    var cursor: Int64 = 0
    /// Whether everything from the cursor on was read.
    var isAtEnd = false

    /// Records that wait in memory at most.
    static let limit = 256

    /// Takes a record that was just stored, where all before it were read.
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
