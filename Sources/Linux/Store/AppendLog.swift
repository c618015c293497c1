internal import Glibc
internal import Reactor

/// Records that survive a crash and a power cut from the moment they were accepted, until they are acknowledged.
///
/// One file, one owner. A batch is written behind the others and is on the card when `append` returns. The file is
/// bounded: past its capacity the oldest records are dropped, and their count is told. One of a later release is left as
/// it is, and refused. Torn bytes at its end are cut
/// off when it is opened; a file that is damaged before its end is set aside as `PATH.damaged`, and the records that
/// are whole are taken over.
public struct AppendLog: ~Copyable {
    public struct Record: Sendable, Equatable {
        /// Counts from 1 and is never given twice, not after a restart either.
        public var sequence: UInt64
        public var payload: [UInt8]
    }

    /// What was found when the log was opened.
    public struct Opening: Sendable, Equatable {
        /// Records that wait for their acknowledgement.
        public var records = 0
        /// Bytes of a record that was being written when the power failed; it was never accepted.
        public var tornBytes = 0
        /// Where a damaged file was set aside.
        public var setAside: String?

        public init(records: Int = 0, tornBytes: Int = 0, setAside: String? = nil) {
            self.records = records
            self.tornBytes = tornBytes
            self.setAside = setAside
        }
    }

    /// What became of a batch.
    public struct Appended: Sendable, Equatable {
        /// The sequence of its last record.
        public var lastSequence: UInt64
        /// The oldest records that were dropped to make room.
        public var dropped: Int

        public init(lastSequence: UInt64, dropped: Int) {
            self.lastSequence = lastSequence
            self.dropped = dropped
        }
    }

    /// The longest payload, in bytes.
    public static let maximumRecordBytes = 65_536
    /// The smallest capacity, in bytes.
    public static let minimumCapacity = 4096

    public let path: String
    public let opening: Opening
    /// Bytes the file may have.
    private let capacity: Int
    private var file: Descriptor
    /// The live records' sequences and frame lengths, oldest first.
    private var live: [(sequence: UInt64, bytes: Int)]
    /// The last sequence that was given; 0 before the first.
    public private(set) var lastSequence: UInt64
    /// Where the last accepted frame ends.
    private var end: Int
    /// Whether a write or a sync failed, after which what the card has of the file is not known.
    private var isSuspect = false

    /// Opens a log, or begins one where there is none.
    ///
    /// - Parameter capacity: Bytes the file may have, at least 4096; while it is rewritten there are two.
    public init(path: String, capacity: Int) throws(StoreError) {
        precondition(capacity >= AppendLog.minimumCapacity, "an append log has at least 4096 bytes")
        let found = try AppendLog.found(path)
        let opened = try AppendLog.openFile(path)
        if found.opening.tornBytes > 0 {
            try StoreFile.truncate(opened, to: found.scan.end, at: path)
            try StoreFile.syncData(opened, at: path)
        }
        self.path = path
        self.capacity = capacity
        file = opened
        opening = found.opening
        live = found.scan.live.map { ($0.sequence, $0.end - $0.start) }
        lastSequence = found.scan.lastSequence
        end = found.scan.end
    }

    /// Records that wait for their acknowledgement.
    public var count: Int { live.count }

    /// Accepts a batch: when this returns, it is on the card.
    ///
    /// On an error none of it was accepted, and everything accepted before is still there.
    public mutating func append(_ payloads: [[UInt8]]) throws(StoreError) -> Appended {
        var added: [(sequence: UInt64, bytes: Int)] = []
        var bytes: [UInt8] = []
        for payload in payloads {
            let length = AppendLogForm.frameBytes + payload.count
            guard payload.count <= AppendLog.maximumRecordBytes, length <= room else {
                throw StoreError(.tooLarge, path: path)
            }
            let sequence = lastSequence + UInt64(added.count) + 1
            AppendLogForm.append(.record, sequence, payload[...], to: &bytes)
            added.append((sequence, length))
        }
        guard !added.isEmpty else { return Appended(lastSequence: lastSequence, dropped: 0) }
        guard !isSuspect, end + bytes.count <= capacity else {
            let dropped = try rewrite(adding: added, bytes)
            return Appended(lastSequence: lastSequence, dropped: dropped)
        }
        try write(bytes)
        live += added
        lastSequence += UInt64(added.count)
        return Appended(lastSequence: lastSequence, dropped: 0)
    }

    /// The records that nobody has acknowledged, oldest first.
    public borrowing func readAll() throws(StoreError) -> [Record] {
        let (bytes, frames) = try contents()
        return frames.map { Record(sequence: $0.sequence, payload: Array(bytes[$0.payload])) }
    }

    /// Forgets every record up to a sequence, for good; one that is not there any more is no error.
    public mutating func acknowledge(through sequence: UInt64) throws(StoreError) {
        let known = min(sequence, lastSequence)
        let gone = live.prefix { $0.sequence <= known }.count
        guard gone > 0 else { return }
        var bytes: [UInt8] = []
        AppendLogForm.append(.acknowledgement, known, [], to: &bytes)
        if gone < live.count, !isSuspect, end + bytes.count <= capacity {
            try write(bytes)
            live.removeFirst(gone)
        } else {
            try replace(dropping: gone, adding: [], [])
        }
    }

