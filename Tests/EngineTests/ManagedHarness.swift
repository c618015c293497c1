import ClientProtocol
import Emulation
import HostSleep
import Monitors
import Parts
import PartsTestSupport
import Power
import Receivers
import SextantJSON
import SextantUnits
import TimeService

@testable import Access
@testable import Engine

/// An Engine that may switch its receiver, and an emulated receiver at the other end of the line, in virtual time.
struct ManagedHarness: ~Copyable {
    /// A level of an output, and when it was set.
    struct Switch: Equatable {
        var seconds: Double
        var role: LineRole
        var level: Bool
    }

    let engine: Engine
    var receiver: EmulatedReceiver
    /// The Bluetooth controller; nil for a board without one.
    var radio: EmulatedRadio?
    var outputs = Turn()
    private(set) var now = MonotonicInstant.zero
    private(set) var switches: [Switch] = []
    /// What clients were sent, in order.
    var lines: [String] = []
    private(set) var learned: [[UInt8]] = []
    private(set) var logged: [Notice] = []
    /// What a time daemon was given, in order; the wall clock is right, and nobody keeps it.
    private(set) var samples: [TimeSample] = []
    /// What was to be done for a sleep of the host, in order.
    private(set) var hostOrders: [HostOrder] = []
    /// The rows of the store, by name, as the Engine left them.
    private(set) var rows: [String: DurableRow] = [:]
    /// Inputs that the Engine was given.
    private(set) var inputCount = 0
    /// Whether the receiver was sent a time: UBX-MGA-INI-TIME_UTC.
    private(set) var wasGivenTime = false
    /// Whether bytes still reach the receiver and come from it.
    var isPortOpen = false
    private var engineWake: MonotonicInstant?
    /// What time that does not pass still led to after an input; nothing, where each input is settled when it ends.
    private(set) var unsettled: [String] = []
    private let link: ReceiverLink
    /// Whether the accelerometer feels motion, where the Engine has it watch.
    private var isShaken = false
    /// When the accelerometer's line is to be looked at; nil where it is waited for.
    private var nextLook: MonotonicInstant?

    static let client = ClientID(rawValue: 1)

    /// - Parameter speed: Metres east for each second.
    init(
        _ model: ReceiverModel = .neoM8N, lines: Set<LineRole> = [.powerEnable], problem: String? = nil,
        hasPersistentBackup: Bool = true, hasMotionSensor: Bool = false, draw: PowerDraw? = nil,
        startTimes: StartTimes? = nil, speed: Double = 0, learned: [UInt8]? = nil,
        mask: MaskIntervals = .none, spots: [BeaconSpot] = [], radio: EmulatedRadio? = nil,
        hostSleep: HostSleepConfiguration? = nil, watchesMotion: Bool = false, rows: [String: DurableRow] = [:],
        options: EmulatedReceiver.Options = ManagedHarness.options()
    ) {
        let hour = 3600.0 * 30
        let east = speed * hour / (111_320 * 0.67)
        let trajectory = Trajectory(points: [
            TrajectoryPoint(time: 1_790_000_000, latitude: 48, longitude: 11),
            TrajectoryPoint(time: 1_790_000_000 + hour, latitude: 48, longitude: 11 + east),
        ])
        link = options.isAtUSB ? .usb : .uart
        receiver = EmulatedReceiver(model: model, trajectory: trajectory, mask: mask, seed: 7, options: options)
        var configuration = EngineConfiguration(
            device: "/dev/gnss", fixedBaud: nil, lastBaud: receiver.baud,
            now: UTCInstant(nanoseconds: 1_790_000_000_000_000_000),
            power: PowerConfiguration(
                model: model, draw: draw ?? model.powerDraw, startTimes: startTimes, baud: nil,
                hasPersistentBackup: hasPersistentBackup, motionSensorDraw: hasMotionSensor ? 0.04 : nil,
                hostIdleMilliwatts: 600, hostWakeMillijoules: 0.6, batteryWattHours: 37, learned: learned))
        configuration.spots = spots
        configuration.hostSleep = hostSleep
        configuration.watchesMotion = watchesMotion
        engine = Engine(configuration)
        self.radio = radio
        give(.started(engine.configuration))
        give(.admission(.everyone))
        for (_, row) in rows.sorted(by: { $0.key < $1.key }) { give(.storeFound(row)) }
        self.rows = rows
        give(.linesOpened(lines, problem: problem))
        if watchesMotion { look() }
        if radio != nil { give(.radioOpened) }
    }

    static func options(
        isPoweredAtStart: Bool = false, isAtUSB: Bool = false, faults: EmulatedReceiver.Faults = []
    ) -> EmulatedReceiver.Options {
        var options = EmulatedReceiver.Options()
        options.isAtUSB = isAtUSB
        options.isPoweredAtStart = isPoweredAtStart
        options.faults = faults
        return options
    }

    // MARK: What happens

    mutating func give(_ input: Input) {
        inputCount += 1
        engine.handle(input, at: now, into: &outputs)
        carryOut()
    }

    mutating func give(_ request: ClientRequest, from client: ClientID) {
        inputCount += 1
        engine.handle(.success(request), of: client, at: now, into: &outputs)
        carryOut()
    }

    mutating func connect(_ client: ClientID = ManagedHarness.client) { give(.clientConnected(client, .local)) }

    mutating func ask(_ kind: ClientRequest.Kind, of client: ClientID = ManagedHarness.client) {
        give(ClientRequest(kind), from: client)
    }

