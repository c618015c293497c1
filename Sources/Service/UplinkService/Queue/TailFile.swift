internal import Glibc
internal import SextantReactor
internal import SextantUnits
internal import SextantUplink
internal import Store

/// The newest fixes, in a file on a file system in memory: it outlives the process but is lost when the board loses
/// power.
///
/// The file is a log of what has happened since it was begun: fixes that were added, and numbers of records that were
/// delivered. An entry consists of its length and its checksum, 4 bytes each, and its content, all little-endian. If
/// the process is killed, the last entry can be incomplete, and is then ignored.
struct TailFile: ~Copyable {
    private static let name = "tail"

    /// What an earlier process left in the file of the newest fixes.
    struct Content: Equatable {
        var series: UInt32
        /// Whether the file belongs to a queue that is only in memory, which numbers its records by itself.
        var isOffCard = false
        /// The number of the next record: higher than all numbers that were used.
        var next: Int64
        var fixes: [UplinkRecord] = []
        /// The time of the newest fix that was already in the queue when the file was begun.
        var newestFixTime: UTCInstant?
        /// The numbers of the records that were delivered, including records in the database.
        var delivered: [ClosedRange<Int64>] = []
    }

    /// The kind of an entry, in its first byte; two numbers of 8 bytes follow, and for a fix the record's body.
    private enum Kind: UInt8 {
        /// The queue's series (the identifier of its numbering) and the number of the next record; written when the
        /// file is begun and after every event.
        case next
        /// An entry for a fix, with the fix's number and its time; if the time is unknown, its uptime.
        case fix, undatedFix
        /// An entry with the first and the last number of a range of records that were delivered.
        case delivered
        /// The time of the newest fix when the file was begun; the entry's second number is 0.
        case newest
        /// Marks the file of a queue that is only in memory; both numbers of the entry are 0.
        case offCard
    }

    private let path: String
    private var file: Descriptor?
    /// The size in bytes of the complete entries, and how much of it was there when the file was begun.
    private var (size, begun) = (0, 0)

    /// Whether most of the file is about fixes that need not be in it any more, so that it should be begun again.
    var isLong: Bool { size > 2 * begun + 65_536 }

    init(folder: String) { path = folder + "/" + TailFile.name }

    /// The content that the file has; nil if there is no file, or no usable content.
    func content() throws(StoreError) -> Content? {
        guard let bytes = try StoreFile.read(path, upTo: 1 << 24) else { return nil }
        var (content, rest): (Content?, ArraySlice<UInt8>) = (nil, bytes[...])
        while let entry = TailFile.takeEntry(&rest) {
            var entry = entry
            guard let kind = entry.popFirst(), let first = entry.takeInteger(), let second = entry.takeInteger()
            else { continue }
            switch Kind(rawValue: kind) {
            case .next:
                content = content ?? Content(series: UInt32(truncatingIfNeeded: first), next: second)
                content?.next = second
            case .fix, .undatedFix:
                let isDated = kind == Kind.fix.rawValue
                content?.fixes.append(
                    UplinkRecord(
                        n: first, kind: .fix, time: isDated ? UTCInstant(nanoseconds: second) : nil,
                        uptime: isDated ? nil : MonotonicInstant(nanoseconds: second), body: Array(entry)))
                content?.next = first + 1
            case .delivered: if first <= second { content?.delivered.append(first...second) }
            case .offCard: content?.isOffCard = true
            case .newest: content?.newestFixTime = UTCInstant(nanoseconds: first)
            case nil: break
            }
        }
        return content
    }

    /// Replaces the file by a new one with the fixes that must stay in it.
    mutating func begin(
        series: UInt32, isOffCard: Bool, next: Int64, newestFixTime: UTCInstant?, fixes: [UplinkRecord]
    ) throws(StoreError) {
        var bytes = TailFile.entry(.next, Int64(series), next)
        if isOffCard { bytes += TailFile.entry(.offCard, 0, 0) }
        if let newestFixTime { bytes += TailFile.entry(.newest, newestFixTime.nanoseconds, 0) }
        for fix in fixes { bytes += TailFile.entry(of: fix) }
        let new = path + ".new"
        do throws(StoreError) {
            let opened = try StoreFile.open(new, flags: O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW)
            try opened.write(all: bytes, at: new)
            try StoreFile.rename(new, to: path)
            (size, begun) = (bytes.count, bytes.count)
            file = consume opened
        } catch {
            _ = unsafe unlink(new)
            // A full file system has no room for a second file, so the present one is emptied and begun again. If the
            // process is killed in between, no fix is lost, since none must stay.
            guard fixes.isEmpty, file?.withRawValue({ ftruncate($0, 0) }) == 0 else {
                begun = size
                throw error
            }
            (size, begun) = (0, bytes.count)
            try append(bytes)
        }
    }

    mutating func add(_ fix: UplinkRecord) throws(StoreError) { try append(TailFile.entry(of: fix)) }

    /// Writes which number the next record gets, after lower numbers were given to records that are not in this file.
    mutating func addNext(_ next: Int64, series: UInt32) throws(StoreError) {
        try append(TailFile.entry(.next, Int64(series), next))
    }

    mutating func addDelivered(_ numbers: ClosedRange<Int64>) throws(StoreError) {
        try append(TailFile.entry(.delivered, numbers.lowerBound, numbers.upperBound))
    }

    private mutating func append(_ bytes: [UInt8]) throws(StoreError) {
        do throws(StoreError) {
            guard try file?.write(all: bytes, at: path) != nil else { throw StoreError(.closed, path: path) }
            size += bytes.count
        } catch {
            // A full file system takes a part of an entry; it is cut off, since no later entry could be read behind it.
            _ = file?.withRawValue { ftruncate($0, size) }
            throw error
        }
    }

    // MARK: Entries

    private static func entry(of fix: UplinkRecord) -> [UInt8] {
        entry(
            fix.time == nil ? .undatedFix : .fix, fix.n,
            fix.time?.nanoseconds ?? fix.uptime?.nanoseconds ?? 0, fix.body)
    }

    private static func entry(_ kind: Kind, _ first: Int64, _ second: Int64, _ body: [UInt8] = []) -> [UInt8] {
        var content = [kind.rawValue]
        content.append(little: first)
        content.append(little: second)
        content += body
        var entry: [UInt8] = []
        entry.append(little: UInt32(content.count))
        entry.append(little: CRC32.of(content.span))
        return entry + content
    }

    private static func takeEntry(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let count = bytes.take(UInt32.self), let check = bytes.take(UInt32.self), bytes.count >= Int(count)
        else { return nil }
        let content = bytes.prefix(Int(count))
        guard CRC32.of(Array(content).span) == check else { return nil }
        bytes = bytes.dropFirst(Int(count))
        return content
    }
}

extension [UInt8] {
    fileprivate mutating func append(little value: some FixedWidthInteger) {
        for shift in stride(from: 0, to: value.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func take<Value: FixedWidthInteger>(_: Value.Type) -> Value? {
        let count = Value.bitWidth / 8
        guard self.count >= count else { return nil }
        let value = prefix(count).reversed().reduce(Value(0)) { $0 << 8 | Value(truncatingIfNeeded: $1) }
        self = dropFirst(count)
        return value
    }

    fileprivate mutating func takeInteger() -> Int64? { take(Int64.self) }
}
