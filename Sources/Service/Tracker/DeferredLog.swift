internal import Engine
internal import Sessions
internal import Store

/// The fixes that are held back for users' programs, on the card: one log for all of them.
///
/// A log forgets from its front only, and programs are given their fixes in any order: where one that was given lies
/// behind one that waits, a mark says so (`DeferredMark`), and once the dead outnumber what they may, those that wait
/// are written anew behind all others and the front is forgotten. At every moment a crash leaves each fix that was not
/// acknowledged at least once, and `init` takes the second one out.
final class DeferredLog {
    /// A fix that nobody has acknowledged.
    private struct Entry {
        /// Its sequence in the log.
        var place: UInt64
        var key: DeferredKey
        /// Its sequence under its key.
        var sequence: UInt64
    }

    /// A fix to be kept.
    struct Record {
        var key: DeferredKey
        var sequence: UInt64
        var bytes: [UInt8]
    }

    private var log: AppendLog
    private var entries: [Entry] = []
    /// What was in the log when it was opened, oldest first, for the Engine; taken once.
    private var found: [[UInt8]] = []

    /// Bytes: room for 32 programs' 4096 fixes, and as many dead.
    static let capacity = 1 << 25
    /// Dead records that are left where they are, whatever the number of the living.
    private static let maximumDead = 1024

    static func path(in directory: String) -> String { directory + "/deferred.log" }

    /// Opens the log in a directory, or begins one.
    init(directory: String) throws(StoreError) {
        log = try AppendLog(path: DeferredLog.path(in: directory), capacity: DeferredLog.capacity)
        let records = try log.readAll()
        restore(records)
        if entries.count < records.count { try compact() }
    }

    /// Sorts the living from the dead.
    private func restore(_ records: [AppendLog.Record]) {
        var living: [(entry: Entry?, payload: [UInt8])] = []
        var last: [DeferredKey: UInt64] = [:]
        for record in records {
            if let mark = DeferredMark(record.payload) {
                living.removeAll { $0.entry.map { mark.covers($0.key, $0.sequence) } ?? false }
                last = last.filter { !mark.covers($0.key, $0.value) }
            } else if let (key, fix) = DeferredFix.decode(record.payload.span) {
                // Sequences ascend, but for those that were being written anew when the power failed.
                guard fix.sequence > last[key] ?? 0 else { continue }
                last[key] = fix.sequence
                living.append((Entry(place: record.sequence, key: key, sequence: fix.sequence), record.payload))
            } else {
                // The Engine is given it, to say so once; it is not kept for another start.
                living.append((nil, record.payload))
            }
        }
        found = living.map(\.payload)
        entries = living.compactMap(\.entry)
    }

    /// Where a damaged file was set aside when the log was opened.
    var setAside: String? { log.opening.setAside }

    /// Fixes that nobody has acknowledged.
    var count: Int { entries.count }

    /// What was in the log when it was opened, oldest first; given once.
    func takeFound() -> [[UInt8]] {
        defer { found = [] }
        return found
    }

    /// Keeps fixes: when this returns, they are on the card.
    ///
    /// - Returns: How many had to go to make room, the oldest first.
    func append(_ records: [Record]) throws(StoreError) -> Int {
        let appended = try log.append(records.map(\.bytes))
        let first = appended.lastSequence - UInt64(records.count) + 1
        for (offset, record) in records.enumerated() {
            entries.append(Entry(place: first + UInt64(offset), key: record.key, sequence: record.sequence))
        }
        guard appended.dropped > 0 else { return 0 }
        let before = entries.count
        let oldest = appended.lastSequence - UInt64(log.count) + 1
        entries.removeAll { $0.place < oldest }
        return before - entries.count
    }

    /// Forgets the fixes under a key up to a sequence, for good; those that are not there are no error.
    func acknowledge(_ key: DeferredKey, through sequence: UInt64) throws(StoreError) {
        let mark = DeferredMark(key: key, through: sequence)
        guard entries.contains(where: { mark.covers($0.key, $0.sequence) }) else { return }
        let kept = entries.filter { !mark.covers($0.key, $0.sequence) }
        // A fix that goes and lies behind one that stays needs the mark; before it, the log's own front is enough.
        if let front = kept.first?.place,
            entries.contains(where: { $0.place > front && mark.covers($0.key, $0.sequence) })
        {
            _ = try log.append([mark.bytes])
        }
        entries = kept
        guard let front = entries.first?.place else { return try log.removeAll() }
        try log.acknowledge(through: front - 1)
        if log.count - entries.count > max(DeferredLog.maximumDead, entries.count / 2) { try compact() }
    }

    /// Writes what waits anew behind everything, and then forgets everything before it.
    private func compact() throws(StoreError) {
        guard !entries.isEmpty else { return try log.removeAll() }
        let places = Set(entries.map(\.place))
        let old = log.lastSequence
        let living = try log.readAll().filter { places.contains($0.sequence) }.map(\.payload)
        let appended = try log.append(living)
        let first = appended.lastSequence - UInt64(living.count) + 1
        for index in entries.indices { entries[index].place = first + UInt64(index) }
        try log.acknowledge(through: old)
    }
}

/// That the fixes before it under one key, up to a sequence, were given to whom they are for.
///
/// The record, little-endian: version (1 byte: 0x82), bits (1: user known; the session from 2 on), user (4), client (8),
/// label (8), sequence (8).
struct DeferredMark: Equatable {
    private var key: DeferredKey
    private var through: UInt64

    private static let version: UInt8 = 0x82
    private static let byteCount = 30

    init(key: DeferredKey, through sequence: UInt64) {
        self.key = key
        through = sequence
    }

    /// Nil where the record is none.
    init?(_ record: [UInt8]) {
        guard record.count == DeferredMark.byteCount, record[0] == DeferredMark.version else {
            return nil
        }
        func number(_ range: Range<Int>) -> UInt64 {
            range.reversed().reduce(0) { $0 << 8 | UInt64(record[$1]) }
        }
        key = DeferredKey(
            userID: record[1] & 1 == 0 ? nil : UInt32(number(2..<6)), clientHash: number(6..<14),
            labelHash: number(14..<22), session: record[1] >> 1)
        through = number(22..<30)
    }

    var bytes: [UInt8] {
        var bytes = [DeferredMark.version, (key.userID == nil ? 0 : 1) | key.session << 1]
        func append(_ value: UInt64, _ count: Int) {
            for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(place)))) }
        }
        append(UInt64(key.userID ?? 0), 4)
        append(key.client, 8)
        append(key.label, 8)
        append(through, 8)
        return bytes
    }

    func covers(_ key: DeferredKey, _ sequence: UInt64) -> Bool {
        key == self.key && sequence <= through
    }
}
