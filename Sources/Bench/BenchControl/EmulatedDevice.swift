public import Receivers
public import Units

/// An emulated receiver at the other end of the daemon's port and lines, in virtual time.
///
/// Its instants are the daemon's. It is always advanced before it is told something.
public protocol EmulatedDevice {
    /// When it will next do something of its own accord; nil for never.
    ///
    /// After `advance(to:)` it lies later than that instant; after it was told something it may lie at it.
    var nextEvent: MonotonicInstant? { get }

    /// Lives on to an instant; `emit` is lent the bytes that it sends on the way, each with its instant.
    mutating func advance(to instant: MonotonicInstant, emit: (borrowing Span<UInt8>, MonotonicInstant) -> Void)

    /// The daemon wrote to it.
    mutating func receive(_ bytes: borrowing Span<UInt8>, at instant: MonotonicInstant)

    /// The daemon set a line.
    mutating func setLine(_ role: LineRole, _ level: Bool, at instant: MonotonicInstant)

    /// The daemon opened its port at a rate in bit/s, or changed it: bytes at any other are garbled.
    mutating func setBaud(_ baud: Int, at instant: MonotonicInstant)

    /// The daemon holds the receiver's input low, or lets it go.
    mutating func setInputLow(_ isLow: Bool, at instant: MonotonicInstant)
}

extension EmulatedDevice {
    /// A device without a rate.
    public mutating func setBaud(_ baud: Int, at instant: MonotonicInstant) {}

    /// A device that its input cannot feed.
    public mutating func setInputLow(_ isLow: Bool, at instant: MonotonicInstant) {}
}
