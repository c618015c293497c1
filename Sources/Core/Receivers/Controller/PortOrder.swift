/// An order for the port of a receiver; orders are carried out one after the other.
public enum PortOrder: Equatable, Sendable {
    /// Write these bytes to the receiver.
    case transmit([UInt8])
    /// Set the port to this rate, in bits per second, after the bytes written before have left it, and discard bytes
    /// received at the old rate.
    case setBaud(Int)
    /// Hold the host's transmitter pin low, without voltage, after the bytes written before have left it (true), or let
    /// the pin transmit again (false).
    ///
    /// An unsupplied receiver must not be driven: current leaks through its protection diodes.
    case holdTransmitterLow(Bool)
}
