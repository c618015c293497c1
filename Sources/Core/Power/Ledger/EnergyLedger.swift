public import SextantUnits

/// Accounts for every millijoule the board spends: by part, by cause and by client.
///
/// The caller notes what the receiver, the sensors and the host do, and the ledger integrates the board's draws between
/// those events. All sums are whole nanojoules, so parts, causes and clients add up exactly. An event allocates
/// nothing. Time in suspend counts at the idle host's draw, so a host that suspends draws less than the ledger says.
public struct EnergyLedger: Sendable {
    /// The receiver's states that differ in power draw.
    public enum State: UInt8, Sendable, CaseIterable {
        case acquiring = 0
        case tracking = 1
        case cyclic = 2
        case softwareSleep = 3
        case hardwareSleep = 4
        case off = 5
    }

    /// The time that an energy report covers.
    public enum Window: Sendable, CaseIterable {
        /// The last 60 full minutes and the current minute.
        case lastHour
        /// The last 24 hours in full quarters of an hour, and the current quarter.
        case lastDay
        /// All time since the ledger began, which is when the daemon started.
        case sinceBoot
    }

    /// A window of time for which the ledger keeps a row for each minute or quarter of an hour.
    public enum HistoryWindow: String, Sendable, CaseIterable {
        /// A row for each of 60 minutes, and one for the current minute.
        case hour
        /// A row for each of 96 quarters of an hour, and one for the current quarter.
        case day
    }

    /// The energy spent in one row of a window: a minute or a quarter of an hour.
    public struct HistoryRow: Sendable, Equatable {
        /// The instant at which the row's minute or quarter of an hour began.
        public let began: MonotonicInstant
        public let spent: EnergySpent
    }

    public let model: EnergyModel
    private var accounts = EnergyAccounts()
    private var clients = EnergyClients()
    private var accounted: MonotonicInstant

    private var state = State.off
    private var cause = EnergyCause.idleSleep
    /// The clients that share the present draw of receiver and sensors, by their indices in the table of accounts.
    private var sharers: [Int]
    /// One bit for each sensor, set while the sensor is on.
    private var sensorsOn: UInt32 = 0
    private var sensorDraw: UInt64 = 0
    private var receiverMeter = EnergyMeter()
    private var sensorMeter = EnergyMeter()
    private var radio: RadioUse?
    /// The clients that share the radio's draw, by their indices in the table of accounts.
    private var radioSharers: [Int] = []
    private var radioMeter = EnergyMeter()
    /// The part of the radio's listening time that is not counted yet, less than a nanosecond; it is stored in
    /// nanoseconds multiplied by the scan interval.
    private var scanRest: UInt64 = 0
    private var hostMeter = EnergyMeter()

    /// Begins with the receiver and the sensors off, and without clients.
    public init(_ model: EnergyModel, at instant: MonotonicInstant) {
        self.model = model
        accounted = instant
        sharers = [EnergyClients.own]
        sharers.reserveCapacity(EnergyClients.maximum + 2)
    }

    /// Opens an energy account for a client; where 64 accounts exist, one common account serves all further clients.
    public mutating func join(_ client: UInt32, label: String) {
        clients.join(client, label: label)
        accounts.hold(clients: clients.accounts.count)
    }

    /// Notes that a client left; its energy account stays while some of that energy was spent within the last day.
    public mutating func leave(_ client: UInt32) { clients.leave(client) }

    /// Notes which clients have regions, visits or significant changes monitored, whether or not they are connected.
    public mutating func register(_ labels: [String]) {
        clients.register(labels)
        accounts.hold(clients: clients.accounts.count)
    }

    /// The labels (client names) under which the energy of these clients is counted, each label once.
    public func labels(of ids: [UInt32]) -> [String] {
        var labels: [String] = []
        for id in ids {
            let slot = clients.slot(of: id)
            let label = slot < clients.accounts.count ? clients.accounts[slot]?.label : nil
            let name = label ?? EnergySpent.othersLabel
            if !labels.contains(name) { labels.append(name) }
        }
        return labels
    }

