internal import Engine
internal import Glibc
internal import Reactor
internal import Units

/// A recorder that writes the Engine's inputs to a file as they happen.
final class FlightRecorder {
    private let descriptor: Descriptor
    private var bytes: [UInt8] = []

    private let path: String

    init(path: String) throws(TrackerError) {
        self.path = path
        do {
            descriptor = try Descriptor(opening: path, flags: O_WRONLY | O_CREAT | O_TRUNC)
        } catch {
            throw FlightRecorder.failure(path, error.errno)
        }
        bytes = FlightFormat.head
        try flush()
    }

    /// Writes one input and the digest of its outputs.
    func record(_ input: Input, at instant: MonotonicInstant, outputs: borrowing Outputs) throws(TrackerError) {
        FlightFormat.append(input, at: instant, digest: OutputDigest(of: outputs).value, to: &bytes)
        try flush()
    }

    private func flush() throws(TrackerError) {
        var offset = 0
        while offset < bytes.count {
            switch descriptor.write(bytes.span.extracting(offset...)) {
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
