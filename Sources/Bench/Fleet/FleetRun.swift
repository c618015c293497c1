internal import CSextantLinux
internal import Emulation
internal import SextantUnits
internal import SextantUplink
internal import UplinkService

/// A simulated fleet at a real broker: all devices run in this thread, and each has its own connection.
///
/// A class, because it owns the connections for as long as it runs.
public final class FleetRun {
    public struct Options: Sendable {
        public var plan: FleetPlan
        public var host: String
        public var port: Int32
        /// The prefix of the devices' names; several fleets at one broker need different prefixes.
        public var name: String
        /// The time during which devices have fixes, in seconds.
        public var duration: Double
        /// The number of seconds over which first connections, and reconnections after a loss, are spread.
        public var spread: Double
        /// The certificate file of the authority that signed the broker's certificate; nil for connections without TLS.
        public var authority: String?
        /// The times at which the broker is killed, in seconds after the start.
        public var kills: [Double]

        public init(
            plan: FleetPlan, host: String, port: Int32, name: String, duration: Double, spread: Double,
            authority: String?, kills: [Double]
        ) {
            self.plan = plan
            self.host = host
            self.port = port
            self.name = name
            self.duration = duration
            self.spread = spread
            self.authority = authority
            self.kills = kills
        }
    }

    private struct Member {
        var device: FleetDevice
        /// Seconds from the start until the device is switched on; only then can it have fixes.
        let begin: Double
        var isOn = false
        var connection: FleetConnection?
        /// The number of connections so far, by which events of an earlier connection are recognised and dropped.
        var serial: UInt32 = 0
        var nextTick = 0.0
        /// The wall-clock time at which the broker accepted the connection, in nanoseconds since 1970.
        var accepted: Int64 = 0
        /// For each message number of the connection, the token by which the uplink's state machine identifies that
        /// message.
        var tokens: [Int32: UInt32] = [:]
    }

    private let options: Options
    private let broker: BrokerProcess?
    private let epoll: Int32
    private let start = clinux_boot_time()
    private var members: [Member] = []
    private var random: SplitMix64
    private var fixes = 0
    private var kills: ArraySlice<Double>
    /// The PID of the broker at the last measurement, its CPU seconds then, and the CPU seconds of all broker processes
    /// so far.
    private var processor: (number: Int32?, last: Double, used: Double) = (nil, 0, 0)
    public private(set) var tally = FleetTally()
    /// The number of messages to and from the broker, without the protocol's pings and acknowledgements.
    public private(set) var messages = 0

    /// The time after the last fix during which acknowledgements are still awaited, in seconds.
    private static let acknowledgementSeconds = 180.0

    /// - Parameter broker: The broker's process, whose CPU time is measured; nil if the broker runs elsewhere.
    public init(_ options: Options, broker: BrokerProcess?) {
        self.options = options
        self.broker = broker
        epoll = clinux_epoll_create()
        precondition(epoll >= 0, "the kernel gives no epoll set")
        random = SplitMix64(seed: 1)
        kills = options.kills.sorted()[...]
        (processor.number, processor.last) = (broker?.number, broker?.processorSeconds ?? 0)
        for index in 0..<options.plan.devices {
            let device = FleetDevice(
                id: "\(options.name)\(index)", spread: options.spread, usesTLS: options.authority != nil,
                seed: random.next())
            members.append(Member(device: device, begin: random.next(in: 0...max(0.001, options.spread))))
            let series = UInt32(truncatingIfNeeded: random.next())
            give(.start(UplinkStart(series: series, next: 1)), to: index)
        }
    }

    /// Seconds since the start.
    public var second: Double { Double(clinux_boot_time() - start) / 1e9 }
    public var connected: Int { members.reduce(0) { $0 + ($1.connection == nil ? 0 : 1) } }
    public var unacknowledged: Int { members.reduce(0) { $0 + $1.device.unacknowledged } }
    /// The number of messages that repeated records which had been sent before.
    public var repeated: Int { members.reduce(0) { $0 + $1.device.repeated } }
    /// Seconds of CPU time that the broker has used, summed over all its processes.
    public var processorSeconds: Double? { broker == nil ? nil : processor.used }

    /// Runs until all fixes are acknowledged, but at most `acknowledgementSeconds` after the last fix.
    ///
    /// - Parameter progress: Called about once a second.
    public func run(_ progress: (FleetRun) -> Void) {
        var nextScan = 0.0
        var nextWord = 1.0
        while second < options.duration || unacknowledged > 0 && second < options.duration + Self.acknowledgementSeconds
        {
            makeFixes()
            if second >= nextScan {
                scan()
                nextScan = second + 0.05
            }
            if second >= nextWord {
                measure()
                progress(self)
                nextWord += 1
            }
            serve()
        }
        for index in members.indices {
            members[index].connection?.disconnect()
            members[index].connection = nil
        }
        measure()
    }

    /// Gives a fix to each device for which one is due.
    private func makeFixes() {
        let count = options.plan.devices
        while second < options.duration {
            let index = fixes % count
            let due = options.plan.firstFix(of: index) + options.plan.rate * Double(fixes / count)
            guard due <= second else { return }
            fixes += 1
            guard members[index].isOn else { continue }
            tally.fixes += 1
            give(.fix(fix(fixes)), to: index)
        }
    }

