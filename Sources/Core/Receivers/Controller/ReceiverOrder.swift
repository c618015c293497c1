/// An action for the controller's caller; the actions of a list are carried out in order.
public enum ReceiverOrder: Equatable, Sendable {
    case port(PortOrder)
    /// Set an output line of the board; true is the state in which the receiver is supplied, or awake.
    case setLine(LineRole, Bool)
    case report(ReceiverReport)
}

extension [ReceiverOrder] {
    mutating func report(_ report: ReceiverReport) { append(.report(report)) }

    mutating func transmit(_ bytes: [UInt8]) {
        if !bytes.isEmpty { append(.port(.transmit(bytes))) }
    }
}
