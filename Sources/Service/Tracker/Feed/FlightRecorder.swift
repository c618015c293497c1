internal import Configuration
internal import Engine
internal import Glibc
internal import LinuxHardware
internal import Logging
internal import Parts
internal import SextantReactor

/// A recorder that writes the inputs of the Engine (the daemon's logic) to files as they happen, for a later replay.
///
/// The files are a ring: each run of the daemon begins a new file, and continues in another when it is full. If all
/// files of this name would take more than the limit, the oldest are removed.
final class FlightRecorder {
    /// An open file, with its path.
    private struct NamedFile: ~Copyable {
        let descriptor: Descriptor
        let path: String
    }

    private let base: String
    private var file: NamedFile
    private var bytes: [UInt8] = []
    /// The size in bytes of the file that is being written.
    private var size = 0
    /// The record of the start of this run; each later file of the run begins with a copy of it.
    private var start: [UInt8] = []
    private let segment: Int

    /// The path of the file that is being written.
    var path: String { file.path }

    /// The largest size of one file in bytes.
    static let segmentBytes = 8 << 20
    /// The largest number of files that belong to one recording's name.
    private static let ringFiles = 99

    /// Begins a recording in a new file that only the daemon's user can read.
    ///
    /// - Parameters:
    ///   - path: The path of the file. If it exists, a number is added: one more than the highest number so far, so
    ///     that a restart keeps earlier recordings.
    ///   - segment: The largest size of one file in bytes; all files of the recording's name together can take eight
    ///     times as much.
    init(path: String, segment: Int = FlightRecorder.segmentBytes) throws(TrackerError) {
        base = path
        self.segment = segment
        file = try FlightRecorder.create(path, room: segment)
        bytes = FlightFormat.head
        try flush()
    }

    /// Begins the recording that the settings ask for.
    ///
    /// If the recording fails and only the configuration file asked for it, the daemon runs without it.
    convenience init?(_ settings: TrackerSettings, _ journal: Journal) throws(TrackerError) {
        guard let path = settings.recording else { return nil }
        do throws(TrackerError) {
            try self.init(path: path)
        } catch {
            if settings.requiresRecording { throw error }
            journal.error("\(error); nothing is recorded")
            return nil
        }
        if self.path != path { journal.logger.notice("\(path) is kept; recording to \(self.path)") }
    }

    /// Creates the next file of the recording; first removes the oldest files until there is room for it.
    private static func create(_ path: String, room segment: Int) throws(TrackerError) -> NamedFile {
        let taken = FlightRecorder.numbers(of: path)
        let next = taken.last.map { $0.addingReportingOverflow(1).partialValue } ?? 1
        var numbers = taken.filter { isRecording(name(path, $0)) }
        var total = numbers.reduce(0) { $0 + size(of: name(path, $1)) }
        while let oldest = numbers.first, total > 7 * segment || numbers.count >= ringFiles {
            total -= size(of: name(path, oldest))
            _ = unsafe unlink(name(path, oldest))
            numbers.removeFirst()
        }
        let new = name(path, next)
        do {
            return NamedFile(descriptor: try Descriptor(creating: new, mode: 0o600), path: new)
        } catch {
            throw failure(new, error.errno)
        }
    }

    private static func name(_ path: String, _ number: Int) -> String { number == 1 ? path : "\(path).\(number)" }

    /// The numbers in the names of this recording's files, in ascending order; other files with similar names are left
    /// out.
    private static func numbers(of path: String) -> [Int] {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/")
        let stem = parts.last.map(String.init) ?? path
        let names = KernelFiles.names(in: parts.count == 1 ? "." : folder.isEmpty ? "/" : folder)
        let numbers = names.compactMap { name -> Int? in
            if name == stem { return 1 }
            guard name.hasPrefix(stem + "."), let number = Int(name.dropFirst(stem.count + 1)), number > 1,
                name == "\(stem).\(number)"
            else { return nil }
            return number
        }
        return numbers.sorted()
    }

    /// Whether a file is a recording; files that are not are never removed.
    private static func isRecording(_ path: String) -> Bool {
        var bytes = [UInt8](repeating: 0, count: FlightFormat.family.count)
        guard let file = try? Descriptor(opening: path, flags: O_RDONLY | O_NONBLOCK | O_NOFOLLOW),
            case .bytes(bytes.count) = file.read(into: &bytes)
        else { return false }
        return bytes == FlightFormat.family
    }

    private static func size(of path: String) -> Int {
        var status = stat()
        // Safety: the kernel writes one status, which outlives the call; the C string lives for the call.
        return unsafe lstat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Writes one input of the Engine (the daemon's logic) and the digest of the outputs that it caused.
    func record(_ input: Input, in turn: borrowing Turn) throws(TrackerError) {
        FlightFormat.append(input, at: turn.instant, digest: OutputDigest(of: turn).value, to: &bytes)
        if case .started = input { start = bytes }
        if size + bytes.count > segment, size > start.count + FlightFormat.head.count {
            let record = bytes
            file = try FlightRecorder.create(base, room: segment)
            (size, bytes) = (0, FlightFormat.head + start + record)
        }
        try flush()
    }

    private func flush() throws(TrackerError) {
        var offset = 0
        while offset < bytes.count {
            switch file.descriptor.write(bytes.span.extracting(offset...)) {
            case .bytes(let count):
                offset += count
                size += count
            case .wouldBlock: break
            case .disconnected(let code): throw FlightRecorder.failure(path, code)
            }
        }
        bytes.removeAll(keepingCapacity: true)
    }

    private static func failure(_ path: String, _ code: Int32) -> TrackerError {
        let mend =
            switch code {
            case ENOENT, ENOTDIR: "; create its directory first"
            case EACCES, EROFS: "; choose a place that the user who runs sextantd may write to"
            case ENOSPC, EDQUOT: "; make room, or record elsewhere"
            default: ""
            }
        return TrackerError(
            "\(path): the recording cannot be written: \(SystemError.text(of: code))\(mend)", isFile: true)
    }
}