    /// The smallest identifier of an account for a client's registrations (regions, visits); the accounts of connected
    /// clients have smaller identifiers.
    public static let firstRegistrations: UInt32 = 1 << 31

    /// The identifier of the account to which the energy for a client's regions and other registrations is charged.
    ///
    /// It is the FNV-1a hash of the client's label with the highest bit set: registrations outlive connections, so a
    /// client that comes back needs the same account.
    public static func number(ofRegistrations label: String) -> UInt32 {
        label.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 } | firstRegistrations
    }

    /// Notes a change of the receiver's state, of the cause of that state, or of the clients that need it.
    ///
    /// - Parameter clients: The clients that share the receiver's draw equally from now on; empty where the daemon
    ///   itself causes the draw.
    public mutating func enter(
        _ state: State, cause: EnergyCause, clients ids: [UInt32], at instant: MonotonicInstant
    ) {
        advance(to: instant)
        self.state = state
        self.cause = cause
        share(among: ids)
    }

    /// Notes that a sensor was switched on or off; the receiver's clients share the draw of all sensors.
    public mutating func sensor(_ index: Int, isOn: Bool, at instant: MonotonicInstant) {
        precondition(model.sensors.indices.contains(index), "no such sensor in the model")
        advance(to: instant)
        let bit: UInt32 = 1 << UInt32(index)
        sensorsOn = isOn ? sensorsOn | bit : sensorsOn & ~bit
        sensorDraw = 0
        for index in model.sensors.indices where sensorsOn & (1 << UInt32(index)) != 0 {
            sensorDraw += model.sensors[index]
        }
    }

    /// The activity of the radio that receives beacons, and the clients that need it.
    public struct RadioUse: Sendable, Equatable {
        /// The scan window: the time for which the radio listens in each `interval`, in the same unit as `interval`.
        public var window: UInt16
        public var interval: UInt16
        public var cause: EnergyCause
        /// The clients that share the radio's draw; empty where the daemon itself causes the draw.
        public var clients: [UInt32]

        public init(window: UInt16, interval: UInt16, cause: EnergyCause, clients: [UInt32]) {
            self.window = window
            self.interval = max(1, interval)
            self.cause = cause
            self.clients = clients
        }
    }

    /// Notes how the radio listens from now on; nil for not at all.
    public mutating func listen(_ use: RadioUse?, at instant: MonotonicInstant) {
        guard use != radio else { return }
        advance(to: instant)
        radio = use
        scanRest = 0
        let slots = use?.clients.map { clients.slot(of: $0) } ?? []
        radioSharers = slots.isEmpty ? [EnergyClients.own] : slots
    }

    /// Notes that the host woke up once, for these clients; an empty list stands for the daemon itself.
    public mutating func hostWoke(_ cause: EnergyCause, clients ids: [UInt32], at instant: MonotonicInstant) {
        advance(to: instant)
        accounts.add(model.hostWake, column: EnergyAccounts.Column.hostWake)
        accounts.add(model.hostWake, column: EnergyAccounts.Column.causes + Int(cause.rawValue))
        guard !ids.isEmpty else { return charge(model.hostWake, slot: EnergyClients.own) }
        for (index, id) in ids.enumerated() {
            charge(EnergyLedger.share(model.hostWake, index, of: ids.count), slot: clients.slot(of: id))
        }
    }

    /// Adds the energy spent up to `instant`; an instant before that of the last call changes nothing.
    public mutating func advance(to instant: MonotonicInstant) {
        while instant > accounted {
            let rest = UInt64(instant.nanoseconds(since: accounted))
            let step = min(rest, accounts.untilRow)
            spend(nanoseconds: step)
            accounted = accounted.advanced(byNanoseconds: Int64(step))
            if accounts.pass(nanoseconds: step) { forgetTheDeparted() }
        }
    }

    /// The energy spent in a window that ends at the last event or call of `advance`.
    public func spent(over window: Window) -> EnergySpent {
        let (row, nanoseconds) = accounts.sums(over: window)
        return EnergySpent(row: row, nanoseconds: nanoseconds, clients: clients, model: model)
    }

    /// The rows of a window that ends at the last event or call of `advance`, oldest first; they add up to
    /// `spent(over:)`.
    public func history(of window: HistoryWindow) -> [HistoryRow] {
        let start = accounted.advanced(byNanoseconds: -Int64(accounts.age))
        return accounts.rows(of: window).map { row, began, nanoseconds in
            HistoryRow(
                began: start.advanced(byNanoseconds: Int64(began)),
                spent: EnergySpent(row: row, nanoseconds: nanoseconds, clients: clients, model: model))
        }
    }

    private mutating func share(among ids: [UInt32]) {
        sharers.removeAll(keepingCapacity: true)
        for id in ids {
            let slot = clients.slot(of: id)
            // A client that is named twice has one share; several clients without an account have one share each.
            if slot == EnergyClients.others || !sharers.contains(slot) { sharers.append(slot) }
        }
        if sharers.isEmpty { sharers.append(EnergyClients.own) }
    }

    private mutating func spend(nanoseconds: UInt64) {
        let receiver = receiverMeter.spend(
            nanowatts: model.receiver[Int(state.rawValue)], nanoseconds: nanoseconds)
        let sensors = sensorMeter.spend(nanowatts: sensorDraw, nanoseconds: nanoseconds)
        let host = hostMeter.spend(nanowatts: model.hostIdle, nanoseconds: nanoseconds)
        accounts.add(receiver, column: EnergyAccounts.Column.states + Int(state.rawValue))
        accounts.add(sensors, column: EnergyAccounts.Column.sensors)
        accounts.add(host, column: EnergyAccounts.Column.hostIdle)
        listen(nanoseconds: nanoseconds)
        let caused = receiver + sensors
        accounts.add(caused, column: EnergyAccounts.Column.causes + Int(cause.rawValue))
        for index in sharers.indices {
            charge(EnergyLedger.share(caused, index, of: sharers.count), slot: sharers[index])
        }
    }

    private mutating func listen(nanoseconds: UInt64) {
        guard let radio else { return }
        let (window, interval) = (UInt64(radio.window), UInt64(radio.interval))
        let scanned = nanoseconds * window + scanRest
        scanRest = scanned % interval
        accounts.add(Int64(scanned / interval), column: EnergyAccounts.Column.scanned)
        let draw = (model.radio ?? 0) * window / interval
        let spent = radioMeter.spend(nanowatts: draw, nanoseconds: nanoseconds)
        accounts.add(spent, column: EnergyAccounts.Column.radio)
        accounts.add(spent, column: EnergyAccounts.Column.causes + Int(radio.cause.rawValue))
        for index in radioSharers.indices {
            charge(EnergyLedger.share(spent, index, of: radioSharers.count), slot: radioSharers[index])
        }
    }

    private mutating func charge(_ nanojoules: Int64, slot: Int) {
        accounts.add(nanojoules, column: EnergyAccounts.Column.account(slot))
    }

    /// The share with this index of `count` equal shares; the first shares get a nanojoule of the remainder each.
    private static func share(_ nanojoules: Int64, _ index: Int, of count: Int) -> Int64 {
        let (quotient, remainder) = nanojoules.quotientAndRemainder(dividingBy: Int64(count))
        return quotient + (Int64(index) < remainder ? 1 : 0)
    }

    private mutating func forgetTheDeparted() {
        for slot in clients.accounts.indices {
            let column = EnergyAccounts.Column.account(slot)
            guard let account = clients.accounts[slot], !account.isPresent, !sharers.contains(slot),
                !radioSharers.contains(slot),
                !accounts.isInDay(column)
            else { continue }
            accounts.fold(column, into: EnergyAccounts.Column.account(EnergyClients.others))
            clients.forget(slot: slot)
        }
    }
}
