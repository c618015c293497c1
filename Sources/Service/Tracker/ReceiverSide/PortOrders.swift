internal import Receivers
internal import SextantUnits

/// Carries out the Engine's orders for the receiver's port, and keeps those that must wait.
///
/// A change of the baud rate, or an order to hold the transmitter low, waits until all bytes that were written before
/// have left the line; later orders wait behind it. The rate tells how long that takes, so the daemon wakes once at the
/// end, without repeated checks. Without a rate (on a pseudo-terminal) only the port's own queue must be empty.
struct PortOrders {
    private let device: String
    private var baud: Int
    private var waiting: [PortOrder] = []
    /// When the last written byte has left the line, computed from the rate; nil if no byte was written at this rate.
    private var busyUntil: MonotonicInstant?
    /// The number of bytes that had not left the port at the last check, and how many checks in a row saw no progress.
    private var unsentBefore = Int.max
    private var stalls = 0
    /// The instant at which `carryOn` must be called; nil while no order waits.
    private(set) var wake: MonotonicInstant?
    /// Called if the port does not support a rate, or cannot hold its transmitter low; the port continues without it.
    private let refused: (HardwareFailure) -> Void

    /// The largest number of orders that can wait, and of bytes in them: more than any configuration or aiding data
    /// needs.
    static let maximumOrders = 256
    static let maximumBytes = 65_536
    /// The number of checks in a row without progress after which the line counts as stuck.
    private static let maximumStalls = 3
    /// Bits on the line for each byte: a start bit, 8 data bits and a stop bit.
    private static let bitsPerByte: Int64 = 10

    /// Makes the orders for a port that is open at this rate.
    init(device: String, baud: Int, refused: @escaping (HardwareFailure) -> Void) {
        self.device = device
        self.baud = baud
        self.refused = refused
    }

    /// Whether a change of rate waits, so that bytes from the receiver must be thrown away until it is made.
    var changesRate: Bool { waiting.contains { if case .setBaud = $0 { true } else { false } } }

    /// Carries an order out, or makes it wait for its turn.
    ///
    /// After an error the port must not be used any more.
    mutating func give(
        _ order: PortOrder, to port: any ReceiverPort, at instant: MonotonicInstant
    ) throws(HardwareFailure) {
        let bytes = waiting.reduce(order.byteCount) { $0 + $1.byteCount }
        guard waiting.count < PortOrders.maximumOrders, bytes <= PortOrders.maximumBytes else { throw stuck }
        waiting.append(order)
        try carryOn(with: port, at: instant)
    }

    /// Carries out the waiting orders whose time has come.
    mutating func carryOn(with port: any ReceiverPort, at instant: MonotonicInstant) throws(HardwareFailure) {
        if let wake, wake > instant { return }
        wake = nil
        while let order = waiting.first {
            if order.needsQuietLine, let quiet = try quietInstant(of: port, at: instant) {
                wake = quiet
                return
            }
            waiting.removeFirst()
            try carryOut(order, on: port, at: instant)
        }
    }

    private mutating func carryOut(
        _ order: PortOrder, on port: any ReceiverPort, at instant: MonotonicInstant
    ) throws(HardwareFailure) {
        switch order {
        case .transmit(let bytes):
            try port.write(bytes.span)
            let start = busyUntil.map { max($0, instant) } ?? instant
            busyUntil = start.advanced(byNanoseconds: lineTime(of: bytes.count))
        case .setBaud(let rate):
            do throws(HardwareFailure) {
                try port.setBaud(rate)
                baud = rate
            } catch {
                refused(error)
            }
            port.discardInput()
            forgetLine()
        case .holdTransmitterLow(let isLow):
            do throws(HardwareFailure) { try port.holdTransmitterLow(isLow) } catch { refused(error) }
            forgetLine()
        }
    }

    private mutating func forgetLine() {
        busyUntil = nil
        unsentBefore = .max
        stalls = 0
    }

    /// The next instant at which to check whether the line is quiet; nil if it is quiet now.
    private mutating func quietInstant(
        of port: any ReceiverPort, at instant: MonotonicInstant
    ) throws(HardwareFailure) -> MonotonicInstant? {
        // The kernel's count does not include the bytes in the UART's own buffer; the time computed from the rate does.
        if port.link.hasRate, let quiet = busyUntil?.advanced(byNanoseconds: lineTime(of: 1)), quiet > instant {
            return quiet
        }
        let unsent = port.unsentByteCount
        guard unsent > 0 else { return nil }
        stalls = unsent < unsentBefore ? 0 : stalls + 1
        unsentBefore = unsent
        guard stalls < PortOrders.maximumStalls else { throw stuck }
        return instant.advanced(byNanoseconds: lineTime(of: unsent + 1))
    }

    /// The time in nanoseconds that this many bytes take on the line.
    private func lineTime(of byteCount: Int) -> Int64 {
        Int64(byteCount) * PortOrders.bitsPerByte * 1_000_000_000 / Int64(max(baud, 1)) + 1
    }

    private var stuck: HardwareFailure {
        HardwareFailure(
            "\(device): the line accepts no bytes for the receiver; is the port's driver or adapter "
                + "stuck? The port is opened again")
    }
}

extension PortOrder {
    fileprivate var byteCount: Int {
        switch self {
        case .transmit(let bytes): bytes.count
        case .setBaud, .holdTransmitterLow: 0
        }
    }

    /// Whether the order must wait for a quiet line; releasing the transmitter need not wait, since it damages no byte
    /// that is being sent.
    fileprivate var needsQuietLine: Bool {
        switch self {
        case .setBaud, .holdTransmitterLow(true): true
        case .transmit, .holdTransmitterLow(false): false
        }
    }
}