    /// Asks for locations within so many metres.
    mutating func watch(_ metres: Double, activity: ActivityType = .other) {
        ask(
            .watchLocations(
                LocationSettings(accuracy: .metres(metres), activity: activity, pausesAutomatically: false), label: ""))
    }

    /// Begins to move the board, whose accelerometer the Engine has watch, or puts it down.
    mutating func shake(_ isShaken: Bool) {
        self.isShaken = isShaken
        if isShaken, nextLook == nil { look() }
    }

    private mutating func look() {
        nextLook = nil
        give(.lineChanged(.shows(hasRisen: isShaken, isActive: isShaken)))
    }

    /// Lets time pass up to and including an instant, in seconds since the start.
    mutating func run(until seconds: Double) {
        let end = MonotonicInstant(nanoseconds: Int64(seconds * 1e9))
        while true {
            var next = end
            if let event = receiver.nextEvent { next = min(next, event) }
            if let event = radio?.nextEvent { next = min(next, event) }
            if let wake = engineWake { next = min(next, wake) }
            if let look = nextLook { next = min(next, look) }
            now = max(now, next)
            deliverBytes()
            var events: [[UInt8]] = []
            radio?.advance(to: now) { events.append($0) }
            for event in events { give(.radioEvent(event)) }
            if let due = nextLook, due <= now { look() }
            if let wake = engineWake, wake <= now { give(.timePassed) } else if now >= end { return }
        }
    }

    private mutating func deliverBytes() {
        var arrived: [UInt8] = []
        receiver.advance(to: now) { bytes, _ in for index in bytes.indices { arrived.append(bytes[index]) } }
        guard isPortOpen, !arrived.isEmpty else { return }
        inputCount += 1
        engine.handle(bytes: arrived.span, at: now, into: &outputs)
        carryOut()
    }

    /// Gives the Engine the same instant once more, which must do nothing.
    private mutating func checkSettled() {
        if !outputs.isSettled { unsettled.append("\(seconds) s: \(outputs.changes), \(outputs.news)") }
        if let wake = outputs.wake, wake <= now { return }
        let (demand, wake) = (engine.demand, outputs.wake)
        engine.handle(.timePassed, at: now, into: &outputs)
        guard !outputs.actions.isEmpty || engine.demand != demand || outputs.wake != wake else { return }
        unsettled.append("\(seconds) s: \(outputs.actions), \(demand) to \(engine.demand)")
    }

    private mutating func carryOut() {
        defer { checkSettled() }
        engineWake = outputs.wake
        for case .radio(let range) in outputs.actions {
            let command = bytes(range)
            radio?.take(command)
        }
        var (opens, watches, readsClock) = (false, false, false)
        for index in outputs.actions.indices {
            switch outputs.actions[index] {
            case .openDevice: opens = true
            case .watchMotion: watches = true
            case .lookAtLine(let instant): nextLook = instant
            case .port(.setBaud(let baud)): receiver.hostBaud = baud
            case .port(.transmit(let bytes)):
                if bytes.starts(with: [0xB5, 0x62, 0x13, 0x40, 24, 0, 0x10]) { wasGivenTime = true }
                if isPortOpen { receiver.receive(bytes.span, at: now) }
            case .setLine(let role, let level):
                switches.append(Switch(seconds: Double(now.nanoseconds) * 1e-9, role: role, level: level))
                receiver.setLine(role, level, at: now)
            case .send(_, let range): lines.append(String(decoding: bytes(range), as: UTF8.self))
            case .keepLearned(let range): learned.append(bytes(range))
            case .log(let change): logged.append(change)
            case .host(let order): hostOrders.append(order)
            case .store(.put(let row)): rows[row.name] = row
            case .store(.remove(_, _, let name)): rows[name] = nil
            case .store(.erase): break
            case .rest, .port(.holdTransmitterLow), .remember, .persist, .acknowledge, .hold, .wake, .endWake,
                .wakeDone, .startUnit, .expireStart, .radio,
                .keepTrack, .serveTrack, .findCompass, .sampleCompass:
                break
            case .readClock: readsClock = true
            case .tellTime(let sample): samples.append(sample)
            }
        }
        if readsClock {
            let wall = UTCInstant(nanoseconds: 1_790_000_000_000_000_000 + now.nanoseconds)
            give(.clockRead(ClockReading(wall: wall, instant: now, isSynchronized: false)))
        }
        if opens {
            isPortOpen = true
            give(.deviceOpened(link, time: nil))
        }
        if watches { give(.motionAnswered(problem: nil)) }
    }

    private func bytes(_ range: Range<Int>) -> [UInt8] {
        outputs.text.bytes(range)
    }

    // MARK: What came of it

    /// When the Engine wants to be told that time has passed, in seconds.
    var wake: Double? { engineWake.map { Double($0.nanoseconds) * 1e-9 } }

    var seconds: Double { Double(now.nanoseconds) * 1e-9 }

    /// Asks for the status and returns it.
    mutating func status() -> String {
        ask(.status)
        return lines.removeLast()
    }

    /// Asks for something and returns the answer.
    mutating func answer(to kind: ClientRequest.Kind, of client: ClientID) -> String {
        ask(kind, of: client)
        return lines.removeLast()
    }

    /// How many sentences the receiver has sent, by the status.
    mutating func sentences() -> String? {
        let status = status()
        return status.firstRange(of: "\"sentences\":").map { String(status[$0.upperBound...].prefix { $0 != "," }) }
    }

    /// The locations that clients were sent since the last look.
    mutating func takeLocations() -> Int {
        let count = lines.count { $0.contains("\"event\":\"location\"") }
        lines.removeAll()
        return count
    }
}
