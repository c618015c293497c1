public import SextantUnits

/// What the whole board drew over all its boots and sleeps, at its 5 V.
///
/// While the host is on, the energy's own ledger counts. The rest is what the board's file says of each state, times the
/// time in it. How long a sleep was says the switch's clock; one without a clock that can be trusted counts as untimed, with
/// its stop, cut and boot alone.
public struct HostLedger: Sendable, Hashable {
    /// What the host does, in the order of a sleep.
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

    /// For whose sake the host was switched on again.
    public enum Reason: Int, Sendable, CaseIterable {
        case locate, tell, heartbeat, longest, trial, motion, other

        /// - Parameter planned: Whose deadline the alarm was set for.
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

    /// The time in a state, and its energy.
    public struct Spent: Sendable, Hashable {
        public var seconds = 0.0
        public var joules = 0.0
    }

    /// The wakes for one reason, with the energy of the stop, the cut and the boot.
    public struct Wakes: Sendable, Hashable {
        public var count: UInt32 = 0
        public var joules = 0.0
    }

    /// When the first boot began that counts.
    public let since: UTCInstant
    private var spent = [Spent](repeating: Spent(), count: State.allCases.count)
    private var woken = [Wakes](repeating: Wakes(), count: Reason.allCases.count)
    /// How many sleeps had no clock that can be trusted, so that their time off is left out.
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

    /// How often the host was switched on again.
    public var boots: UInt32 { woken.reduce(0) { $0 + $1.count } }

    /// The account with a boot's own energy, as its ledger has it.
    public func adding(on seconds: Double, joules: Double) -> HostLedger {
        var sum = self
        sum.add(.on, seconds, joules)
        return sum
    }

    /// Adds a sleep, from the request to power off until clients are served.
    ///
    /// - Parameters:
    ///   - seconds: Nil where no clock tells them.
    ///   - cutDelay: Seconds between the halted system and the cut.
    public mutating func slept(_ seconds: Double?, cutDelay: Double, for reason: Reason, costing costs: HostSleepCosts)
    {
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
        woken[reason.rawValue].joules += total.joules - before
        add(.off, left, costs.offMilliwatts * left / 1000)
        if seconds == nil { untimed &+= 1 }
    }

    private mutating func add(_ state: State, _ seconds: Double, _ joules: Double) {
        spent[state.rawValue].seconds += seconds
        spent[state.rawValue].joules += joules
    }
}

/// The stored form, little-endian: version (1 byte: 1), since, time and energy by state, wakes by reason, untimed sleeps.
extension HostLedger {
    private static let version: UInt8 = 1

    public var bytes: [UInt8] {
        var record = RecordWriter()
        record.write(HostLedger.version)
        record.write(since.nanoseconds)
        for part in spent {
            record.write(part.seconds)
            record.write(part.joules)
        }
        for part in woken {
            record.write(part.count)
            record.write(part.joules)
        }
        record.write(untimed)
        return record.bytes
    }

    /// Reads the stored form; nil where it is damaged or of a later version.
    public init?(_ bytes: borrowing Span<UInt8>) {
        var record = RecordReader(bytes.extracting(0..<bytes.count))
        guard record.integer() == HostLedger.version, let since: Int64 = record.integer() else { return nil }
        self.init(since: UTCInstant(nanoseconds: since))
        for state in State.allCases {
            guard let seconds = record.amount(), let joules = record.amount() else { return nil }
            spent[state.rawValue] = Spent(seconds: seconds, joules: joules)
        }
        for reason in Reason.allCases {
            guard let count: UInt32 = record.integer(), let joules = record.amount() else { return nil }
            woken[reason.rawValue] = Wakes(count: count, joules: joules)
        }
        guard let untimed: UInt32 = record.integer(), record.isAtEnd else { return nil }
        self.untimed = untimed
    }
}

extension RecordReader {
    /// A finite number that is not negative.
    mutating func amount() -> Double? {
        guard let value = double(), value.isFinite, value >= 0 else { return nil }
        return value
    }
}
