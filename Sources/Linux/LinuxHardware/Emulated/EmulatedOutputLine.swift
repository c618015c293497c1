internal import CSextantLinux
import Glibc
public import Hardware
import SextantReactor

/// An output line of an emulated board; it stands in for a GPIO output, so that a daemon can be tried on any machine.
///
/// Levels are logical, so an active-low line behaves like an active-high one. The emulator has the new level when `set`
/// returns, and keeps the level after this value is gone, like a chip that keeps its outputs.
public struct EmulatedOutputLine: ~Copyable, OutputLine {
    private let address: EmulatedLineName
    private let descriptor: Descriptor
    public private(set) var isActive: Bool

    /// Connects to the emulator and sets the line's first level.
    public init(_ name: EmulatedLineName, active: Bool) throws(LineError) {
        guard EmulatedLineName.lines.contains(name.line) else {
            throw LineError(
                .notFound(nearest: EmulatedLineName.lines.map { "unix:\(name.path)#\($0)" }), line: name.name)
        }
        let descriptor = try EmulatedOutputLine.connect(to: name)
        try EmulatedOutputLine.send(active, over: descriptor, to: name)
        self.descriptor = descriptor
        address = name
        isActive = active
    }

    private static func connect(to name: EmulatedLineName) throws(LineError) -> Descriptor {
        let result = clinux_unix_socket(true)
        guard result >= 0 else { throw absent(name, errno: -result) }
        let descriptor = Descriptor(adopting: result)
        // Safety: the C string lives for the call.
        let connected = descriptor.withRawValue { unsafe clinux_unix_connect($0, name.path) }
        guard connected >= 0 else { throw absent(name, errno: -connected) }
        return descriptor
    }

    public var name: String { address.name }

    public mutating func set(active: Bool) throws(LineError) {
        try EmulatedOutputLine.send(active, over: descriptor, to: address)
        isActive = active
    }

    /// Sends a level as one line of text of some tens of bytes, which a socket takes whole or not at all.
    private static func send(
        _ active: Bool, over descriptor: borrowing Descriptor, to name: EmulatedLineName
    ) throws(LineError) {
        let bytes = Array("\(name.line) \(active ? 1 : 0)\n".utf8)
        let result = descriptor.withRawValue { number in
            // Safety: the array outlives the call, and the kernel reads no more than its count.
            unsafe bytes.withUnsafeBytes { unsafe clinux_send(number, $0.baseAddress, $0.count) }
        }
        guard result == bytes.count else { throw absent(name, errno: result < 0 ? Int32(-result) : EAGAIN) }
    }

    private static func absent(_ name: EmulatedLineName, errno: Int32) -> LineError {
        LineError(
            .other, line: name.name, errno: errno,
            cause: "no emulated receiver has its lines there (\(SystemError.text(of: errno))); start "
                + "sextant emulate receiver --model MODEL --lines \(name.path)")
    }
}
