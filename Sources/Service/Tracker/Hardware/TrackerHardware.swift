public import ClientProtocol
public import HostSleep
public import Receivers
public import SextantReactor
public import SextantUnits
public import TimeService

/// The hardware of a tracker: the receiver's port and the GPIO lines and sensors of the board.
///
/// The daemon uses the kernel's hardware; a test bench uses its own. All functions are called, and call back, on the
/// reactor's thread.
public protocol TrackerHardware: AnyObject {
    /// What kind of source the receiver's positions come from, such as an accessory or a simulation.
    var source: LocationObject.Source { get }

    /// Whether the reactor's clock is virtual, so that no other thread can work at the same time.
    var drivesClock: Bool { get }

    /// Whether a test harness sets the level of the accelerometer's interrupt line, whatever the accelerometer does.
    var drivesMotion: Bool { get }

    /// Opens the receiver's port at a bit rate (bit/s); if the port was open before, it is closed first.
    func openPort(baud: Int) throws(HardwareFailure) -> any ReceiverPort

    /// Whether the path of the receiver's device exists, even if the device cannot be opened.
    var isDevicePresent: Bool { get }

    /// Calls `appeared` whenever the receiver's device has appeared, was replaced, or has new permissions.
    func watchDevice(_ appeared: @escaping () -> Void) throws(HardwareFailure)

    /// Opens the GPIO line with this role: an output at the level of its resistor, or an input.
    ///
    /// `onEvent` is called at an input's next change, and after that whenever the line is read.
    ///
    /// - Returns: The line's present level; true is active, whatever voltage that is on this board.
    func openLine(_ role: LineRole, onEvent: @escaping (InputEvent) -> Void) throws(HardwareFailure) -> Bool

    /// Sets a GPIO output; true is active, whatever voltage that is on this board.
    func setLine(_ role: LineRole, _ level: Bool) throws(HardwareFailure)

    /// Sets when the motion sensor's line is read next: at this instant and not earlier; if the instant is nil, at the
    /// line's next change.
    func lookAtLine(at instant: MonotonicInstant?)

    /// Opens the radio that receives beacons, and calls `onEvent` with each event of its management socket.
    ///
    /// - Returns: Nil if there is no management socket that the daemon can use.
    func openRadio(onEvent: @escaping (RadioEvent) -> Void) throws(HardwareFailure) -> (any RadioPort)?

    /// Opens the board's sensors, and calls `onEvent` with the answer to each order.
    func openSensors(onEvent: @escaping (SensorEvent) -> Void) throws(HardwareFailure) -> any SensorPort

    /// Opens the switch that cuts the host's supply, and calls `onAnswer` with the answer to each order.
    ///
    /// - Returns: Nil if the board has no such switch.
    func openHost(
        _ settings: HostSleepSettings, onAnswer: @escaping (HostPortAnswer) -> Void
    ) throws(HardwareFailure) -> (any HostPort)?

    /// Opens the kernel's PPS device, which timestamps the receiver's pulses.
    func openPulses(_ path: String) throws(HardwareFailure) -> any PulsePort
}

extension TrackerHardware {
    public func openPulses(_ path: String) throws(HardwareFailure) -> any PulsePort {
        throw HardwareFailure("\(path): this hardware has no pulses", isMissing: true)
    }

    public func openHost(
        _ settings: HostSleepSettings, onAnswer: @escaping (HostPortAnswer) -> Void
    ) throws(HardwareFailure) -> (any HostPort)? { nil }

    /// Does nothing: on a bench, a test harness reports each change of the motion sensor's line by itself.
    public func lookAtLine(at instant: MonotonicInstant?) {}
}

/// The receiver's open port: a serial line in raw mode, without flow control.
public protocol ReceiverPort: AnyObject {
    /// The kind of link to the receiver; on some kinds a bit rate has no meaning.
    var link: ReceiverLink { get }

    /// Begins to listen, and calls `readable` whenever there are bytes to read, or when the device is lost.
    func start(_ readable: @escaping () -> Void) throws(HardwareFailure)

    /// Reads once, into the beginning of the caller's buffer, whose size does not change.
    func read(into buffer: inout [UInt8]) -> Transfer

    /// Takes all the bytes and sends them at the speed of the line; if it throws, none are sent.
    func write(_ bytes: borrowing Span<UInt8>) throws(HardwareFailure)

    /// The number of written bytes that are not sent yet; a change of the bit rate would garble them.
    var unsentByteCount: Int { get }

    /// Changes the bit rate at once; in bit/s.
    func setBaud(_ baud: Int) throws(HardwareFailure)

    /// Throws away the bytes that have arrived and were not read.
    func discardInput()

    /// Holds the UART's transmit line low, or releases it; while it is low, it cannot feed current into a receiver
    /// whose supply is off.
    func holdTransmitterLow(_ isLow: Bool) throws(HardwareFailure)

    /// Suspends calls of `readable` until `listen` is called; bytes that come meanwhile are kept as long as there is
    /// room.
    func rest()
    func listen() throws(HardwareFailure)

    func close()
}

/// The kernel's open PPS device, which timestamps the receiver's pulses.
public protocol PulsePort: AnyObject {
    /// The last pulse, read without waiting; nil if there was no pulse yet.
    func last() throws(HardwareFailure) -> Pulse?
}

/// The open Bluetooth management socket.
public protocol RadioPort: AnyObject {
    /// Writes one command to the socket, completely or not at all.
    func write(_ command: [UInt8]) throws(HardwareFailure)
}

/// An event from the Bluetooth management socket.
public enum RadioEvent: Sendable, Equatable {
    /// The bytes of one event, as one read returned them.
    case event([UInt8])
    /// The management socket can no longer be used.
    case failed(HardwareFailure)
}

/// An event of an input line.
public enum InputEvent: Sendable, Equatable {
    /// The GPIO line's level (true is active, whatever voltage that is), and whether the line has risen since the last
    /// event.
    case shows(hasRisen: Bool, isActive: Bool)
    /// The GPIO line failed and is closed; it sends no more events.
    case lost(HardwareFailure)
}

/// The reason why hardware cannot be used, in a sentence that names what is faulty and what to do.
public struct HardwareFailure: Error, Sendable, Equatable, CustomStringConvertible {
    public var description: String
    /// Whether the device does not exist; then trying again is useless until an event reports that it has appeared.
    public var isMissing: Bool

    public init(_ description: String, isMissing: Bool = false) {
        self.description = description
        self.isMissing = isMissing
    }
}
