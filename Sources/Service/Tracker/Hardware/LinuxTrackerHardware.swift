public import Boards
public import ClientProtocol
internal import Glibc
internal import Hardware
public import HostSleep
internal import HostSwitches
internal import LinuxHardware
public import Receivers
public import SextantReactor
public import SextantSockets
public import SextantUnits

/// The hardware as the Linux kernel offers it: a serial device, events of the device's folder, GPIO lines, and an
/// I2C bus.
public final class LinuxTrackerHardware: TrackerHardware {
    private let device: String
    private let reactor: Reactor
    /// The Bluetooth management socket that systemd passed; nil if systemd passed none.
    private let bluetooth: PassedSocket?
    /// The folder of the daemon's socket.
    ///
    /// A file that records the daemon's own Bluetooth advertisement lies there too, so that the advertisement can be
    /// removed after a crash.
    private let folder: String
    private let lines: [LineRole: BoardLine]
    private let sensors: BoardSensors?
    /// The switch that cuts the host's own supply; nil if the board has none, or if another program controls it.
    private let hostSwitch: BoardHostSwitch?
    private var outputs: [LineRole: any SettableLine] = [:]
    private var motionLine: HeldMotionLine?
    /// The accelerometer by which motion could have switched the host on; nil if the board has no such accelerometer.
    private var wakingSensor: MotionLatch.Sensor?
    private var watch: DeviceWatch?

    /// Makes the hardware with the GPIO lines and sensors of the board's file; without a board there are none.
    public init(
        device: String, lines: [LineRole: BoardLine] = [:], sensors: BoardSensors? = nil,
        hostSwitch: BoardHostSwitch? = nil, bluetooth: PassedSocket? = nil,
        folder: String = WakeFiles.standardFolder, reactor: Reactor
    ) {
        self.device = device
        self.lines = lines
        self.sensors = sensors
        self.hostSwitch = hostSwitch
        self.bluetooth = bluetooth
        self.folder = folder
        self.reactor = reactor
    }

    public let drivesClock = false
    public let drivesMotion = false

    /// The kind of source of the positions, which depends on the kind of device.
    ///
    /// A receiver on USB or Bluetooth counts as an accessory; behind a pseudo-terminal is another program, so its
    /// positions count as simulated.
    public var source: LocationObject.Source {
        // Safety: the string is copied before it is freed.
        let resolved = unsafe realpath(device, nil)
        defer { unsafe free(resolved) }
        let path = unsafe resolved.map { unsafe String(cString: $0) } ?? device
        // If an accessory is not plugged in, the links in its path cannot be resolved, so the path's beginning must
        // tell its kind.
        let accessories = ["/dev/ttyUSB", "/dev/ttyACM", "/dev/rfcomm", "/dev/sextant/usb", "/dev/serial/by-"]
        return LocationObject.Source(
            isSimulated: path.hasPrefix("/dev/pts/"), isAccessory: accessories.contains { path.hasPrefix($0) })
    }

    public func openPort(baud: Int) throws(HardwareFailure) -> any ReceiverPort {
        do {
            return SerialReceiverPort(try SerialPort(path: device, baud: baud), reactor: reactor)
        } catch {
            throw HardwareFailure(error)
        }
    }

    public var isDevicePresent: Bool { unsafe access(device, F_OK) == 0 }

    public func watchDevice(_ appeared: @escaping () -> Void) throws(HardwareFailure) {
        do {
            let watch = try DeviceWatch(path: device)
            _ = try reactor.register(watch.descriptor, for: .read) { [unowned watch] _ in
                while let change = watch.takeChange() {
                    switch change {
                    case .appeared, .replaced, .permissionsChanged: appeared()
                    case .disappeared: break
                    }
                }
            }
            self.watch = watch
        } catch {
            throw HardwareFailure("\(device): its return cannot be noticed: \(error)")
        }
    }

    public func openLine(
        _ role: LineRole, onEvent: @escaping (InputEvent) -> Void
    ) throws(HardwareFailure) -> Bool {
        guard let line = lines[role] else { throw LinuxTrackerHardware.unassigned(role) }
        do throws(LineError) {
            return role.isOutput ? try openOutput(role, line) : try openInput(role, line, onEvent)
        } catch {
            throw HardwareFailure(error, role)
        }
    }

    /// Opens a GPIO output at the level to which the board's resistor pulls it, so that opening changes nothing.
    private func openOutput(_ role: LineRole, _ line: BoardLine) throws(LineError) -> Bool {
        let level = line.safe == .active
        outputs[role] = try line.openOutput(active: level)
        return level
    }

