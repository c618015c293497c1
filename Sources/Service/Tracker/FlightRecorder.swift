internal import Engine
internal import Glibc
internal import SextantReactor
internal import SextantUnits

/// A recorder that writes the Engine's inputs to a file as they happen.
final class FlightRecorder {
    /// An open file, and its name.
    private struct NamedFile: ~Copyable {
        let descriptor: Descriptor
        let path: String
    }

    private let file: NamedFile
    private var bytes: [UInt8] = []

    /// The name of the file that is written.
    var path: String { file.path }

    /// The most recordings of one name; beyond them the daemon does not start, lest they fill the card.
    private static let maximumRecordings = 99

    /// Begins a recording in a new file that only the daemon's user may read.
    ///
    /// - Parameter path: The file's name; where there is such a file, that name with `.2`, or the next number that is
    ///   free, so that a restart keeps the recording before it.
    init(path: String) throws(TrackerError) {
        file = try FlightRecorder.create(path)
        bytes = FlightFormat.head
        try flush()
    }

    private static func create(_ path: String) throws(TrackerError) -> NamedFile {
        for number in 1...maximumRecordings {
            let name = number == 1 ? path : "\(path).\(number)"
            do {
                return NamedFile(descriptor: try Descriptor(creating: name, mode: 0o600), path: name)
            } catch {
                guard error.errno == EEXIST else { throw failure(name, error.errno) }
            }
        }
        throw TrackerError(
            "\(path): there are \(maximumRecordings) recordings of this name; remove some, or record under another",
            isFile: true)
    }

    /// Writes one input and the digest of its outputs.
    func record(_ input: Input, at instant: MonotonicInstant, outputs: borrowing Outputs) throws(TrackerError) {
        FlightFormat.append(input, at: instant, digest: OutputDigest(of: outputs).value, to: &bytes)
        try flush()
    }

    private func flush() throws(TrackerError) {
        var offset = 0
        while offset < bytes.count {
            switch file.descriptor.write(bytes.span.extracting(offset...)) {
            case .bytes(let count): offset += count
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
