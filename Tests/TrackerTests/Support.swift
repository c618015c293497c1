import Boards
import ClientProtocol
import Configuration
import Engine
import Foundation
import Hardware
import Logging
import Receivers
import SextantReactor
import SextantUnits
import TimeService
import Tracker

/// A directory of one test's own, removed at its end.
final class Folder {
    let path: String

    init() throws {
        // Short: a socket's path has at most 107 bytes.
        path = "/tmp/sxtrk-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// What was done to the hardware.
enum Deed: Equatable {
    case opened(baud: Int)
    case wrote([UInt8])
    case rate(Int)
    case transmitterLow(Bool)
    case discarded
    case closed
    case took(LineRole)
    case set(LineRole, Bool)
}

/// Hardware that notes what is done to it, and when; some of it may be missing.
final class FakeHardware: TrackerHardware {
    let source = LocationObject.Source(isSimulated: true)
    let drivesClock = true
    var drivesMotion = false
    private let clock: DrivenClock
    var deeds: [(instant: MonotonicInstant, deed: Deed)] = []
    /// Why a line cannot be had.
    var failures: [LineRole: HardwareFailure] = [:]
    /// Why an output that was taken cannot be set.
    var settingFailure: HardwareFailure?
    var levels: [LineRole: Bool] = [:]
    var onLineEvent: [LineRole: (InputEvent) -> Void] = [:]
    /// When the motion line was to be looked at next, each time that it was said.
    var looks: [MonotonicInstant?] = []
    var port: FakePort?
    var link = ReceiverLink.uart
    /// Nil where the bus cannot be had.
    var sensorPort: FakeSensors?
    /// Nil where the daemon is given no management socket.
    var radio: FakeRadio?

    init(clock: DrivenClock) { self.clock = clock }

    var list: [Deed] { deeds.map(\.deed) }

    func note(_ deed: Deed) { deeds.append((clock.now, deed)) }

    func openPort(baud: Int) -> any ReceiverPort {
        note(.opened(baud: baud))
        let opened = FakePort(self, link: link)
        port = opened
        return opened
    }

    /// Whether something is at the receiver's path.
    var isDevicePresent = false

    func watchDevice(_ appeared: @escaping () -> Void) {}

    func openLine(_ role: LineRole, onEvent: @escaping (InputEvent) -> Void) throws(HardwareFailure) -> Bool {
        if let failure = failures[role] { throw failure }
        note(.took(role))
        onLineEvent[role] = onEvent
        return levels[role] ?? false
    }

    func setLine(_ role: LineRole, _ level: Bool) throws(HardwareFailure) {
        if let settingFailure { throw settingFailure }
        note(.set(role, level))
    }

    func lookAtLine(at instant: MonotonicInstant?) { looks.append(instant) }

    func openRadio(onEvent: @escaping (RadioEvent) -> Void) -> (any RadioPort)? {
        radio?.onEvent = onEvent
        return radio
    }

    /// Nil where there is no device of pulses.
    var pulses: FakePulses?
    /// The devices of pulses that were to be opened.
    var pulseOpenings: [String] = []

    func openPulses(_ path: String) throws(HardwareFailure) -> any PulsePort {
        pulseOpenings.append(path)
        guard let pulses else { throw HardwareFailure("\(path): not there; put it there", isMissing: true) }
        return pulses
    }

    func openSensors(onEvent: @escaping (SensorEvent) -> Void) throws(HardwareFailure) -> any SensorPort {
        guard let sensorPort else { throw HardwareFailure("the compass: none", isMissing: true) }
        sensorPort.onEvent = onEvent
        return sensorPort
    }
}

/// A device whose last pulse a test says.
final class FakePulses: PulsePort {
    var pulse: Pulse?
    /// Why it cannot be read.
    var failure: HardwareFailure?

    func last() throws(HardwareFailure) -> Pulse? {
        if let failure { throw failure }
        return pulse
    }
}

/// Sensors that note what is ordered of them, and answer when the test says.
final class FakeSensors: SensorPort {
    var orders: [SensorOrder] = []
    /// Whether no order is taken.
    var isHung = false
    var onEvent: (SensorEvent) -> Void = { _ in }

    func order(_ order: SensorOrder) -> Bool {
        guard !isHung else { return false }
        orders.append(order)
        return true
    }

    func close() {}
}

/// A radio that notes its commands, and whose events a test tells.
final class FakeRadio: RadioPort {
    var commands: [[UInt8]] = []
    /// Why the next command cannot be written.
    var failure: HardwareFailure?
    var onEvent: (RadioEvent) -> Void = { _ in }

    func write(_ command: [UInt8]) throws(HardwareFailure) {
        if let failure { throw failure }
        commands.append(command)
    }
}

/// A port that notes what is done to it.
final class FakePort: ReceiverPort {
    private let hardware: FakeHardware
    private var readable: () -> Void = {}
    private var incoming: [UInt8] = []
    private var isLost = false
    let link: ReceiverLink
    var unsentByteCount = 0
    var writeFailure: HardwareFailure?
    var rateFailure: HardwareFailure?

    init(_ hardware: FakeHardware, link: ReceiverLink = .uart) {
        self.hardware = hardware
        self.link = link
    }

    /// The receiver sends.
    func feed(_ bytes: [UInt8]) {
        incoming += bytes
        readable()
    }

    /// The receiver is pulled out.
    func lose() {
        isLost = true
        readable()
    }

    func start(_ readable: @escaping () -> Void) { self.readable = readable }

    func read(into buffer: inout [UInt8]) -> Transfer {
        let count = min(incoming.count, buffer.count)
        guard count > 0 else { return isLost ? .disconnected(errno: 5) : .wouldBlock }
        buffer.replaceSubrange(..<count, with: incoming[..<count])
        incoming.removeFirst(count)
        return .bytes(count)
    }

    func write(_ bytes: borrowing Span<UInt8>) throws(HardwareFailure) {
        if let writeFailure { throw writeFailure }
        var copy: [UInt8] = []
        for index in bytes.indices { copy.append(bytes[index]) }
        hardware.note(.wrote(copy))
    }

    func setBaud(_ baud: Int) throws(HardwareFailure) {
        if let rateFailure { throw rateFailure }
        hardware.note(.rate(baud))
    }

    func discardInput() {
        incoming = []
        hardware.note(.discarded)
    }

    func holdTransmitterLow(_ isLow: Bool) { hardware.note(.transmitterLow(isLow)) }
    func rest() {}
    func listen() {}
    func close() { hardware.note(.closed) }
}

/// Keeps what is logged.
///
/// Safety: the Tracker and its test run on one thread.
final class LogBook: @unchecked Sendable {
    var lines: [String] = []

    var logger: Logger { Logger(label: "test") { _ in Handler(book: self) } }

    private struct Handler: LogHandler {
        let book: LogBook
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { book.lines.append("\(event.level): \(event.message)") }
    }
}

/// A Tracker on a driven clock and fake hardware, whose inputs are recorded.
final class Rig {
    let folder: Folder
    let clock: DrivenClock
    let reactor: Reactor
    let hardware: FakeHardware
    let log = LogBook()
    let settings: TrackerSettings
    let tracker: Tracker
    private let flight: String

    /// - Parameters:
    ///   - folder: Where its state is; another's for a restart.
    ///   - keepsState: Whether it has a state directory.
    ///   - clients: The clients that are served.
    init(
        in folder: Folder? = nil, board: Board? = nil, keepsState: Bool = true, stateDirectory: String? = nil,
        clients: TrackerSettings.Clients = .everyone, date: CivilDate? = nil, time: TimeSettings? = nil,
        _ prepare: (FakeHardware) -> Void = { _ in }
    ) throws {
        let folder = try folder ?? Folder()
        self.folder = folder
        clock = DrivenClock(
            now: MonotonicInstant(nanoseconds: 1_000_000_000),
            utc: UTCInstant(nanoseconds: 1_795_000_000_000_000_000), isSynchronized: false)
        reactor = try Reactor(time: .driven(clock))
        hardware = FakeHardware(clock: clock)
        prepare(hardware)
        var settings = TrackerSettings(device: "/dev/gnss", baud: 9600)
        settings.board = board
        let name = UUID().uuidString.prefix(8)
        settings.socket = "\(folder.path)/\(name)"
        settings.gpsdPort = nil
        settings.stateDirectory = keepsState ? stateDirectory ?? folder.path : nil
        flight = "\(folder.path)/\(name).flight"
        settings.recording = flight
        settings.clients = clients
        settings.date = date
        settings.time = time
        self.settings = settings
        tracker = try Tracker(settings, hardware: hardware, reactor: reactor, logger: log.logger)
        try tracker.start()
    }

    /// What the Engine was given, in order.
    var inputs: [Input] {
        get throws {
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: flight)))
            var reader = try FlightReader(bytes)
            var records: [Input] = []
            while let next = try reader.next() { records.append(next.input) }
            return records
        }
    }

    /// How often the receiver's port was opened.
    var openings: Int { hardware.list.count { if case .opened = $0 { true } else { false } } }

    var configuration: EngineConfiguration? {
        get throws {
            guard case .started(let configuration)? = try inputs.first else { return nil }
            return configuration
        }
    }

    var power: PowerConfiguration? { get throws { try configuration?.power } }

    func pass(milliseconds: Double) throws {
        try reactor.advance(to: clock.now.advanced(byNanoseconds: Int64(milliseconds * 1e6)))
    }

    /// Milliseconds since an instant at which things were done.
    func times(since start: MonotonicInstant) -> [Double] {
        hardware.deeds.map { Double($0.instant.nanoseconds(since: start)) / 1e6 }
    }
}

extension Board {
    /// A board with these lines, all on GPIO chips.
    static func with(
        _ roles: [LineRole], model: ReceiverModel = .neoM8N, backup: BackupSupply = .battery, baud: Int? = nil
    ) -> Board {
        let lines = roles.map { role in
            let line = BoardLine(
                name: "GPIO\(role.rawValue)", activeLow: false, safe: role.isOutput ? .inactive : nil, bias: .asIs)
            return (role, line)
        }
        return Board(
            name: "bench",
            receiver: BoardReceiver(
                model: model, device: "/dev/gnss", baud: baud, supplyVolts: 3, draw: model.powerDraw),
            lines: Dictionary(uniqueKeysWithValues: lines), backup: backup,
            motion: roles.contains(.motionInterrupt) ? MotionSensor(sensor: "lis3dh", milliwatts: 0.04) : nil,
            host: HostModel.zero2W.power, batteryWattHours: 18.5)
    }
}
