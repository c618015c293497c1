public import Boards
public import ClientProtocol
internal import Hardware
public import Receivers
public import SextantReactor
internal import SextantUnits
public import Tracker

/// The daemon's hardware, which the harness emulates at the other end of the control socket.
public final class BenchHardware: TrackerHardware {
    private let device: String
    private let reactor: Reactor
    private let tell: (BenchReport) -> Void
    private let ask: (BenchTransfer) -> BenchTransferAnswer?
    /// The receiver's port, an object that the daemon owns; nil unless the daemon has opened the port.
    private weak var port: BenchPort?
    private var isPlugged = true
    private var appeared: () -> Void = {}
    private let lines: [LineRole: BoardLine]
    private let sensors: BoardSensors?
    private weak var sensorPort: BenchSensors?
    /// Whether the daemon finds a Bluetooth management socket; the harness plays the kernel at its other end.
    private let hasRadio: Bool
    private weak var radio: BenchRadio?
    /// The GPIO lines that the daemon has opened, each with the handler of its input events.
    private var opened: [LineRole: (InputEvent) -> Void] = [:]
    /// Whether the daemon has acted on its hardware since this flag was last cleared.
    public var hasActed = false
    /// The number of line edges, sensor samples and Bluetooth events that would have woken the daemon; the port's bytes
    /// are not counted here, because the reactor counts them.
    public private(set) var edgeCount: UInt64 = 0

    /// Makes emulated hardware with the GPIO lines and sensors that a board's file names.
    ///
    /// - Parameter tell: Called with every change that the daemon makes to its hardware.
    /// - Parameter ask: Carries out an I2C transfer on the sensors' bus; returns nil if the harness has disconnected.
    public init(
        device: String, lines: [LineRole: BoardLine] = [:], sensors: BoardSensors? = nil, hasRadio: Bool = false,
        reactor: Reactor, tell: @escaping (BenchReport) -> Void,
        ask: @escaping (BenchTransfer) -> BenchTransferAnswer? = { _ in nil }
    ) {
        self.device = device
        self.lines = lines
        self.sensors = sensors
        self.hasRadio = hasRadio
        self.reactor = reactor
        self.tell = tell
        self.ask = ask
    }

    private func act(_ report: BenchReport) {
        hasActed = true
        tell(report)
    }

    // MARK: For the daemon

    public let source = LocationObject.Source(isSimulated: true)
    public let drivesClock = true
    public let drivesMotion = true

    public func openPort(baud: Int) throws(HardwareFailure) -> any ReceiverPort {
        guard isPlugged else {
            throw HardwareFailure("\(device): no such device; the harness has unplugged it", isMissing: true)
        }
        let opened = try BenchPort(reactor: reactor) { [unowned self] in act($0) }
        port = opened
        act(.setBaud(baud))
        return opened
    }

    public var isDevicePresent: Bool { isPlugged }

    public func watchDevice(_ appeared: @escaping () -> Void) { self.appeared = appeared }

    /// Opens a GPIO line and returns its level; an input has its inactive level when it is opened.
    public func openLine(
        _ role: LineRole, onEvent: @escaping (InputEvent) -> Void
    ) throws(HardwareFailure) -> Bool {
        guard let line = lines[role] else {
            throw HardwareFailure("\(role): no line is assigned to this role", isMissing: true)
        }
        opened[role] = onEvent
        guard role.isOutput else { return false }
        let level = line.safe == .active
        act(.setLine(role, level))
        return level
    }

    public func setLine(_ role: LineRole, _ level: Bool) throws(HardwareFailure) {
        guard opened[role] != nil, role.isOutput else { throw HardwareFailure("\(role): not opened as an output") }
        act(.setLine(role, level))
    }

    public func openSensors(
        onEvent: @escaping (SensorEvent) -> Void
    ) throws(HardwareFailure) -> any SensorPort {
        guard let sensors else {
            throw HardwareFailure("the compass: the board's file names no sensor", isMissing: true)
        }
        let (ask, reactor) = (ask, reactor)
        let server = SensorServer<BenchBus>(sensors, now: { reactor.now }) { () throws(BusError) in
            BenchBus(name: sensors.bus, now: { reactor.now }, ask: ask)
        }
        let opened = BenchSensors(server, onEvent: onEvent)
        sensorPort = opened
        return opened
    }

    public func openRadio(onEvent: @escaping (RadioEvent) -> Void) -> (any RadioPort)? {
        guard hasRadio else { return nil }
        let opened = BenchRadio(onEvent: onEvent) { [unowned self] in act(.radio($0)) }
        radio = opened
        return opened
    }

    // MARK: For the harness

    /// Passes an event of the Bluetooth management socket to the daemon.
    public func feed(radio event: [UInt8]) {
        guard let radio else { return }
        edgeCount += 1
        radio.onEvent(.event(event))
    }

    /// Carries out the daemon's next order to the sensors; the harness must be ready to answer.
    ///
    /// - Returns: Whether an order was waiting.
    public func serveCompass() -> Bool {
        guard sensorPort?.serve() == true else { return false }
        edgeCount += 1
        return true
    }

    /// Passes bytes from the receiver to the daemon.
    public func feed(_ bytes: [UInt8]) { port?.feed(bytes) }

    /// Changes the level of a GPIO input.
    ///
    /// - Returns: Whether the daemon has opened the input.
    public func change(_ role: LineRole, to level: Bool) -> Bool {
        guard let onEvent = opened[role], !role.isOutput else { return false }
        edgeCount += 1
        onEvent(.shows(hasRisen: level, isActive: level))
        return true
    }

    /// Makes the receiver's device file appear, as if the receiver were plugged in.
    public func plug() {
        guard !isPlugged else { return }
        isPlugged = true
        edgeCount += 1
        appeared()
    }

    /// Makes the receiver's device file disappear, as if the receiver were unplugged.
    public func unplug() {
        isPlugged = false
        port?.unplug()
    }
}
