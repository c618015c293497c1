import CSextantLinux
import Glibc
public import SextantReactor

/// An open serial line in raw mode: 8 data bits, no parity, 1 stop bit, no flow control.
///
/// While the port is open, other programs cannot open the line (TIOCEXCL). Root's programs still can; an advisory lock
/// stops those of them that respect it. A class, because its read handler and its owner share it.
public final class SerialPort {
    public let path: String
    /// The line's descriptor, for registering with a reactor.
    public let descriptor: Descriptor
    /// Whether the line is a pseudoterminal, whose rate is stored but has no effect.
    public let isPseudoTerminal: Bool
    /// Whether the line is a u-blox receiver's own USB port instead of a UART.
    public let isReceiversUSB: Bool
    /// Whether the transmitter is held low instead of idling high; see `holdTransmitterLow`.
    public private(set) var isTransmitterLow = false

    /// Opens a tty at a rate in bit/s.
    public init(path: String, baud: Int) throws(SerialPortError) {
        let rate = try SerialPort.rate(baud, path: path)
        let device = try SerialPort.device(at: path)
        let descriptor = try SerialPort.open(path, device: device)
        try SerialPort.lock(descriptor, path: path, device: device)

        self.path = path
        self.descriptor = descriptor
        isPseudoTerminal = (136...143).contains(clinux_device_major(device))
        isReceiversUSB = SerialPort.isReceiversUSB(device)
        // On a pseudoterminal, TIOCEXCL would stay set after its owner was killed, as long as the master side is open.
        if !isPseudoTerminal { _ = self.descriptor.withRawValue { clinux_terminal_set_exclusive($0, true) } }
        try check(self.descriptor.withRawValue { clinux_terminal_make_raw($0, rate) }, rate: baud)
        try confirmRate(baud)
    }

    deinit {
        guard !isPseudoTerminal else { return }
        _ = descriptor.withRawValue { clinux_terminal_set_exclusive($0, false) }
    }

    /// The line's present rate in bit/s, as the kernel reports it.
    public var baud: Int {
        var rate: UInt32 = 0
        // Safety: the C function writes one UInt32, which outlives the call.
        _ = descriptor.withRawValue { unsafe clinux_terminal_rate($0, &rate) }
        return Int(rate)
    }

    /// Changes the rate at once; bytes not yet sent (`unsentByteCount`) go out at the new rate.
    public func setBaud(_ baud: Int) throws(SerialPortError) {
        let rate = try SerialPort.rate(baud, path: path)
        try check(descriptor.withRawValue { clinux_terminal_set_rate($0, rate) }, rate: baud)
        try confirmRate(baud)
        // Setting a rate ends a break, since drivers write their whole line control register; the break is begun again.
        if isTransmitterLow { try holdTransmitterLow(true) }
    }

    /// Drives the transmitter low (a break) while the receiver has no supply, or lets it idle high again.
    ///
    /// An idle UART drives its line high, and that would feed an unsupplied receiver through its input's protection
    /// diode. End the break before writing: bytes sent during a break are lost. The kernel ends the break when the port
    /// closes. A pseudoterminal has no such line.
    public func holdTransmitterLow(_ low: Bool) throws(SerialPortError) {
        let result = descriptor.withRawValue { clinux_terminal_set_break($0, low) }
        guard result == 0 else { throw .other(path: path, errno: -result) }
        isTransmitterLow = low
    }

    /// Reads once into the front of the caller's buffer.
    public func read(into buffer: inout [UInt8]) -> Transfer {
        descriptor.read(into: &buffer)
    }

    /// Writes once; bytes that the kernel did not take stay with the caller, which must write them again.
    public func write(_ bytes: borrowing Span<UInt8>) -> Transfer {
        descriptor.write(bytes)
    }

    /// Discards bytes that have arrived and were not read, as needed after a change of rate.
    public func discardInput() {
        _ = descriptor.withRawValue { clinux_terminal_discard_input($0) }
    }

    /// The number of written bytes that the line has not sent yet.
    public var unsentByteCount: Int {
        Int(max(0, descriptor.withRawValue { clinux_terminal_unsent($0) }))
    }

    private func check(_ result: Int32, rate: Int) throws(SerialPortError) {
        guard result < 0 else { return }
        throw result == -EINVAL ? .unsupportedRate(path: path, rate: rate) : .other(path: path, errno: -result)
    }

    /// Checks the rate that the driver has set, which can be only the nearest possible rate; a UART misreads if the
    /// rate is off by over 3 %.
    private func confirmRate(_ wanted: Int) throws(SerialPortError) {
        guard !isPseudoTerminal else { return }
        guard abs(baud - wanted) * 100 <= wanted * 3 else { throw .unsupportedRate(path: path, rate: wanted) }
    }
}

extension SerialPort {
    /// Whether a serial device belongs to a USB receiver by u-blox.
    ///
    /// The vendor and product ids are also in `udev/60-sextant.rules`; u-blox's modems have other product ids.
    ///
    /// The ids are looked up where a CDC ACM serial device has them, which is a child of the USB interface. The serial
    /// device of a USB bridge is a child of a port below the interface, so no vendor id is found for it.
    static func isReceiversUSB(_ device: dev_t, in devices: String = "/sys/dev/char") -> Bool {
        let number = "\(clinux_device_major(device)):\(clinux_device_minor(device))"
        func value(_ name: String) -> ArraySlice<UInt8> {
            (try? KernelFiles.contents(of: "\(devices)/\(number)/device/../\(name)")) ?? []
        }
        return value("idVendor").starts(with: "1546".utf8)
            && ["01a", "050"].contains { value("idProduct").starts(with: $0.utf8) }
    }

    private static func rate(_ baud: Int, path: String) throws(SerialPortError) -> UInt32 {
        guard (50...4_000_000).contains(baud) else { throw .unsupportedRate(path: path, rate: baud) }
        return UInt32(baud)
    }

    /// The device number of a path, found without opening it: opening the wrong kind of file can have effects.
    private static func device(at path: String) throws(SerialPortError) -> dev_t {
        let status: FileStatus
        do { status = try FileStatus(path: path) } catch { throw SerialPortError(opening: path, errno: error.errno) }
        switch status.kind {
        case .folder: throw .isFolder(path: path)
        case .characterDevice: return status.device
        case .other: throw .notATerminal(path: path)
        }
    }

    private static func open(_ path: String, device: dev_t) throws(SerialPortError) -> Descriptor {
        let descriptor: Descriptor
        do {
            descriptor = try Descriptor(opening: path, flags: O_RDWR | O_NOCTTY | O_NONBLOCK)
        } catch {
            guard error.errno != EBUSY else { throw .busy(path: path, holder: .holding(device)) }
            throw SerialPortError(opening: path, errno: error.errno)
        }
        var rate: UInt32 = 0
        // Safety: the C function writes one UInt32, which outlives the call.
        let result = descriptor.withRawValue { unsafe clinux_terminal_rate($0, &rate) }
        guard result == 0 else {
            throw result == -ENOTTY ? .notATerminal(path: path) : .other(path: path, errno: -result)
        }
        return descriptor
    }

    private static func lock(
        _ descriptor: borrowing Descriptor, path: String, device: dev_t
    ) throws(SerialPortError) {
        try descriptor.withRawValue { number throws(SerialPortError) in
            guard flock(number, LOCK_EX | LOCK_NB) != 0 else { return }
            let failure = errno
            guard failure == EWOULDBLOCK else { throw .other(path: path, errno: failure) }
            throw .busy(path: path, holder: .holding(device, exceptNumber: number))
        }
    }
}
