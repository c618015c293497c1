public import ClientProtocol
public import HostSleep
public import Receivers
public import SextantReactor
public import SextantUnits
public import TimeService

/// The hardware of a tracker: the receiver's port and the lines and sensors of the board.
///
/// The daemon uses the kernel's hardware; a bench uses its own. Everything is called, and calls back, on the reactor's
/// thread.
public protocol TrackerHardware: AnyObject {
    /// The kind of source that the receiver's positions come from.
    var source: LocationObject.Source { get }

    /// Whether the reactor's clock is driven, so that no other thread may work beside it.
    var drivesClock: Bool { get }

    /// Whether a harness drives the motion line, whatever the accelerometer behind it does.
    var drivesMotion: Bool { get }

    /// Opens the receiver's port at a rate in bit/s; the port before it is closed.
    func openPort(baud: Int) throws(HardwareFailure) -> any ReceiverPort

    /// Whether something is at the path of the receiver's device, whether it can be opened or not.
    var isDevicePresent: Bool { get }

    /// Calls `appeared` whenever the receiver's device has appeared, has been replaced, or may be opened now.
    func watchDevice(_ appeared: @escaping () -> Void) throws(HardwareFailure)

    /// Takes the line with this role: an output at its undriven level, or an input, of which `told` is called once it
    /// changes, and then whenever it is looked at.
    ///
    /// - Returns: The line's level now; true is active, whatever voltage that is on this board.
    func openLine(_ role: LineRole, told: @escaping (InputEvent) -> Void) throws(HardwareFailure) -> Bool

    /// Sets an output; true is active, whatever voltage that is on this board.
    func setLine(_ role: LineRole, _ level: Bool) throws(HardwareFailure)

    /// Looks at the motion sensor's line at this instant and not before, or, where it is nil, when it changes next.
    func lookAtLine(at instant: MonotonicInstant?)

    /// Opens the radio that hears beacons, and calls `told` with each event of its management socket.
    ///
    /// - Returns: Nil where the daemon was given no such socket.
    func openRadio(told: @escaping (RadioEvent) -> Void) throws(HardwareFailure) -> (any RadioPort)?

    /// Opens the board's sensors, and calls `told` with the answer to each order.
    func openCompass(told: @escaping (CompassEvent) -> Void) throws(HardwareFailure) -> any CompassPort

    /// Opens the switch of the host's supply, and calls `told` with the answer to each order.
    ///
    /// - Returns: Nil where nothing can.
    func openHost(
        _ settings: HostSleepSettings, told: @escaping (HostPortAnswer) -> Void
    ) throws(HardwareFailure) -> (any HostPort)?

    /// Opens the device by which the kernel times the receiver's pulses.
    func openPulses(_ path: String) throws(HardwareFailure) -> any PulsePort
}

extension TrackerHardware {
    public func openPulses(_ path: String) throws(HardwareFailure) -> any PulsePort {
        throw HardwareFailure("\(path): this hardware has no pulses", isMissing: true)
    }

    public func openHost(
        _ settings: HostSleepSettings, told: @escaping (HostPortAnswer) -> Void
    ) throws(HardwareFailure) -> (any HostPort)? { nil }

    /// Does nothing: a harness tells of each change by itself.
    public func lookAtLine(at instant: MonotonicInstant?) {}
}

/// The receiver's open port: a serial line, raw, without flow control.
public protocol ReceiverPort: AnyObject {
    /// The kind of link to the receiver, which decides whether a bit rate means anything.
    var link: ReceiverLink { get }

    /// Begins to listen, and calls `readable` while there are bytes to read or the device is lost.
    func start(_ readable: @escaping () -> Void) throws(HardwareFailure)

    /// Reads once into the front of the caller's buffer, whose size does not change.
    func read(into buffer: inout [UInt8]) -> Transfer

    /// Sends all the bytes as the line takes them, or throws and sends none.
    func write(_ bytes: borrowing Span<UInt8>) throws(HardwareFailure)

    /// Bytes written that the line has not sent yet, which a change of rate would garble.
    var unsentByteCount: Int { get }

    /// Changes the rate, bit/s, at once.
    func setBaud(_ baud: Int) throws(HardwareFailure)

    /// Throws away the bytes that have arrived and were not read.
    func discardInput()

    /// Holds the transmitter's line low, or releases it, so that it cannot feed a receiver whose supply is off.
    func holdTransmitterLow(_ isLow: Bool) throws(HardwareFailure)

    /// Suspends calls of `readable` until `listen`; bytes that come meanwhile are kept as far as there is room.
    func rest()
    func listen() throws(HardwareFailure)

    func close()
}

/// The open device by which the kernel times the receiver's pulses.
public protocol PulsePort: AnyObject {
    /// The last pulse, without waiting; nil before the first.
    func last() throws(HardwareFailure) -> Pulse?
}

/// The open Bluetooth management socket.
public protocol RadioPort: AnyObject {
    /// Writes one command, whole or not at all.
    func write(_ command: [UInt8]) throws(HardwareFailure)
}

/// An event from the Bluetooth management socket.
public enum RadioEvent: Sendable, Equatable {
    /// One event, as one read gives it.
    case event([UInt8])
    /// The socket is of no use any more.
    case failed(HardwareFailure)
}

/// An event of an input line.
public enum InputEvent: Sendable, Equatable {
    /// Whether the line rose since the event before, and its level now; true is active, whatever voltage that is.
    case shows(hasRisen: Bool, isActive: Bool)
    /// The line is no longer held, and sends no more events.
    case lost(HardwareFailure)
}

/// The reason why hardware cannot be used, in a sentence that names the faulty thing and its remedy.
public struct HardwareFailure: Error, Sendable, Equatable, CustomStringConvertible {
    public var description: String
    /// Whether the device does not exist: its appearance is an event, so that trying again before that is in vain.
    public var isMissing: Bool

    public init(_ description: String, isMissing: Bool = false) {
        self.description = description
        self.isMissing = isMissing
    }
}
