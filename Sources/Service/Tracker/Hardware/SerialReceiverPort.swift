internal import LinuxHardware
internal import Receivers
internal import SextantReactor

/// A serial device on a reactor, with a queue of the bytes that the device has not accepted yet.
final class SerialReceiverPort: ReceiverPort {
    private let port: SerialPort
    private let reactor: Reactor
    private var registration: Registration?
    private var queue = OutputQueue(capacity: SerialReceiverPort.outputCapacity)
    private var isResting = false
    private var readable: () -> Void = {}

    /// The largest number of bytes that can wait to be sent: what 9600 baud carry in a minute, far more than any
    /// configuration or aiding data.
    private static let outputCapacity = 65_536

    init(_ port: SerialPort, reactor: Reactor) {
        self.port = port
        self.reactor = reactor
    }

    deinit { close() }

    var link: ReceiverLink { port.isPseudoTerminal ? .terminal : port.isReceiversUSB ? .usb : .uart }

    func start(_ readable: @escaping () -> Void) throws(HardwareFailure) {
        self.readable = readable
        do {
            registration = try reactor.register(port.descriptor, for: [.read, .urgent]) { [unowned self] in handle($0) }
        } catch {
            throw failure(error)
        }
    }

    private func handle(_ readiness: Readiness) {
        if readiness.contains(.writable) { flush() }
        if !readiness.isDisjoint(with: [.readable, .hungUp, .failed]) { readable() }
    }

    func close() {
        if let registration { reactor.remove(registration) }
        registration = nil
    }

    // MARK: Input

    func read(into buffer: inout [UInt8]) -> Transfer { port.read(into: &buffer) }

    func discardInput() { port.discardInput() }

    func rest() {
        isResting = true
        // An error is ignored, because removing the port from the reactor's set cannot fail; the port stays in the set
        // while bytes wait to be sent.
        try? arm()
    }

    func listen() throws(HardwareFailure) {
        isResting = false
        try arm()
    }

    private func arm() throws(HardwareFailure) {
        guard let registration else { return }
        var interest: Interest = isResting ? [] : .read
        if !queue.isEmpty { interest.insert(.write) }
        do {
            try reactor.arm(registration, for: interest)
        } catch {
            throw failure(error)
        }
    }

    // MARK: Output

    func write(_ bytes: borrowing Span<UInt8>) throws(HardwareFailure) {
        guard bytes.count <= queue.room else {
            throw HardwareFailure(
                "\(port.path): \(queue.count) bytes wait for the line, which accepts none; "
                    + "is the port's driver or adapter stuck? The new bytes are not sent")
        }
        var taken = 0
        if queue.isEmpty, case .bytes(let count) = port.write(bytes) { taken = count }
        guard taken < bytes.count else { return }
        _ = queue.append(bytes.extracting(taken...))
        try arm()
    }

    private func flush() {
        // A failure to write is ignored here: if the device is gone, the next read finds out.
        if case .bytes(let count) = queue.withWaiting({ port.write($0) }) { queue.drop(count) }
        if queue.isEmpty { try? arm() }
    }

    var unsentByteCount: Int { queue.count + port.unsentByteCount }

    // MARK: The line

    func setBaud(_ baud: Int) throws(HardwareFailure) {
        do throws(SerialPortError) { try port.setBaud(baud) } catch { throw HardwareFailure(error) }
    }

    func holdTransmitterLow(_ isLow: Bool) throws(HardwareFailure) {
        do throws(SerialPortError) { try port.holdTransmitterLow(isLow) } catch { throw HardwareFailure(error) }
    }

    private func failure(_ error: SystemError) -> HardwareFailure { HardwareFailure("\(port.path): \(error)") }
}
