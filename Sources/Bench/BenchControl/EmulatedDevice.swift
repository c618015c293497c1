public import Receivers
public import SextantUnits

/// An emulated receiver at the other end of the daemon's port and lines, in virtual time.
///
/// Its instants are the daemon's. It is always advanced to an instant before it is told of an event at that instant.
public protocol EmulatedDevice {
    /// The next instant at which the device does something by itself; nil for never.
    ///
    /// After `advance(to:)` this is later than the given instant; after another call it may be equal to the present
    /// one.
    var nextEvent: MonotonicInstant? { get }

    /// Advances to an instant; `emit` is lent the bytes that the device sends on the way, each with its instant.
    mutating func advance(to instant: MonotonicInstant, emit: (borrowing Span<UInt8>, MonotonicInstant) -> Void)

    /// Takes bytes that the daemon wrote to the device.
    mutating func receive(_ bytes: borrowing Span<UInt8>, at instant: MonotonicInstant)

    /// Takes the level to which the daemon has set a line.
    mutating func setLine(_ role: LineRole, _ level: Bool, at instant: MonotonicInstant)

    /// Takes the rate in bit/s at which the daemon opened its port or to which it changed; bytes at other rates are
    /// garbled.
    mutating func setBaud(_ baud: Int, at instant: MonotonicInstant)

    /// Takes whether the daemon holds the receiver's input low.
    mutating func setInputLow(_ isLow: Bool, at instant: MonotonicInstant)
}

extension EmulatedDevice {
    /// Ignores the rate, for a device without one.
    public mutating func setBaud(_ baud: Int, at instant: MonotonicInstant) {}

    /// Ignores the level, for a device that its input cannot supply with current.
    public mutating func setInputLow(_ isLow: Bool, at instant: MonotonicInstant) {}
}
