internal import CSextantLinux
internal import Emulation
internal import SextantUnits

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
        var connection: FleetConnection?
        /// Counts the connections, so that an event of an earlier one is known.
        var serial: UInt32 = 0
        /// The second of the next try to connect.
        var attempt: Double
        var failures = 0
        var nextTick = 0.0
        /// Since when the broker has taken the connection, nanoseconds of the wall clock.
        var accepted: Int64 = 0
    }

    private let options: Options
    private let broker: BrokerProcess?
    private let epoll: Int32
    private let start = clinux_boot_time()
    private var members: [Member] = []
    private var random: SplitMix64
    private var fixes = 0
    private var kills: ArraySlice<Double>
    private var processor: (used: Double, last: Double) = (0, 0)
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
        processor.last = broker?.processorSeconds ?? 0
        for index in 0..<options.plan.devices {
            let device = FleetDevice(id: "\(options.name)\(index)", series: UInt32(truncatingIfNeeded: random.next()))
            members.append(Member(device: device, attempt: random.next(in: 0...max(0.001, options.spread))))
        }
    }

    /// Seconds since the start.
    public var second: Double { Double(clinux_boot_time() - start) / 1e9 }
    public var connected: Int { members.reduce(0) { $0 + ($1.connection == nil ? 0 : 1) } }
    public var unacknowledged: Int { members.reduce(0) { $0 + $1.device.unacknowledged } }
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
            tally.fixes += 1
            members[index].device.add(fixAt: UTCInstant(nanoseconds: clinux_wall_time()))
            send(index)
        }
    }

    /// Looks after what time alone brings: connections, networks that go, repetitions, pings and the broker's end.
    private func scan() {
        let now = second
        if let kill = kills.first, now >= kill {
            kills.removeFirst()
            measure()
            _ = broker?.kill()
            processor.last = 0
        }
        for index in members.indices {
            let isOnline = options.plan.isOnline(index, at: now)
            if members[index].connection != nil {
                if !isOnline {
                    lose(index)
                } else if now >= members[index].nextTick {
                    members[index].nextTick = now + 5
                    handle(members[index].connection?.tick() ?? [], index)
                    send(index)
                }
            } else if isOnline, now >= members[index].attempt {
                connect(index)
            }
        }
    }

    private func connect(_ index: Int) {
        members[index].serial &+= 1
        members[index].nextTick = second + 5
        members[index].connection = FleetConnection(
            id: "sextant-\(members[index].device.id)", host: options.host, port: options.port,
            authority: options.authority, epoll: epoll, token: UInt64(members[index].serial) << 32 | UInt64(index))
        if members[index].connection == nil { lose(index) }
    }

    /// The first try comes within `spread`, each further one within a longer time.
    private func lose(_ index: Int) {
        members[index].connection = nil
        let most =
            members[index].failures == 0 ? options.spread : min(600, 15 * Double(1 << min(6, members[index].failures)))
        members[index].failures += 1
        members[index].attempt = second + random.next(in: 0...max(0.001, most))
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
            case .accepted:
                members[index].failures = 0
                members[index].accepted = clinux_wall_time()
                tally.count(at: second) { $0.connections += 1 }
                members[index].connection?.subscribe(members[index].device.acknowledgements)
                publish(members[index].device.connected(), index)
                send(index)
            case .delivered(let number):
                members[index].device.delivered(number, at: second)
                send(index)
            case .received(let bytes):
                messages += 1
                let now = clinux_wall_time()
                let stored = members[index].device.received(bytes)
                tally.count(at: second) { $0.stored += stored.count }
                for utc in stored {
                    let wasConnected = utc.nanoseconds >= members[index].accepted
                    tally.add(fixStoredAfter: Double(now - utc.nanoseconds) / 1e9, wasConnected: wasConnected)
                }
            case .ended:
                return lose(index)
            }
        }
    }

    private func send(_ index: Int) {
        guard members[index].connection?.isAccepted == true else { return }
        publish(members[index].device.next(at: second), index)
    }

    private func publish(_ list: [FleetDevice.Message], _ index: Int) {
        for message in list {
            guard
                let number = members[index].connection?.publish(
                    message.topic, message.bytes, isRetained: message.isRetained)
            else { return lose(index) }
            members[index].device.published(message, as: number)
            messages += 1
            tally.count(at: second) { $0.published += message.records }
            tally.repeated += message.repeated
            if message.newest != nil { tally.bytes += message.topic.utf8.count + message.bytes.count }
        }
    }

    private func measure() {
        guard let used = broker?.processorSeconds else { return }
        processor.used += max(0, used - processor.last)
        processor.last = used
    }
}
