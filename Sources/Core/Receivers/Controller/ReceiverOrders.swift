/// An action that the controller wants done; actions are done in the order of the list.
public enum ReceiverOrder: Equatable, Sendable {
    /// Write these bytes of `ReceiverOrders.bytes` to the receiver.
    case write(Range<Int>)
    /// Set an output line of the board; true is the state in which the receiver is supplied, or awake.
    case setLine(LineRole, Bool)
    /// Set the port to this rate, in bits per second, after the bytes written before have left it.
    case setBaud(Int)
    /// Let the host's transmitter pin carry no voltage (true), or transmit again (false).
    ///
    /// An unsupplied receiver must not be driven: current leaks through its protection diodes.
    case holdTransmitterLow(Bool)
    case report(ReceiverReport)
}

/// The orders of one call and their bytes, in a buffer that is reused.
public struct ReceiverOrders: Sendable {
    public private(set) var orders: [ReceiverOrder] = []
    public private(set) var bytes: [UInt8] = []

    public init() {}

    public var isEmpty: Bool { orders.isEmpty }

    public mutating func removeAll() {
        orders.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    mutating func append(_ order: ReceiverOrder) { orders.append(order) }

    mutating func report(_ report: ReceiverReport) { orders.append(.report(report)) }

    /// Orders the bytes that `body` appends to be written to the receiver.
    mutating func write(_ body: (inout [UInt8]) -> Void) {
        let start = bytes.count
        body(&bytes)
        guard bytes.count > start else { return }
        orders.append(.write(start..<bytes.count))
    }

    mutating func write(_ content: [UInt8]) { write { $0.append(contentsOf: content) } }
}
