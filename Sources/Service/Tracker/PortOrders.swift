internal import Receivers
internal import Units

/// The Engine's orders for the receiver's port, and which of them still wait for their turn.
///
/// A change of rate, and a transmitter that is to go low, wait until all bytes written before have left the line; later
/// orders wait behind them. How long that takes is known from the rate, so the wait is one instant, not a
/// look every so often. Without a rate (a pseudo-terminal) there is nothing to wait for but the port's own queue.
struct PortOrders {
    enum Order: Sendable, Equatable {
        case transmit([UInt8])
        case setBaud(Int)
        case holdTransmitterLow(Bool)
    }

    private let device: String
    private var baud: Int
    private var waiting: [Order] = []
    /// When the last byte that was written has left, by the rate; nil where nothing was written at it.
    private var busyUntil: MonotonicInstant?
    /// How many bytes the line had not taken when it was looked at last, and how often in a row it had taken none.
    private var unsentBefore = Int.max
    private var stalls = 0
    /// When `carryOn` is wanted; nil while nothing waits.
    private(set) var wake: MonotonicInstant?
    /// Is told of a rate that the port does not have, or a transmitter that cannot be held: the port goes on without.
    private let refused: (HardwareFailure) -> Void

    /// Orders that may wait, and bytes in them: more than any configuration or aiding of a receiver.
    static let maximumOrders = 256
    static let maximumBytes = 65_536
    /// Looks in a row at which the line has taken nothing, after which it counts as stuck.
    private static let maximumStalls = 3
    /// A start bit, 8 data bits and a stop bit.
    private static let bitsPerByte: Int64 = 10

    /// Orders for a port that is open at a rate.
    init(device: String, baud: Int, refused: @escaping (HardwareFailure) -> Void) {
        self.device = device
        self.baud = baud
        self.refused = refused
    }

    /// Whether a change of rate waits: what the receiver sends meanwhile is to be forgotten.
    var changesRate: Bool { waiting.contains { if case .setBaud = $0 { true } else { false } } }

    /// Carries an order out, or lets it wait for its turn.
    ///
    /// On an error the port is of no use any more.
    mutating func give(
        _ order: Order, to port: any ReceiverPort, at instant: MonotonicInstant
    ) throws(HardwareFailure) {
        let bytes = waiting.reduce(order.byteCount) { $0 + $1.byteCount }
        guard waiting.count < PortOrders.maximumOrders, bytes <= PortOrders.maximumBytes else { throw stuck }
        waiting.append(order)
        try carryOn(with: port, at: instant)
    }

    /// Carries out what waits, as far as its time has come.
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
        _ order: Order, on port: any ReceiverPort, at instant: MonotonicInstant
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

    /// When to look again, where the line is not quiet yet.
    private mutating func quietInstant(
        of port: any ReceiverPort, at instant: MonotonicInstant
    ) throws(HardwareFailure) -> MonotonicInstant? {
        // The kernel's count leaves out what is in the UART's own buffer, which the rate does not.
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

    /// Nanoseconds that so many bytes are on the line.
    private func lineTime(of byteCount: Int) -> Int64 {
        Int64(byteCount) * PortOrders.bitsPerByte * 1_000_000_000 / Int64(max(baud, 1)) + 1
    }

    private var stuck: HardwareFailure {
        HardwareFailure(
            "\(device): the line does not take what is to be sent to the receiver; is the port's driver or adapter "
                + "stuck? It is opened anew")
    }
}

extension PortOrders.Order {
    fileprivate var byteCount: Int {
        switch self {
        case .transmit(let bytes): bytes.count
        case .setBaud, .holdTransmitterLow: 0
        }
    }

    /// Letting the transmitter go harms nothing that is under way.
    fileprivate var needsQuietLine: Bool {
        switch self {
        case .setBaud, .holdTransmitterLow(true): true
        case .transmit, .holdTransmitterLow(false): false
        }
    }
}
