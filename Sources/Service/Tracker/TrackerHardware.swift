public import ClientProtocol
public import Reactor
public import Receivers
public import Units

/// What a tracker is wired to: the receiver's port and the lines of the board.
///
/// The daemon's own is the kernel's; a bench has another. Everything is called, and calls back, on the reactor's thread.
public protocol TrackerHardware: AnyObject {
    /// Where the receiver's positions are from.
    var source: LocationObject.Source { get }

    /// Whether the reactor's clock is driven, and nothing may go on beside it.
    var drivesClock: Bool { get }

    /// Whether the motion line is moved by a harness, whatever the accelerometer behind it does.
    var drivesMotion: Bool { get }

    /// Opens the receiver's port at a rate in bit/s; the port before it is closed.
    func openPort(baud: Int) throws(HardwareFailure) -> any ReceiverPort

    /// Calls `appeared` whenever the receiver's device has come, has been replaced, or may be opened now.
    func watchDevice(_ appeared: @escaping () -> Void) throws(HardwareFailure)

    /// Takes the line with this role: an output, at the level that it has while undriven, or an input, whose changes
    /// are told.
    ///
    /// - Returns: Its level now; true is active, whatever voltage that is on this board.
    func openLine(_ role: LineRole, told: @escaping (InputEvent) -> Void) throws(HardwareFailure) -> Bool

    /// Sets an output; true is active, whatever voltage that is on this board.
    func setLine(_ role: LineRole, _ level: Bool) throws(HardwareFailure)

    /// Has the board's sensors driven: `told` is called with the answer to each order.
    func openCompass(told: @escaping (CompassEvent) -> Void) throws(HardwareFailure) -> any CompassPort
}

/// The receiver's open port: a serial line, raw, without flow control.
public protocol ReceiverPort: AnyObject {
    /// The kind of link to the receiver, which decides whether a bit rate means something.
    var link: ReceiverLink { get }

    /// Begins to listen: `readable` is called while there is something to read, a lost device included.
    func start(_ readable: @escaping () -> Void) throws(HardwareFailure)

    /// Reads once into the front of the caller's buffer, whose size does not change.
    func read(into buffer: inout [UInt8]) -> Transfer

    /// Sends all of it as the line takes it, or refuses it whole.
    func write(_ bytes: borrowing Span<UInt8>) throws(HardwareFailure)

    /// Bytes written that the line has not sent yet: a change of rate would garble them.
    var unsentByteCount: Int { get }

    /// Changes the rate, bit/s, at once.
    func setBaud(_ baud: Int) throws(HardwareFailure)

    /// Throws away what has arrived and was not read.
    func discardInput()

    /// Holds the transmitter's line low, or lets it go, so that it cannot feed a receiver whose supply is off.
    func holdTransmitterLow(_ isLow: Bool) throws(HardwareFailure)

    /// Does not call `readable` until `listen`; what comes meanwhile is kept as far as there is room.
    func rest()
    func listen() throws(HardwareFailure)

    func close()
}

/// What an input tells.
public enum InputEvent: Sendable, Equatable {
    case changed(InputEdge)
    /// It is held no more, and tells nothing from now on.
    case lost(HardwareFailure)
}

/// A change of an input.
public struct InputEdge: Sendable, Equatable {
    public var role: LineRole
    /// The level after the change.
    public var level: Bool
    /// When it changed, on the reactor's clock.
    public var instant: MonotonicInstant

    public init(_ role: LineRole, _ level: Bool, at instant: MonotonicInstant) {
        self.role = role
        self.level = level
        self.instant = instant
    }
}

/// Why hardware cannot be used, in a sentence that names the thing and the mend.
public struct HardwareFailure: Error, Sendable, Equatable, CustomStringConvertible {
    public var description: String
    /// Whether it is not there at all: its appearance is an event, and trying again before is in vain.
    public var isMissing: Bool

    public init(_ description: String, isMissing: Bool = false) {
        self.description = description
        self.isMissing = isMissing
    }
}