    /// A fix on a walk along a parallel of latitude.
    private func fix(_ number: Int) -> UplinkFix {
        UplinkFix(
            time: UTCInstant(nanoseconds: clinux_wall_time()), measured: now, latitude: 47.3769,
            longitude: 8 + 0.000_115 * Double(number % 10_000), horizontalAccuracy: 4.2)
    }

    /// Does what becomes due with time: switches boards on, cuts networks, gives ticks to the uplinks, sends pings, and
    /// kills the broker.
    private func scan() {
        let (now, second) = (now, second)
        if let kill = kills.first, second >= kill {
            kills.removeFirst()
            measure()
            _ = broker?.kill()
        }
        for index in members.indices {
            if !members[index].isOn, second >= members[index].begin {
                members[index].isOn = true
                give(.authorization(.full), to: index)
            }
            if members[index].connection != nil {
                if !options.plan.isOnline(index, at: second) {
                    lose(index, because: "the network is gone")
                } else if second >= members[index].nextTick {
                    members[index].nextTick = second + 5
                    handle(members[index].connection?.tick() ?? [], index)
                }
            }
            if let wake = members[index].device.wake, wake <= now { give(.tick, to: index) }
        }
    }

    private func serve() {
        var events = [clinux_event](repeating: clinux_event(token: 0, events: 0), count: 64)
        // Safety: the kernel writes at most `events.count` events.
        let count = unsafe clinux_epoll_wait(epoll, &events, Int32(events.count), 5)
        for event in events.prefix(Int(max(0, count))) {
            let index = Int(event.token & 0xFFFF_FFFF)
            guard members[index].serial == UInt32(event.token >> 32), let connection = members[index].connection else {
                continue
            }
            let canRead = event.events & (clinux_epoll_in | clinux_epoll_error | clinux_epoll_hang_up) != 0
            handle(connection.serve(canRead: canRead), index)
        }
    }

    private func handle(_ events: [FleetConnection.Event], _ index: Int) {
        for event in events {
            switch event {
            case .accepted(let hadSession):
                members[index].accepted = clinux_wall_time()
                tally.count(at: second) { $0.connections += 1 }
                give(.connected(hadSession: hadSession), to: index)
            case .delivered(let number):
                if let token = members[index].tokens.removeValue(forKey: number) {
                    give(.delivered(token: token), to: index)
                }
            case .received(let topic, let bytes, let isRetained):
                messages += 1
                give(.message(topic: topic, payload: bytes, isRetained: isRetained), to: index)
            case .ended: return lose(index, because: "the connection ended")
            }
        }
    }

    // MARK: The reducer

    private var now: MonotonicInstant { MonotonicInstant(nanoseconds: clinux_boot_time()) }

    /// Gives an input to a device's uplink and carries out the steps that the uplink returns.
    private func give(_ input: UplinkInput, to index: Int) {
        let wall = clinux_wall_time()
        let (steps, stored) = members[index].device.take(input, at: now, utc: UTCInstant(nanoseconds: wall))
        if !stored.isEmpty { tally.count(at: second) { $0.stored += stored.count } }
        for time in stored {
            let wasConnected = time.nanoseconds >= members[index].accepted
            tally.add(fixStoredAfter: Double(wall - time.nanoseconds) / 1e9, wasConnected: wasConnected)
        }
        for step in steps {
            switch step {
            case .connect(let will): connect(index, will)
            case .disconnect:
                members[index].connection?.disconnect()
                lose(index, .asked)
            case .subscribe(let topic): members[index].connection?.subscribe(topic)
            case .publish(let message, let token): publish(message, token, index)
            }
        }
    }

    private func connect(_ index: Int, _ will: UplinkMessage?) {
        guard options.plan.isOnline(index, at: second) else { return lose(index, because: "there is no network") }
        members[index].serial &+= 1
        members[index].nextTick = second + 5
        members[index].tokens.removeAll(keepingCapacity: true)
        members[index].connection = FleetConnection(
            id: "sextant-\(members[index].device.id)", host: options.host, port: options.port,
            authority: options.authority, will: will, epoll: epoll,
            token: UInt64(members[index].serial) << 32 | UInt64(index))
        if members[index].connection == nil { lose(index, because: "nobody listens") }
    }

    private func lose(_ index: Int, because words: String) { lose(index, .lost(words)) }

    private func lose(_ index: Int, _ end: UplinkEnd) {
        members[index].connection = nil
        give(.connectionEnded(end), to: index)
    }

    private func publish(_ message: UplinkMessage, _ token: UInt32, _ index: Int) {
        guard let connection = members[index].connection,
            let bytes = message.isCompressed ? Deflate.zlib(message.payload) : message.payload
        else { return }
        guard let number = connection.publish(message.topic, bytes, isRetained: message.isRetained) else {
            return lose(index, because: "the connection ended")
        }
        members[index].tokens[number] = token
        messages += 1
        // Only messages with a track are compressed: the first line is the track's head, each further line a fix. Other
        // messages have no fixes.
        let records = message.isCompressed ? message.payload.count { $0 == UInt8(ascii: "\n") } - 1 : 0
        guard records > 0 else { return }
        tally.count(at: second) { $0.published += records }
        tally.bytes += message.topic.utf8.count + bytes.count
    }

    private func measure() {
        guard let number = broker?.number, let used = broker?.processorSeconds else { return }
        // The CPU time of each process counts from 0. The previous value is reset only when the PID changes, not at a
        // kill, because the PID file can still name the killed process.
        if number != processor.number { (processor.number, processor.last) = (number, 0) }
        processor.used += max(0, used - processor.last)
        processor.last = used
    }
}