    private func openInput(
        _ role: LineRole, _ line: BoardLine, _ onEvent: @escaping (InputEvent) -> Void
    ) throws(LineError) -> Bool {
        let input = try HeldMotionLine(role, try line.openInput(), reactor: reactor, onEvent: onEvent)
        motionLine = input
        return try input.readLevel()
    }

    public func lookAtLine(at instant: MonotonicInstant?) { motionLine?.look(at: instant) }

    public func setLine(_ role: LineRole, _ level: Bool) throws(HardwareFailure) {
        guard let output = outputs[role] else { throw LinuxTrackerHardware.unassigned(role) }
        do throws(LineError) { try output.set(active: level) } catch { throw HardwareFailure(error, role) }
    }

    public func openSensors(
        onEvent: @escaping (SensorEvent) -> Void
    ) throws(HardwareFailure) -> any SensorPort {
        guard let sensors else {
            throw HardwareFailure("the compass: the board's file names no sensor", isMissing: true)
        }
        // The accelerometer's latch, which tells of motion while the host was off, is read before the accelerometer is
        // set up, because setting it up releases the line that it holds.
        if let hostSwitch, hostSwitch.model == .latch, hostSwitch.motionWake, var bus = try? LinuxI2CBus(sensors.bus) {
            wakingSensor = MotionLatch.Sensor(sensors, over: &bus)
        }
        do {
            return try LinuxTrackerHardware.sensorPort(sensors, reactor: reactor, onEvent: onEvent)
        } catch {
            throw HardwareFailure("the compass: \(error)")
        }
    }

    public func openHost(
        _ settings: HostSleepSettings, onAnswer: @escaping (HostPortAnswer) -> Void
    ) throws(HardwareFailure) -> (any HostPort)? {
        guard let hostSwitch else { return nil }
        do {
            let latch = wakingSensor.flatMap { sensor in sensors.map { (sensor, bus: $0.bus) } }
            return try LinuxTrackerHardware.host(hostSwitch, settings, latch, reactor: reactor, onAnswer: onAnswer)
        } catch {
            throw HardwareFailure("the host's switch: \(error)")
        }
    }

    public func openPulses(_ path: String) throws(HardwareFailure) -> any PulsePort {
        do {
            return DevicePulses(try PulseDevice(path: path))
        } catch {
            throw HardwareFailure(error.description)
        }
    }

    public func openRadio(
        onEvent: @escaping (RadioEvent) -> Void
    ) throws(HardwareFailure) -> (any RadioPort)? {
        let socket: BluetoothSocket
        let note = AdvertisingNote(folder: folder)
        do throws(BluetoothSocketError) {
            socket = try openRadio(leftWith: note)
        } catch {
            if error.isAbsence { return nil }
            throw HardwareFailure(error.description)
        }
        return try SocketRadioPort(socket, note, reactor: reactor, onEvent: onEvent)
    }

    private func openRadio(leftWith note: AdvertisingNote) throws(BluetoothSocketError) -> BluetoothSocket {
        let socket = try openBluetooth()
        try socket.removeAdvertisement(noted: note)
        return socket
    }

    /// The Bluetooth management socket that systemd passed; without one, a socket of the daemon's own, which only root
    /// can open.
    private func openBluetooth() throws(BluetoothSocketError) -> BluetoothSocket {
        guard let bluetooth else {
            // An earlier daemon that ran without systemd may have been killed, so its advertisement monitors are
            // removed first.
            let own = try BluetoothSocket()
            try own.removeMonitors(within: 1)
            return own
        }
        let descriptor: Descriptor
        do throws(SystemError) {
            descriptor = try bluetooth.descriptor()
        } catch {
            throw .other(errno: error.errno)
        }
        return try BluetoothSocket(adopting: descriptor)
    }

    private static func unassigned(_ role: LineRole) -> HardwareFailure {
        HardwareFailure("\(role): no GPIO line is assigned to this role", isMissing: true)
    }
}

extension HardwareFailure {
    init(_ error: SerialPortError) {
        if case .notFound = error {
            self.init(error.description, isMissing: true)
        } else {
            self.init(error.description)
        }
    }
}

extension HardwareFailure {
    /// A GPIO line's error as a hardware failure that names the line's role on the board.
    init(_ error: LineError, _ role: LineRole) {
        let isMissing =
            switch error.kind {
            case .notFound, .lost: true
            case .ambiguous, .busy, .permissionDenied, .other: false
            }
        self.init("\(role): \(error.description)", isMissing: isMissing)
    }
}
