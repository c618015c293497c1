internal import Glibc
internal import Receivers
internal import SextantReactor
internal import Tracker

/// The daemon's end of the receiver's serial port; the harness has the other end, through the control socket.
///
/// The receiver's bytes pass through a socket pair of the kernel, so that the daemon wakes, pauses and reads as with a
/// serial device.
final class BenchPort: ReceiverPort {
    private let reactor: Reactor
    private let daemonEnd: Descriptor
    private var receiverEnd: Descriptor?
    private var registration: Registration?
    private let report: (BenchReport) -> Void

    init(reactor: Reactor, report: @escaping (BenchReport) -> Void) throws(HardwareFailure) {
        self.reactor = reactor
        self.report = report
        var ends: [Int32] = [-1, -1]
        // Safety: the kernel writes the two numbers, which outlive the call.
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw HardwareFailure("socketpair: \(SystemError.text(of: errno))")
        }
        daemonEnd = Descriptor(adopting: ends[0])
        receiverEnd = Descriptor(adopting: ends[1])
    }

    deinit { close() }

    /// Sends bytes to the daemon in the receiver's place; bytes for which the kernel's buffer has no room are lost.
    func feed(_ bytes: [UInt8]) { _ = receiverEnd?.write(bytes.span) }

    /// Disconnects the receiver and discards the bytes that the daemon has not read.
    func unplug() {
        discardInput()
        receiverEnd = nil
    }

    let link = ReceiverLink.uart
    let unsentByteCount = 0

    func start(_ readable: @escaping () -> Void) throws(HardwareFailure) {
        do {
            registration = try reactor.register(daemonEnd, for: .read) { _ in readable() }
        } catch {
            throw HardwareFailure("\(error)")
        }
    }

    func read(into buffer: inout [UInt8]) -> Transfer { daemonEnd.read(into: &buffer) }

    func write(_ bytes: borrowing Span<UInt8>) {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        for index in bytes.indices { copy.append(bytes[index]) }
        report(.uart(copy))
    }

    func setBaud(_ baud: Int) { report(.setBaud(baud)) }

    func discardInput() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case .bytes = daemonEnd.read(into: &buffer) {}
    }

    func holdTransmitterLow(_ isLow: Bool) { report(.transmitterLow(isLow)) }

    func rest() {
        if let registration { reactor.rest(registration) }
    }

    func listen() throws(HardwareFailure) {
        guard let registration else { return }
        do {
            try reactor.arm(registration, for: .read)
        } catch {
            throw HardwareFailure("\(error)")
        }
    }

    func close() {
        if let registration { reactor.remove(registration) }
        registration = nil
    }
}