    /// Forgets every record, for good.
    public mutating func removeAll() throws(StoreError) { try acknowledge(through: lastSequence) }

    /// Bytes that records may take in a file that was rewritten: a quarter stays free, so that not every batch
    /// rewrites it.
    private var room: Int { (capacity - AppendLogForm.headBytes) / 4 * 3 }
}

// MARK: Writing

extension AppendLog {
    /// Writes behind the last frame and waits for the card.
    private mutating func write(_ bytes: [UInt8]) throws(StoreError) {
        do throws(StoreError) {
            try StoreFile.write(bytes.span, to: file, at: path)
            try StoreFile.syncData(file, at: path)
        } catch {
            // After a failed sync the kernel may hold pages for written that are not: the file is written anew next.
            isSuspect = true
            // What is cut off was not accepted; where this fails too, the next open cuts it off.
            try? StoreFile.truncate(file, to: end, at: path)
            throw error
        }
        end += bytes.count
    }

    /// Writes the file anew with the oldest records dropped that there is no room for.
    ///
    /// - Returns: How many were dropped.
    private mutating func rewrite(
        adding added: [(sequence: UInt64, bytes: Int)], _ bytes: [UInt8]
    ) throws(StoreError) -> Int {
        var dropped = 0
        let all = live + added
        var length = all.reduce(0) { $0 + $1.bytes }
        while length > room {
            length -= all[dropped].bytes
            dropped += 1
        }
        let old = min(dropped, live.count)
        let kept = added.dropFirst(dropped - old)
        let cut = added.prefix(dropped - old).reduce(0) { $0 + $1.bytes }
        try replace(dropping: old, adding: kept, bytes[cut...])
        lastSequence += UInt64(added.count)
        return dropped
    }

    /// Replaces the file: without the oldest records, and with new ones behind the others.
    private mutating func replace(
        dropping count: Int, adding added: ArraySlice<(sequence: UInt64, bytes: Int)>, _ frames: ArraySlice<UInt8>
    ) throws(StoreError) {
        let dropped = count > 0 ? live[count - 1].sequence : 0
        let (old, standing) = try contents()
        let kept = standing.filter { $0.sequence > dropped }
        var bytes = AppendLogForm.head(after: kept.first.map { $0.sequence - 1 } ?? lastSequence)
        for frame in kept { bytes += old[frame.start..<frame.end] }
        bytes += frames
        // Until the new file is open, what stands under the name is not known.
        isSuspect = true
        try AtomicFile.replace(path, with: bytes.span)
        file = try AppendLog.openFile(path)
        live = kept.map { ($0.sequence, $0.end - $0.start) } + added
        end = bytes.count
        isSuspect = false
    }
}

// MARK: Reading

extension AppendLog {
    /// The file and the records in it that were accepted and not acknowledged.
    private borrowing func contents() throws(StoreError) -> (bytes: [UInt8], frames: [AppendLogForm.Frame]) {
        guard let first = live.first, let last = live.last else { return ([], []) }
        let bytes = try AtomicFile.read(path, upTo: .max) ?? []
        return (bytes, AppendLogScan(bytes).live.filter { (first.sequence...last.sequence).contains($0.sequence) })
    }

    private static func openFile(_ path: String) throws(StoreError) -> Descriptor {
        try StoreFile.open(path, flags: O_RDWR | O_APPEND | O_NOFOLLOW)
    }

    /// What stands at a path, made whole: a file that is not there is begun, a damaged one is replaced.
    private static func found(_ path: String) throws(StoreError) -> (scan: AppendLogScan, opening: Opening) {
        guard let bytes = try AtomicFile.read(path, upTo: .max) else {
            let head = AppendLogForm.head(after: 0)
            try AtomicFile.replace(path, with: head.span)
            return (AppendLogScan(head), Opening())
        }
        if let version = AppendLogForm.laterVersion(inHead: bytes) {
            throw StoreError(.newerVersion(found: version, known: AppendLogForm.version), path: path)
        }
        let scan = AppendLogScan(bytes)
        guard scan.isDamaged else {
            return (scan, Opening(records: scan.live.count, tornBytes: bytes.count - scan.end))
        }
        return try salvaged(path, bytes, scan)
    }

    /// Takes the whole records of a damaged file over.
    private static func salvaged(
        _ path: String, _ damaged: [UInt8], _ scan: AppendLogScan
    ) throws(StoreError) -> (scan: AppendLogScan, opening: Opening) {
        var bytes = AppendLogForm.head(after: scan.live.first.map { $0.sequence - 1 } ?? scan.lastSequence)
        for frame in scan.live { bytes += damaged[frame.start..<frame.end] }
        let aside = try setAside(damaged, of: path)
        try AtomicFile.replace(path, with: bytes.span)
        return (AppendLogScan(bytes), Opening(records: scan.live.count, setAside: aside))
    }

    /// Keeps a copy, so that the log's own name is never without its file.
    private static func setAside(_ bytes: [UInt8], of path: String) throws(StoreError) -> String {
        let aside = path + ".damaged"
        try AtomicFile.replace(aside, with: bytes.span)
        return aside
    }
}
