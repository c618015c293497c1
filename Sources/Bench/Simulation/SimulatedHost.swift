internal import HostSleep
internal import Parts
internal import SextantUnits

/// A simulated host with a fault-free host switch: the host stops and loses its supply; the switch's alarm or motion
/// wakes it, and it boots.
struct SimulatedHost {
    typealias State = SimulationResult.Spell.State

    /// A period in one state.
    struct Spell {
        var state: State
        var from: MonotonicInstant
        var until: MonotonicInstant
    }

    let model: HostSleepModel
    private(set) var state = State.on
    private(set) var spells: [Spell] = []
    private var since = MonotonicInstant.zero
    /// The instant at which the host's present state ends by itself; nil if the state lasts until something else ends
    /// it.
    private(set) var nextInstant: MonotonicInstant?
    /// The instant at which the host's supply was last switched on.
    private(set) var poweredAt = MonotonicInstant.zero
    /// The order that the daemon gave to the host switch, and the instant of the alarm in this order; nil if no order
    /// is in force.
    private var armed: (order: SwitchOrder, at: MonotonicInstant)?
    private var hasFelt = false
    /// The cause for which the host was last switched on.
    private(set) var cause = WakeCause.alarm
    /// The rows of the daemon's database on the SD card, in the order in which they were first stored.
    private(set) var rows: [DurableRow] = []
    var learned: [UInt8]?

    init(_ model: HostSleepModel) {
        self.model = model
        var tried = BootHistory()
        tried.countAsTried()
        rows = [DurableRow(table: .settings, client: "", name: "boots", value: tried.encode())]
    }

    var isOn: Bool { state == .on }

    /// The daemon's own record of the host's energy, as stored in its database on the SD card; nil if none is stored.
    var ledger: HostLedger? {
        guard let index = index(of: .settings, "", "hostEnergy") else { return nil }
        let bytes = rows[index].value
        return HostLedger.decode(bytes.span)
    }

    /// The number of boots that ended a sleep of the host.
    var boots: Int { spells.count { $0.state == .booting } }

    // MARK: While it is on

    /// Carries out the daemon's order to the host and returns the answer; nil if the order has no answer.
    ///
    /// - Parameter wall: The present wall-clock time.
    mutating func carryOut(_ order: HostOrder, at instant: MonotonicInstant, wall: UTCInstant) -> HostReport? {
        switch order {
        case .inspect:
            var inspection = HostInspection()
            inspection.isInhibited = false
            inspection.hasSession = false
            inspection.hasSecondMaster = false
            inspection.isPackageManagerBusy = false
            inspection.isStoreSound = true
            inspection.isStayAwakeFileThere = false
            inspection.hasExternalPower = false
            inspection.wall = wall
            inspection.switchClock = wall
            return .inspected(inspection)
        case .arm(let order):
            let ahead = order.alarm.nanoseconds(since: wall)
            armed = (order, instant.advanced(byNanoseconds: ahead))
            let reading = SwitchReading(
                clock: wall, alarm: order.alarm, backstop: order.backstop, byMotion: order.byMotion)
            return .armed(reading, wall: wall)
        case .disarm:
            armed = nil
            return nil
        case .powerOff:
            enter(.stopping, at: instant, for: model.costs.stopSeconds)
            return nil
        }
    }

    mutating func change(_ change: DurableChange) {
        switch change {
        case .put(let row):
            if let index = index(of: row.table, row.client, row.name) {
                rows[index] = row
            } else {
                rows.append(row)
            }
        case .remove(let table, let client, let name):
            if let index = index(of: table, client, name) { rows.remove(at: index) }
        case .erase(let client): rows.removeAll { $0.client == client }
        }
    }

    private func index(of table: DurableTable, _ client: String, _ name: String) -> Int? {
        rows.firstIndex { $0.table == table && $0.client == client && $0.name == name }
    }

    // MARK: While the host is off

    /// The accelerometer detects motion; if the host is still stopping, it is woken as soon as its supply has been cut.
    mutating func felt(at instant: MonotonicInstant) {
        guard armed?.order.byMotion == true, !isOn, state != .booting else { return }
        hasFelt = true
        if state == .off { boot(by: .motion, at: instant) }
    }

    /// Changes the host to its next state if the present state has ended by this instant.
    mutating func advance(to instant: MonotonicInstant) {
        guard let end = nextInstant, end <= instant else { return }
        switch state {
        case .on: nextInstant = nil
        case .stopping: enter(.halted, at: instant, for: model.cutSeconds)
        case .halted:
            enter(.off, at: instant, for: nil)
            nextInstant = armed?.at
            if hasFelt { boot(by: .motion, at: instant) }
        case .off: boot(by: .alarm, at: instant)
        case .booting: enter(.on, at: instant, for: nil)
        }
    }

    private mutating func boot(by cause: WakeCause, at instant: MonotonicInstant) {
        self.cause = cause
        (hasFelt, armed) = (false, nil)
        enter(.booting, at: instant, for: model.costs.bootSeconds)
        poweredAt = instant
    }

    private mutating func enter(_ new: State, at instant: MonotonicInstant, for seconds: Double?) {
        spells.append(Spell(state: state, from: since, until: instant))
        (state, since) = (new, instant)
        nextInstant = seconds.map { instant.advanced(bySeconds: $0) }
    }

    mutating func finish(at end: MonotonicInstant) { enter(.on, at: end, for: nil) }

    // MARK: Energy

    /// The periods that the host spent in one state each, in order, with the energy of each period.
    var told: [SimulationResult.Spell] {
        spells.map { spell in
            let (from, until) = (Double(spell.from.nanoseconds) / 1e9, Double(spell.until.nanoseconds) / 1e9)
            return SimulationResult.Spell(
                state: spell.state, from: from, until: until,
                joules: milliwatts(in: spell.state) * (until - from) / 1000)
        }
    }

    /// The host's power draw in a state, in milliwatts at its 5 V supply.
    func milliwatts(in state: State) -> Double {
        switch state {
        case .on: model.costs.idleMilliwatts
        case .stopping: model.costs.stopMilliwatts
        case .halted: model.costs.haltedMilliwatts
        case .off: model.offMilliwatts * HostCosts.converterEfficiency
        case .booting: model.costs.bootJoules * 1000 / model.costs.bootSeconds
        }
    }
}
