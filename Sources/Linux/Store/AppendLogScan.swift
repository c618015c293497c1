/// What stands in an append log's bytes.
struct AppendLogScan {
    /// The records that nobody has acknowledged, oldest first.
    private(set) var live: [AppendLogForm.Frame] = []
    /// The last sequence that was ever given.
    private(set) var lastSequence: UInt64
    /// Where the last whole frame ends.
    private(set) var end: Int
    /// Bytes that are no frame, but stand before one: damage, not a torn tail.
    private(set) var damagedBytes = 0
    private let hasHead: Bool

    init(_ bytes: [UInt8]) {
        let sequence = AppendLogForm.sequence(inHead: bytes)
        hasHead = sequence != nil
        lastSequence = sequence ?? 0
        end = hasHead ? AppendLogForm.headBytes : 0
        var place = end
        while place < bytes.count {
            guard let frame = AppendLogForm.frame(in: bytes, at: place), fits(frame) else {
                // Behind damage there may be whole records.
                place += 1
                continue
            }
            damagedBytes += frame.start - end
            add(frame)
            place = end
        }
    }

    /// Whether more than the end of the file is wrong.
    var isDamaged: Bool { !hasHead || damagedBytes > 0 }

    /// Sequences only grow; an acknowledgement is of what was given.
    private func fits(_ frame: AppendLogForm.Frame) -> Bool {
        switch frame.kind {
        case .record: frame.sequence > lastSequence
        // Where damage took the records, their acknowledgement may be of later ones than are left.
        case .acknowledgement: frame.payload.isEmpty
        }
    }

    private mutating func add(_ frame: AppendLogForm.Frame) {
        end = frame.end
        lastSequence = max(lastSequence, frame.sequence)
        switch frame.kind {
        case .record: live.append(frame)
        case .acknowledgement: live.removeAll { $0.sequence <= frame.sequence }
        }
    }
}
