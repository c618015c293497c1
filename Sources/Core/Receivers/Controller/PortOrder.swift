/// An order for the port of a receiver; orders are carried out one after the other.
public enum PortOrder: Equatable, Sendable {
    /// Write these bytes to the receiver.
    case transmit([UInt8])
    /// Set the port to this rate, in bits per second, once all earlier bytes have been sent, and discard bytes received
    /// at the old rate.
    case setBaud(Int)
    /// With true, hold the host's transmitter pin low, without voltage, once all earlier bytes have been sent; with
    /// false, let the pin transmit again.
    ///
    /// The pins of a receiver without supply must not be driven: current leaks through its protection diodes.
    case holdTransmitterLow(Bool)
}
