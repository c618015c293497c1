import CLinux
import Glibc
public import Reactor

/// An open serial line: raw, 8 data bits, no parity, 1 stop bit, no flow control.
///
/// It is held against other programs (TIOCEXCL), and against root's too by an advisory lock, until it goes out of
/// scope. A class, because its read handler and its supervisor share it.
public final class SerialPort {
    public let path: String
    /// For registering with a reactor.
    public let descriptor: Descriptor
    /// A pseudoterminal has no line: its rate is kept but means nothing.
    public let isPseudoTerminal: Bool
    /// Whether it is a u-blox receiver's own USB, and no UART.
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
        // On a pseudoterminal the mark would outlive a killed owner for as long as the master is open.
        if !isPseudoTerminal { _ = self.descriptor.withRawValue { clinux_terminal_set_exclusive($0, true) } }
        try check(self.descriptor.withRawValue { clinux_terminal_make_raw($0, rate) }, rate: baud)
        try confirmRate(baud)
    }

    deinit {
        guard !isPseudoTerminal else { return }
        _ = descriptor.withRawValue { clinux_terminal_set_exclusive($0, false) }
    }

    /// The line's rate, bit/s, as the kernel has it.
    public var baud: Int {
        var rate: UInt32 = 0
        // Safety: the C function writes one UInt32, which outlives the call.
        _ = descriptor.withRawValue { unsafe clinux_terminal_rate($0, &rate) }
        return Int(rate)
    }

    /// Changes the rate at once; bytes not yet sent (`unsentByteCount`) go out at the new one.
    public func setBaud(_ baud: Int) throws(SerialPortError) {
        let rate = try SerialPort.rate(baud, path: path)
        try check(descriptor.withRawValue { clinux_terminal_set_rate($0, rate) }, rate: baud)
        try confirmRate(baud)
        // Drivers write their whole line control register with a rate, and the break is a bit of it.
        if isTransmitterLow { try holdTransmitterLow(true) }
    }

    /// Drives the transmitter low (a break) while the receiver has no supply, or lets it idle high again.
    ///
    /// An idle UART drives its line high, and that would feed an unsupplied receiver through its input's protection
    /// diode. Let go before the first byte is written: what is sent during a break is lost. The kernel ends the break
    /// when the port closes. A pseudoterminal has no line to hold.
    public func holdTransmitterLow(_ low: Bool) throws(SerialPortError) {
        let result = descriptor.withRawValue { clinux_terminal_set_break($0, low) }
        guard result == 0 else { throw .other(path: path, errno: -result) }
        isTransmitterLow = low
    }

    /// Reads once into the front of the caller's buffer.
    public func read(into buffer: inout [UInt8]) -> Transfer {
        descriptor.read(into: &buffer)
    }

    /// Writes once; the caller keeps what the kernel did not take.
    public func write(_ bytes: borrowing Span<UInt8>) -> Transfer {
        descriptor.write(bytes)
    }

    /// Throws away what has arrived and was not read, as after a change of rate.
    public func discardInput() {
        _ = descriptor.withRawValue { clinux_terminal_discard_input($0) }
    }

    /// Bytes written that the line has not sent yet.
    public var unsentByteCount: Int {
        Int(max(0, descriptor.withRawValue { clinux_terminal_unsent($0) }))
    }

    private func check(_ result: Int32, rate: Int) throws(SerialPortError) {
        guard result < 0 else { return }
        throw result == -EINVAL ? .unsupportedRate(path: path, rate: rate) : .other(path: path, errno: -result)
    }

    /// A driver that cannot make a rate sets the nearest it can; past 3 % a UART misreads.
    private func confirmRate(_ wanted: Int) throws(SerialPortError) {
        guard !isPseudoTerminal else { return }
        guard abs(baud - wanted) * 100 <= wanted * 3 else { throw .unsupportedRate(path: path, rate: wanted) }
    }
}

extension SerialPort {
    /// Whether the USB device that a serial device belongs to is one of u-blox's receivers, whose numbers
    /// `udev/60-sextant.rules` has too; u-blox's modems have other products.
    ///
    /// A serial device of CDC ACM is a child of the USB interface; one of a bridge's is a port of that, and its
    /// interface has no vendor.
    static func isReceiversUSB(_ device: dev_t, in devices: String = "/sys/dev/char") -> Bool {
        let number = "\(clinux_device_major(device)):\(clinux_device_minor(device))"
        func value(_ name: String) -> ArraySlice<UInt8> {
            (try? DirectoryListing.contents(of: "\(devices)/\(number)/device/../\(name)")) ?? []
        }
        return value("idVendor").starts(with: "1546".utf8)
            && ["01a", "050"].contains { value("idProduct").starts(with: $0.utf8) }
    }

    private static func rate(_ baud: Int, path: String) throws(SerialPortError) -> UInt32 {
        guard (50...4_000_000).contains(baud) else { throw .unsupportedRate(path: path, rate: baud) }
        return UInt32(baud)
    }

    /// The device number behind a path, before it is opened: opening the wrong kind of file can have effects.
    private static func device(at path: String) throws(SerialPortError) -> dev_t {
        let status: FileStatus
        do { status = try FileStatus(path: path) } catch { throw SerialPortError(opening: path, errno: error.errno) }
        switch status.kind {
        case .directory: throw .isDirectory(path: path)
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
