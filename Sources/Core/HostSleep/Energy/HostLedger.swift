public import SextantUnits

/// The energy of the whole board over all its boots and sleeps, at its 5 V.
///
/// While the host is on, the energy ledger of the boot counts the energy. The energy of any other state is the draw in
/// the board file times the time in the state. The switch's clock tells how long a sleep lasted. A sleep without a
/// clock that can be trusted counts as untimed: only stopping, waiting for the cut of the supply and booting are
/// counted.
public struct HostLedger: Sendable, Hashable {
    /// A state of the host; the cases are in the order in which a sleep passes through them.
    public enum State: Int, Sendable, CaseIterable {
        case on, stopping, halted, off, booting

        public var name: StaticString {
            switch self {
            case .on: "on"
            case .stopping: "stopping"
            case .halted: "halted"
            case .off: "off"
            case .booting: "booting"
            }
        }
    }

    /// The reason for which the host was switched on again.
    public enum Reason: Int, Sendable, CaseIterable {
        case locate, tell, heartbeat, longest, trial, motion, other

        /// - Parameter planned: The reason for which the sleep was to end at its alarm.
        public init(_ cause: WakeCause, planned: HostSleepPlan.Cause?) {
            switch cause {
            case .motion: self = .motion
            case .power, .button, .unknown: self = .other
            case .alarm, .backstop:
                switch planned {
                case .locate: self = .locate
                case .tell: self = .tell
                case .heartbeat: self = .heartbeat
                case .longest: self = .longest
                case .trial: self = .trial
                case nil: self = .other
                }
            }
        }

        /// Whether clients caused the wake-up.
        var isClients: Bool {
            switch self {
            case .locate, .tell, .heartbeat, .motion: true
            case .longest, .trial, .other: false
            }
        }

        public var name: StaticString {
            switch self {
            case .locate: "locate"
            case .tell: "tell"
            case .heartbeat: "heartbeat"
            case .longest: "longest"
            case .trial: "trial"
            case .motion: "motion"
            case .other: "other"
            }
        }
    }

    /// The time that the host spent in a state, and the energy of that time.
    public struct Spent: Sendable, Hashable {
        public var seconds = 0.0
        public var joules = 0.0
    }

    /// The number of wake-ups for one reason, and the energy that the stops, waits for the cut and boots of these
    /// sleeps took.
    public struct Wakes: Sendable, Hashable {
        public var count: UInt32 = 0
        public var joules = 0.0
    }

    /// The energy of the wake-ups that one client caused.
    public struct Client: Sendable, Hashable {
        public var name: String
        public var joules: Double
    }

    /// The beginning of the first boot that this ledger counts.
    public private(set) var since: UTCInstant
    private var spent = [Spent](repeating: Spent(), count: State.allCases.count)
    private var woken = [Wakes](repeating: Wakes(), count: Reason.allCases.count)
    /// The energy of the wake-ups by client, in the order in which the clients first caused one.
    public private(set) var clients: [Client] = []
    /// The largest number of clients whose energy is counted separately; further clients are summed as `others`.
    private static let maximumClients = 64
    /// The name under which the energy of all clients that are not counted separately is summed.
    public static let others = "others"
    /// The name under which the energy of wake-ups that no client caused is counted.
    public static let own = "sextantd"
    /// The number of sleeps without a clock that can be trusted; their time off is left out.
    public private(set) var untimed: UInt32 = 0

    public init(since: UTCInstant) { self.since = since }

    public func spent(_ state: State) -> Spent { spent[state.rawValue] }

    public func wakes(_ reason: Reason) -> Wakes { woken[reason.rawValue] }

    /// The sum over all states.
    public var total: Spent {
        spent.reduce(into: Spent()) { sum, part in
            sum.seconds += part.seconds
            sum.joules += part.joules
        }
    }

    /// The number of times that the host was switched on again.
    public var boots: UInt32 { woken.reduce(0) { $0 + $1.count } }

    /// A copy of this ledger that includes the time and the energy of the present boot, which `EnergyLedger` counts.
    public func adding(on seconds: Double, joules: Double) -> HostLedger {
        var sum = self
        sum.add(.on, seconds, joules)
        return sum
    }

    /// Adds a sleep, from the request to power off until clients are served.
    ///
    /// - Parameters:
    ///   - seconds: The length of that time; nil where no clock tells it.
    ///   - cutDelay: Seconds from the system's halt until the switch cuts the supply.
    ///   - asking: The clients that needed locations when the sleep began; they share the costs if clients caused the
    ///     wake-up.
    public mutating func slept(
        _ seconds: Double?, cutDelay: Double, for reason: Reason, asking: [String], costing costs: HostSleepCosts
    ) {
        let host = costs.host
        var left = max(0, seconds ?? host.cycleSeconds(cutDelay: cutDelay))
        let before = total.joules
        for (state, most, milliwatts) in [
            (State.booting, host.bootSeconds, host.bootJoules * 1000 / host.bootSeconds),
            (.stopping, host.stopSeconds, host.stopMilliwatts), (.halted, cutDelay, host.haltedMilliwatts),
        ] {
            let time = min(left, most)
            left -= time
            add(state, time, milliwatts * time / 1000)
        }
        woken[reason.rawValue].count &+= 1
        let joules = total.joules - before
        woken[reason.rawValue].joules += joules
        let payers = reason.isClients && !asking.isEmpty ? asking : [HostLedger.own]
        for payer in payers { charge(joules / Double(payers.count), to: payer) }
        add(.off, left, costs.offMilliwatts * left / 1000)
        if seconds == nil { untimed &+= 1 }
    }

    private mutating func charge(_ joules: Double, to name: String) {
        if let index = clients.firstIndex(where: { $0.name == name }) {
            clients[index].joules += joules
        } else if clients.count < HostLedger.maximumClients || name == HostLedger.others {
            clients.append(Client(name: name, joules: joules))
        } else {
            charge(joules, to: HostLedger.others)
        }
    }

    private mutating func add(_ state: State, _ seconds: Double, _ joules: Double) {
        spent[state.rawValue].seconds += seconds
        spent[state.rawValue].joules += joules
    }
}

/// The stored form, little-endian: version (1 byte: 2), the beginning of the first boot, time and energy by state,
/// number and energy of the wake-ups by reason, the number of untimed sleeps; then, not in version 1, the clients:
/// their number (1 byte), and the name and energy of each.
extension HostLedger: Recorded {
    public static var blank: HostLedger { HostLedger(since: .blank) }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        let version = try record.version(upTo: 2)
        try since.code(&record)
        for index in spent.indices {
            try record.code(length: &spent[index].seconds)
            try record.code(length: &spent[index].joules)
        }
        for index in woken.indices {
            try record.code(&woken[index].count)
            try record.code(length: &woken[index].joules)
        }
        try record.code(&untimed)
        guard version > 1 else { return }
        try record.code(&clients, count: UInt8.self, blank: Client(name: "", joules: 0)) {
            (client, record) throws(DamagedRecord) in
            try record.code(&client.name)
            try record.code(length: &client.joules)
        }
    }
}
