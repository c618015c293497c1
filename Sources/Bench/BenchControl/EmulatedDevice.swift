public import Receivers
public import SextantUnits

/// An emulated receiver, connected to the daemon's port and lines, in virtual time.
///
/// It uses the daemon's clock for all instants. It is always advanced to an instant before it is told of an event at
/// that instant.
public protocol EmulatedDevice {
    /// The next instant at which the device does something by itself; nil for never.
    ///
    /// After `advance(to:)` this is later than the given instant; after any other call it can equal the present
    /// instant.
    var nextEvent: MonotonicInstant? { get }

    /// Advances to an instant and passes the bytes that the device sends on the way to `emit`, each time with their
    /// instant.
    mutating func advance(to instant: MonotonicInstant, emit: (borrowing Span<UInt8>, MonotonicInstant) -> Void)

    /// Takes bytes that the daemon wrote to the device.
    mutating func receive(_ bytes: borrowing Span<UInt8>, at instant: MonotonicInstant)

    /// Takes the level that the daemon has set on a line.
    mutating func setLine(_ role: LineRole, _ level: Bool, at instant: MonotonicInstant)

    /// Takes the rate in bit/s at which the daemon opens its port or to which it changes; a device garbles bytes at
    /// other rates.
    mutating func setBaud(_ baud: Int, at instant: MonotonicInstant)

    /// Takes the state of the daemon's transmitter, which is the receiver's input: held low or released.
    mutating func setInputLow(_ isLow: Bool, at instant: MonotonicInstant)
}

extension EmulatedDevice {
    /// Ignores the rate; for a device that has no baud rate.
    public mutating func setBaud(_ baud: Int, at instant: MonotonicInstant) {}

    /// Ignores the level of its input, for a device that an input cannot feed while its supply is off.
    public mutating func setInputLow(_ isLow: Bool, at instant: MonotonicInstant) {}
}
