internal import CSextantLinux
internal import Emulation
internal import SextantUnits
internal import SextantUplink
internal import UplinkService

/// A simulated fleet at a real broker: all its devices in this thread, each with a connection of its own.
///
/// A class, because it owns the connections for as long as it runs.
public final class FleetRun {
    public struct Options: Sendable {
        public var plan: FleetPlan
        public var host: String
        public var port: Int32
        /// Begins the devices' names; several fleets at one broker need different ones.
        public var name: String
        /// Seconds for which devices have fixes.
        public var duration: Double
        /// Seconds within which the devices connect at first, and again after a loss.
        public var spread: Double
        /// The file of the authority that signed the broker's certificate; nil for connections without TLS.
        public var authority: String?
        /// Seconds after the start at which the broker is killed.
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
        /// The second at which the device is switched on; it has fixes from then on.
        let begin: Double
        var isOn = false
        var connection: FleetConnection?
        /// Counts the connections, so that an event of an earlier one is known.
        var serial: UInt32 = 0
        var nextTick = 0.0
        /// Since when the broker has taken the connection, nanoseconds of the wall clock.
        var accepted: Int64 = 0
        /// The reducer's tokens by the numbers of messages at the broker.
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
    /// The process of the broker that was measured last, its seconds of a processor then, and those of all since the start.
    private var processor: (number: Int32?, last: Double, used: Double) = (nil, 0, 0)
    public private(set) var tally = FleetTally()
    /// Messages that went to the broker and came from it, without pings and acknowledgements of the protocol.
    public private(set) var messages = 0

    /// Seconds for which records may still arrive after the last fix.
    private static let patience = 180.0

    /// - Parameter broker: The broker's process, whose time is measured; nil where it runs elsewhere.
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
    /// Messages of records that were sent before.
    public var repeated: Int { members.reduce(0) { $0 + $1.device.repeated } }
    /// Seconds of a processor that the broker has used, all its processes together.
    public var processorSeconds: Double? { broker == nil ? nil : processor.used }

    /// Runs until all fixes are acknowledged, or for so long after the last one that the rest is taken for lost.
    ///
    /// - Parameter progress: Called about once a second.
    public func run(_ progress: (FleetRun) -> Void) {
        var nextScan = 0.0
        var nextWord = 1.0
        while second < options.duration || unacknowledged > 0 && second < options.duration + Self.patience {
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

    /// Gives a fix to each device whose turn has come.
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

    /// A walk along a parallel.
    private func fix(_ number: Int) -> UplinkFix {
        UplinkFix(
            time: UTCInstant(nanoseconds: clinux_wall_time()), measured: now, latitude: 47.3769,
            longitude: 8 + 0.000_115 * Double(number % 10_000), horizontalAccuracy: 4.2)
    }

    /// Looks after what time alone brings: boards that are switched on, networks that go, the reducers' ticks, pings and
    /// the broker's end.
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
        // Safety: the kernel writes at most so many events.
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

    /// Gives a device's reducer what happened, and obeys it.
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
        // Only a track is compressed; its first line is its head, and each further one a fix: none where it asks.
        let records = message.isCompressed ? message.payload.count { $0 == UInt8(ascii: "\n") } - 1 : 0
        guard records > 0 else { return }
        tally.count(at: second) { $0.published += records }
        tally.bytes += message.topic.utf8.count + bytes.count
    }

    private func measure() {
        guard let number = broker?.number, let used = broker?.processorSeconds else { return }
        // One that was killed may still be there, with what it had used.
        if number != processor.number { (processor.number, processor.last) = (number, 0) }
        processor.used += max(0, used - processor.last)
        processor.last = used
    }
}
