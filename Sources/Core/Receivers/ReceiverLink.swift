/// The kind of port through which a host reaches a receiver.
public enum ReceiverLink: UInt8, Sendable, CaseIterable {
    /// A pseudo-terminal, which has no baud rate, with a program at its other end.
    case terminal = 0
    /// The receiver's UART, connected to the host's own UART or to a bridge.
    case uart = 1
    /// The receiver's own USB port, which has no rate.
    ///
    /// This port has its own protocols and reports, and disappears in backup mode: then nothing that the host sends
    /// wakes the receiver (UBX-13003221, RXM-PMREQ, `force`). While a host is attached the receiver cannot enter its
    /// lowest power states (NEO-M9N integration manual, UBX-19014286).
    case usb = 2

    public var hasRate: Bool { self == .uart }
}
