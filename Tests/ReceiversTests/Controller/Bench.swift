import Epochs
import Receivers
import SextantUnits
import UBX

/// A controller and the receiver that it talks to, on one line, in time that is driven; all of it in seconds.
struct Bench {
    enum Event: Equatable {
        case write([UInt8])
        case line(LineRole, Bool)
        case baud(Int)
        case hold(Bool)
        case report(ReceiverReport)
    }

    var controller: ReceiverController
    var receiver: StandIn
    var now = 0.0
    /// What was ordered, and when.
    var events: [(time: Double, event: Event)] = []
    private var stream = ReceiverStream()
    private var incoming: [(time: Double, bytes: [UInt8], rate: Int)] = []
    private var nextReport = 0.3
    private var isOpen = false
    private var hostBaud: Int?

    init(_ configuration: ReceiverControllerConfiguration, _ receiver: StandIn = StandIn()) {
        controller = ReceiverController(configuration)
        self.receiver = receiver
    }

    /// A bench whose port is open and whose receiver was woken and given time.
    static func awake(
        _ configuration: ReceiverControllerConfiguration, _ receiver: StandIn = StandIn(),
        at link: ReceiverLink = .uart
    ) -> Bench {
        var bench = Bench(configuration, receiver)
        bench.open(link, baud: link.hasRate ? receiver.baud : nil)
        bench.wake()
        bench.run(until: 60)
        return bench
    }

    mutating func open(_ link: ReceiverLink = .uart, baud: Int?) {
        isOpen = true
        hostBaud = baud
        order { $0.portOpened(link, baud: baud, at: $1, into: &$2) }
    }

    mutating func unplug() {
        isOpen = false
        order { $0.portLost(at: $1, into: &$2) }
    }

    mutating func wake(_ aid: ReceiverAid? = nil) { order { $0.wake(aid: aid, at: $1, into: &$2) } }

    mutating func sleep(_ kind: SleepKind, for seconds: Double? = nil) {
        order { $0.sleep(kind, forNanoseconds: seconds.map { Int64($0 * 1e9) }, at: $1, into: &$2) }
    }

    /// Forgets what was ordered until now.
    mutating func forget() {
        events = []
        receiver.commands = []
        receiver.sentences = []
    }

    mutating func run(for seconds: Double) { run(until: now + seconds) }

    /// Plays everything that happens until then, in order.
    mutating func run(until end: Double) {
        while true {
            let due = controller.deadline.map { Double($0.nanoseconds) / 1e9 } ?? .infinity
            let arrival = incoming.first?.time ?? .infinity
            let next = min(due, arrival, nextReport)
            guard next <= end else { break }
            now = max(now, next)
            receiver.pass(to: now)
            if next == nextReport {
                nextReport += 1
                let report = receiver.report
                if !report.isEmpty { send(report, after: 0.01) }
            } else if next == arrival {
                let (_, bytes, rate) = incoming.removeFirst()
                deliver(bytes, rate: rate)
            } else {
                order { $0.timePassed(to: $1, into: &$2) }
            }
        }
        now = max(now, end)
        receiver.pass(to: now)
    }

    /// The receiver sends this.
    mutating func send(_ bytes: [UInt8], after delay: Double) {
        incoming.append((now + delay, bytes, receiver.baud))
        incoming.sort { $0.time < $1.time }
    }

    private mutating func deliver(_ bytes: [UInt8], rate: Int) {
        guard isOpen else { return }
        order { $0.heardBytes(at: $1, into: &$2) }
        guard hostBaud == nil || hostBaud == rate else { return }
        // A message that was begun and not ended before a silence is none.
        while stream.hasPartialMessage {
            stream.abandonPartialMessage()
            while stream.next() != nil {}
        }
        _ = stream.append(bytes.span)
        while let message = stream.next() {
            let whole = Array(stream.window[stream.range])
            let fields = stream.fields
            order { $0.heard(message, fields: fields, bytes: whole.span, at: $1, into: &$2) }
        }
    }

    private mutating func order(
        _ body: (inout ReceiverController, MonotonicInstant, inout [ReceiverOrder]) -> Void
    ) {
        var orders: [ReceiverOrder] = []
        body(&controller, MonotonicInstant(nanoseconds: Int64((now * 1e9).rounded())), &orders)
        for order in orders { obey(order) }
    }

    private mutating func obey(_ order: ReceiverOrder) {
        switch order {
        case .port(.transmit(let bytes)):
            events.append((now, .write(bytes)))
            var delay = 0.02
            for reply in receiver.hear(bytes, at: hostBaud, now: now) {
                send(reply, after: delay)
                delay += 0.01
            }
        case .setLine(let role, let isOn):
            events.append((now, .line(role, isOn)))
            if role == .powerEnable { receiver.supply(isOn) }
            if role == .wake, isOn { receiver.sleepsUntil = nil }
        case .port(.setBaud(let rate)):
            events.append((now, .baud(rate)))
            hostBaud = rate
        case .port(.holdTransmitterLow(let isHeld)): events.append((now, .hold(isHeld)))
        case .report(let report): events.append((now, .report(report)))
        }
    }

    var reports: [ReceiverReport] {
        events.compactMap {
            if case .report(let report) = $0.event { return report }
            return nil
        }
    }

    var writes: [[UInt8]] {
        events.compactMap {
            if case .write(let bytes) = $0.event { return bytes }
            return nil
        }
    }

    /// Everything but reports.
    var acts: [Event] {
        events.map(\.event).filter {
            if case .report = $0 { return false }
            return true
        }
    }

    func time(of event: Event) -> Double? { events.first { $0.event == event }?.time }
}

extension ReceiverControllerConfiguration {
    static func plain(
        _ model: ReceiverModel? = nil, lines: Set<LineRole> = [], baud: Int? = nil, backup: Bool = false
    ) -> ReceiverControllerConfiguration {
        ReceiverControllerConfiguration(model: model, lines: lines, baud: baud, hasPersistentBackup: backup)
    }
}

extension MonVER {
    static let m8N = MonVER(
        softwareVersion: "EXT CORE 3.01 (111141)", hardwareVersion: "00080000",
        extensions: ["ROM BASE 2.01 (75331)", "FWVER=SPG 3.01", "PROTVER=18.00", "MOD=NEO-M8N-0"])
    static let neo6M = MonVER(
        softwareVersion: "7.03 (45969)", hardwareVersion: "00040007", extensions: [])
    static let f9P = MonVER(
        softwareVersion: "EXT CORE 1.00 (94e56e)", hardwareVersion: "00190000",
        extensions: ["ROM BASE 0x118B2060", "FWVER=HPG 1.13", "PROTVER=27.12", "MOD=ZED-F9P"])
    static let m9N = MonVER(
        softwareVersion: "EXT CORE 4.04 (7f89f7)", hardwareVersion: "00190000",
        extensions: ["ROM BASE 0x118B2060", "FWVER=SPG 4.04", "PROTVER=32.01", "MOD=NEO-M9N"])
}
