/// What a host talks to a receiver through.
public enum ReceiverLink: UInt8, Sendable, CaseIterable {
    /// A pseudo-terminal, with a program at its other end: a rate means nothing.
    case terminal = 0
    /// The receiver's UART, at the host's own or at a bridge.
    case uart = 1
    /// The receiver's own USB, which has no rate.
    ///
    /// It is a port of its own to the receiver, with its own protocols and reports, and one that goes away in backup
    /// mode: then nothing that a host can send wakes the receiver (UBX-13003221, RXM-PMREQ, `force`). While a host is
    /// attached its lowest states are not to be had (NEO-M9N integration manual, UBX-19014286).
    case usb = 2

    public var hasRate: Bool { self == .uart }
}
