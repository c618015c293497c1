internal import Receivers
internal import SextantUnits

/// Carries out the orders of the Engine (the daemon's logic) for the receiver's port, and keeps those that must wait.
///
/// A change of the baud rate, or an order to hold the transmit line low, waits until all bytes that were written before
/// have left the UART; later orders wait behind it. The baud rate tells how long that takes, so the daemon wakes once
/// at the end, without repeated checks. Without a rate (on a pseudo-terminal) only the port's own queue must be empty.
struct PortOrders {
    private let device: String
    private var baud: Int
    private var waiting: [PortOrder] = []
    /// When the last written byte will have left the UART, computed from the baud rate; nil if no byte was written at
    /// this rate.
    private var busyUntil: MonotonicInstant?
    /// The number of bytes that were unsent at the last check, and the number of checks in a row in which this number
    /// did not fall.
    private var unsentBefore = Int.max
    private var stalls = 0
    /// The instant at which `carryOn` must be called to carry out the waiting orders; nil while no order waits.
    private(set) var wake: MonotonicInstant?
    /// Called if the port does not support a baud rate, or cannot hold its transmit line low; the port continues
    /// without it.
    private let refused: (HardwareFailure) -> Void

    /// The largest number of orders that can wait, and of bytes in them; any configuration or aiding data need less.
    static let maximumOrders = 256
    static let maximumBytes = 65_536
    /// The number of checks in a row in which no byte was sent, after which the serial line counts as stuck.
    private static let maximumStalls = 3
    /// The number of bits that a byte takes on the serial line: a start bit, 8 data bits and a stop bit.
    private static let bitsPerByte: Int64 = 10

    /// Makes an empty queue of orders for a port that is open at this baud rate.
    init(device: String, baud: Int, refused: @escaping (HardwareFailure) -> Void) {
        self.device = device
        self.baud = baud
        self.refused = refused
    }

    /// Whether a change of the baud rate waits, so that bytes from the receiver must be thrown away until it is made.
    var changesRate: Bool { waiting.contains { if case .setBaud = $0 { true } else { false } } }

    /// Carries an order out, or keeps it as long as it must wait.
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

    /// Carries out the waiting orders that need not wait any longer.
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

    /// The next instant at which to check whether all written bytes are sent; nil if they are sent already.
    private mutating func quietInstant(
        of port: any ReceiverPort, at instant: MonotonicInstant
    ) throws(HardwareFailure) -> MonotonicInstant? {
        // The kernel's count of unsent bytes does not include those in the UART's own buffer; the time computed from
        // the baud rate includes them.
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

    /// The time in nanoseconds that this many bytes take on the serial line.
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

    /// Whether the order must wait until all written bytes are sent.
    ///
    /// Releasing the transmit line need not wait, since that damages no byte.
    fileprivate var needsQuietLine: Bool {
        switch self {
        case .setBaud, .holdTransmitterLow(true): true
        case .transmit, .holdTransmitterLow(false): false
        }
    }
}
