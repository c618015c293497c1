import CGPIOD
import Glibc
import Hardware
import SextantReactor

/// A GPIO line that this process holds: no other program can request the line until this value is gone.
@safe struct GPIORequest: ~Copyable {
    /// The consumer name of the lines that this process holds; `gpioinfo` and other programs' errors show it.
    static let consumer = "sextant"

    let name: String
    private let line: OpaquePointer

    init(outputNamed name: String, activeLow: Bool, active: Bool) throws(LineError) {
        let location = try GPIOLocation(ofLine: name)
        var held: OpaquePointer?
        // Safety: the C function writes one pointer, which outlives the call; the C strings live for the call.
        let result = unsafe cgpiod_request_output(
            location.path, location.offset, GPIORequest.consumer, activeLow, active, &held)
        guard result == 0, let held = unsafe held else {
            throw LineError(requesting: name, at: location, errno: -result)
        }
        self.name = name
        unsafe line = held
    }

    init(inputNamed name: String, activeLow: Bool, bias: LineBias) throws(LineError) {
        let location = try GPIOLocation(ofLine: name)
        var held: OpaquePointer?
        // Safety: the C function writes one pointer, which outlives the call; the C strings live for the call.
        let result = unsafe cgpiod_request_input(
            location.path, location.offset, GPIORequest.consumer, activeLow, bias.shimValue, &held)
        guard result == 0, let held = unsafe held else {
            throw LineError(requesting: name, at: location, errno: -result)
        }
        self.name = name
        unsafe line = held
    }

    deinit {
        // Safety: requested in `init`, and released here alone.
        unsafe cgpiod_release(line)
    }

    borrowing func get() throws(LineError) -> Bool {
        // Safety: the line is held as long as this value lives.
        let result = unsafe cgpiod_get(line)
        guard result >= 0 else { throw LineError(using: name, errno: -result) }
        return result == 1
    }

    borrowing func set(_ active: Bool) throws(LineError) {
        // Safety: the line is held as long as this value lives.
        let result = unsafe cgpiod_set(line, active)
        guard result >= 0 else { throw LineError(using: name, errno: -result) }
    }

    /// A duplicate of the line's descriptor, for registering with a reactor; it becomes readable when there is an edge.
    borrowing func edgeDescriptor() throws(LineError) -> Descriptor {
        // Safety: the line is held as long as this value lives.
        let number = unsafe cgpiod_edge_descriptor(line)
        guard number >= 0 else { throw LineError(using: name, errno: -number) }
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw LineError(using: name, errno: errno) }
        return Descriptor(adopting: copy)
    }

    /// Reads the queued edges into the front of the buffer, and returns their count.
    borrowing func readEdges(into buffer: inout [cgpiod_edge]) throws(LineError) -> Int {
        // Safety: the line is held as long as this value lives, and no more than the buffer's count is written.
        let result = unsafe buffer.withUnsafeMutableBufferPointer { edges in
            unsafe cgpiod_read_edges(line, edges.baseAddress, Int32(edges.count))
        }
        switch -result {
        case EAGAIN, EINTR: return 0
        case let failure where failure > 0: throw LineError(using: name, errno: failure)
        default: return Int(result)
        }
    }
}

extension LineBias {
    fileprivate var shimValue: cgpiod_bias {
        switch self {
        case .asIs: cgpiod_bias_as_is
        case .disabled: cgpiod_bias_disabled
        case .pullUp: cgpiod_bias_pull_up
        case .pullDown: cgpiod_bias_pull_down
        }
    }
}

extension LineError {
    /// Makes the error for an errno from requesting a line; a busy line's error names its holder.
    init(requesting name: String, at location: GPIOLocation, errno: Int32) {
        switch errno {
        case EBUSY:
            let line = (try? GPIOChip(path: location.path))?.line(at: location.offset)
            self.init(.busy(consumer: line?.consumer), line: name, errno: errno)
        case EACCES, EPERM:
            self.init(.permissionDenied, line: name, errno: errno, cause: DeviceAdmission.mend(for: location.path))
        default: self.init(using: name, errno: errno)
        }
    }

    init(using name: String, errno: Int32) {
        switch errno {
        case ENODEV, ENXIO, ESHUTDOWN, ENOENT: self.init(.lost, line: name, errno: errno)
        default: self.init(.other, line: name, errno: errno, cause: LineError.cause(errno))
        }
    }

    private static func cause(_ errno: Int32) -> String {
        let mend =
            switch errno {
            case EINVAL, EOPNOTSUPP: "; its chip cannot do what is asked of it (edges, a pull resistor): choose another"
            case EIO, ETIMEDOUT: "; the chip does not answer: check its wiring"
            case EMFILE, ENFILE: "; too many open files: raise LimitNOFILE"
            default: ""
            }
        return SystemError.text(of: errno) + mend
    }
}
