public import Receivers
public import SextantUnits

/// An emulated receiver, connected to the daemon's serial port and GPIO lines, in virtual time.
///
/// All instants are of the daemon's clock. The harness first advances the device to an instant, and then tells it of
/// the events at that instant.
public protocol EmulatedDevice {
    /// The next instant at which the device does something by itself; nil for never.
    ///
    /// After `advance(to:)` it is later than the instant that was advanced to; after any other call it can equal that
    /// instant.
    var nextEvent: MonotonicInstant? { get }

    /// Advances the device to an instant; calls `emit` with the bytes that the device sends until then, and with the
    /// instant of each call's bytes.
    mutating func advance(to instant: MonotonicInstant, emit: (borrowing Span<UInt8>, MonotonicInstant) -> Void)

    /// Takes bytes that the daemon wrote to the device.
    mutating func receive(_ bytes: borrowing Span<UInt8>, at instant: MonotonicInstant)

    /// Takes the level that the daemon has set on a GPIO output.
    mutating func setLine(_ role: LineRole, _ level: Bool, at instant: MonotonicInstant)

    /// Takes the baud rate of the daemon's serial port, in bit/s, when the daemon opens the port or changes the rate; a
    /// device that uses another rate garbles the bytes.
    mutating func setBaud(_ baud: Int, at instant: MonotonicInstant)

    /// Takes the state of the device's serial input, which the daemon's transmit line holds low or releases.
    mutating func setInputLow(_ isLow: Bool, at instant: MonotonicInstant)
}

extension EmulatedDevice {
    /// Ignores the rate: this is for a device that has no baud rate.
    public mutating func setBaud(_ baud: Int, at instant: MonotonicInstant) {}

    /// Ignores the level of the serial input: this is for a device that draws no current through this input while its
    /// supply is off.
    public mutating func setInputLow(_ isLow: Bool, at instant: MonotonicInstant) {}
}
