internal import ClientProtocol
internal import GNSS
internal import HostSleep
internal import Parts
internal import Power
internal import SextantUnits

/// What the host is needed for, besides the requests for locations.
struct OtherHostNeeds {
    /// Whether a person may be at work: a client follows the status, or the agent is connected that asks the user
    /// questions.
    var isOperated: Bool
    var watchesHeadings: Bool
    /// When the receiver must next be on; nil where no client needs a location.
    var locate: MonotonicInstant?
    /// The next instant at which a client must be notified of something that needs no new fix, such as a dwell.
    var tell: MonotonicInstant?
    /// The present time, if the receiver has given the time since the boot; nil otherwise.
    var utc: UTCInstant?
    /// Whether the board could move without a sensor noticing.
    var isBlind: Bool
}

/// Decides when the host itself goes to sleep; does nothing where host sleep is not configured.
struct HostSleeping: ~Copyable {
    /// All values that other parts of the Engine read from host sleep, except `deadline`.
    private(set) var view: HostSleepingView
    private var actions: [HostAction] = []
    /// The history of earlier boots, from the store; nil where the stored history cannot be read.
    private var history: BootHistory? = BootHistory()
    /// The present time, if the receiver has given the time since the boot; nil otherwise.
    private var utc: UTCInstant?
    /// The needs for the host that come from clients' location requests.
    private var asked = HostNeeds()
    /// The names of the energy accounts of the clients that need locations.
    private var askers: [String] = []
    /// The needs for the host that were last passed to the sleep policy.
    private var told = HostNeeds()
    private var isMoving: Bool?
    private var firstFix = FirstFix()
    /// The host's wall clock at the last inspection of the system, and the instant of the inspection.
    private var wall: (utc: UTCInstant, at: MonotonicInstant)?

    init(_ configuration: EngineConfiguration) {
        view = HostSleepingView(configuration: configuration.hostSleep)
        isMoving = configuration.power?.motionSensorDraw == nil ? nil : false
    }

    func deadline(at instant: MonotonicInstant) -> MonotonicInstant? { view.policy?.deadline(at: instant) }

    // MARK: Stored rows

    /// The names of this part's rows in the database table of settings.
    private static let boots = "boots"
    private static let asleep = "hostAsleep"
    private static let energy = "hostEnergy"

    /// Takes a row of the store: true if it was read, false if it is damaged, nil if it belongs to another part.
    mutating func restore(_ row: DurableRow) -> Bool? {
        switch row.name {
        case HostSleeping.boots:
            history = BootHistory.decode(row.value.span)
            return history != nil
        case HostSleeping.asleep:
            view.note = SleepNote.decode(row.value.span)
            return view.note != nil
        case HostSleeping.energy:
            view.ledger = HostLedger.decode(row.value.span)
            return view.ledger != nil
        default: return nil
        }
    }

    mutating func restored(_ last: Fix) { firstFix.before = last }

    // MARK: Events

    /// What the Engine must do about a sleep of the host.
    struct Consequences {
        /// What clients must be told: that the host will sleep, or that it stays awake; nil for nothing.
        var news: HostNews?
        /// Whether to store now all that would be lost without power.
        var storesAll = false
        /// Whether the energy of this boot is to be added to the host's energy account, because the host goes to sleep.
        var countsEnergy = false
        /// The sleep that has just ended; nil for none.
        var slept: Slept?
    }

    /// The board's movements while the host slept, as far as they are known.
    struct Slept {
        /// The time until which the board was surely at rest; nil where that is not known.
        var restedUntil: UTCInstant?
        /// Whether the board may have moved between the beginning of the sleep and now.
        var isDoubted: Bool
    }

    mutating func reported(_ report: HostReport, _ turn: inout Turn) -> Consequences {
        if case .woke(let wake, let clock, let fingerprint) = report {
            return woke(wake, clock: clock, fingerprint, &turn)
        }
        if case .inspected(let inspection) = report { wall = inspection.wall.map { ($0, turn.instant) } }
        return tellPolicy([.report(report)], &turn)
    }

    /// Takes the cause of this boot, and tells the sleep policy that clients are served now.
    private mutating func woke(
        _ wake: HostWake, clock: UTCInstant?, _ fingerprint: UInt32, _ turn: inout Turn
    ) -> Consequences {
        guard let configuration = view.configuration, view.policy == nil else { return Consequences() }
        // Where the power switch does not know the cause of the wake, motion counts as the cause if the host was set to
        // wake by motion and the board moves now.
        let isMotions = wake.cause == .unknown && isMoving == true && view.note?.byMotion == true
        let wake = isMotions ? HostWake(.motion, isRead: false) : wake
        let seconds = Double(turn.instant.nanoseconds) / 1e9
        let asleep = view.note?.boot(wake, clock: clock, seconds: seconds)
        let boot = asleep ?? BootRecord(wake: wake, slept: 0, wasAsleep: false, late: nil)
        firstFix.clock = clock.map { ($0, turn.instant) }
        view.policy = HostSleepPolicy(
            configuration, history: history, boot: boot, fingerprint: fingerprint, at: turn.instant)
        keep(&turn)
        let slept = view.note.map { note in
            let rested = note.rest(before: wake, clock: clock, seconds: seconds)
            return Slept(restedUntil: rested, isDoubted: rested == nil || wake.cause == .motion)
        }
        countSleep(wake, clock: clock, configuration, &turn)
        forgetNote(&turn)
        let sinceAlarm = wake.cause == .alarm ? boot.late.map { $0 + seconds } : nil
        var consequences = tellPolicy([.needs(told), .motion(isMoving), .served(afterAlarm: sinceAlarm)], &turn)
        consequences.slept = slept
        return consequences
    }

    mutating func sensed(motion moves: Bool, _ turn: inout Turn) -> Consequences {
        isMoving = moves
        return tellPolicy([.motion(moves)], &turn)
    }

    /// Takes a fix that is delivered to clients.
    mutating func found(_ fix: Fix, _ turn: inout Turn) -> Consequences {
        guard view.policy != nil else { return Consequences() }
        return tellPolicy(firstFix.found(fix, at: turn.instant), &turn)
    }

    /// Takes the reasons for which the clients' location requests keep the host on, whether there are any requests, and
    /// the clients' names.
    mutating func asked(_ holders: StayAwakeReasons, isAsked: Bool, by askers: [String]) {
        self.askers = askers
        asked.holders = holders
        asked.isAsked = isAsked
    }

    /// Takes the needs besides those of location requests, and tells the sleep policy all needs; if none has changed,
    /// tells it only that time has passed.
    mutating func settle(_ others: OtherHostNeeds, _ turn: inout Turn) -> Consequences {
        utc = others.utc
        var new = asked
        new.holders.insert(.heading, where: others.watchesHeadings)
        new.holders.insert(.operator, where: others.isOperated)
        new.locate = others.locate
        new.tell = others.tell
        new.isBlind = others.isBlind
        guard new != told else { return tellPolicy([.timePassed], &turn) }
        told = new
        return tellPolicy([.needs(new)], &turn)
    }

    mutating func hold(seconds: Double, _ turn: inout Turn) -> Consequences {
        tellPolicy([.hold(seconds: seconds)], &turn)
    }

    mutating func serve(_ request: HostControl, _ turn: inout Turn) -> Consequences {
        switch request {
        case .allowSleep: return tellPolicy([.allowed], &turn)
        case .trySleep: return tellPolicy([.tryOut], &turn)
        case .keepAwake(let seconds):
            let until = seconds > 0 ? turn.instant.advanced(bySeconds: seconds) : nil
            return tellPolicy([.stayAwake(until: until)], &turn)
        }
    }

    private mutating func tellPolicy(_ events: [HostEvent], _ turn: inout Turn) -> Consequences {
        guard view.policy != nil else { return Consequences() }
        for event in events { view.policy?.handle(event, at: turn.instant, into: &actions) }
        var consequences = Consequences()
        for action in actions {
            switch action {
            case .tellSleep(let at, let until): consequences.news = news(of: at, until: until, at: turn.instant)
            case .tellStay: consequences.news = .staysAwake
            case .store: consequences.storesAll = true
            case .keep: keep(&turn)
            case .order(let order):
                carryOut(order, &turn)
                if case .powerOff = order { consequences.countsEnergy = true }
            }
        }
        actions.removeAll(keepingCapacity: true)
        return consequences
    }

    private func news(of start: MonotonicInstant, until end: MonotonicInstant, at now: MonotonicInstant) -> HostNews {
        let utc = wall.map { $0.utc.advanced(byNanoseconds: end.nanoseconds(since: $0.at)) }
        return .willSleep(
            inSeconds: Double(start.nanoseconds(since: now)) / 1e9,
            seconds: Double(end.nanoseconds(since: start)) / 1e9, until: utc)
    }

    private mutating func carryOut(_ order: HostOrder, _ turn: inout Turn) {
        switch order {
        case .powerOff(let order):
            guard let wall else { break }
            let from = wall.utc.advanced(byNanoseconds: turn.instant.nanoseconds(since: wall.at))
            let isTrial = view.policy?.isTrial(at: turn.instant) ?? false
            let note = SleepNote(
                from: from, alarm: order.alarm, isTrial: isTrial, byMotion: order.byMotion,
                cause: view.policy?.planned?.cause, clients: askers)
            view.note = note
            turn.put(.settings, "", HostSleeping.asleep, note.encode())
        case .disarm: forgetNote(&turn)
        case .inspect: return turn.actions.append(.host(.inspect(wall: utc)))
        case .arm: break
        }
        turn.actions.append(.host(order))
    }

    private mutating func forgetNote(_ turn: inout Turn) {
        guard view.note != nil else { return }
        view.note = nil
        turn.remove(.settings, "", HostSleeping.asleep)
    }

    private func keep(_ turn: inout Turn) {
        guard let history = view.policy?.history else { return }
        turn.put(.settings, "", HostSleeping.boots, history.encode())
    }

    // MARK: Energy

    /// Adds the energy of the sleep that has just ended to the host's energy account.
    private mutating func countSleep(
        _ wake: HostWake, clock: UTCInstant?, _ configuration: HostSleepConfiguration, _ turn: inout Turn
    ) {
        guard let note = view.note, let costs = configuration.costs, let traits = configuration.traits else { return }
        var counted = view.ledger ?? HostLedger(since: note.from)
        counted.slept(
            note.seconds(until: clock), cutDelay: Double(traits.cutDelay),
            for: HostLedger.Reason(wake.cause, planned: note.cause), asking: note.clients, costing: costs)
        view.ledger = counted
        turn.put(.settings, "", HostSleeping.energy, counted.encode())
    }

    /// Stores the host's energy account with this boot's energy added, because the host goes to sleep or the daemon
    /// ends.
    ///
    /// The account in memory stays without this boot's energy, because the power-off can still be cancelled.
    mutating func countBoot(_ spent: EnergySpent, _ turn: inout Turn) {
        guard view.configuration?.costs != nil, view.policy != nil else { return }
        let from = wall.map { wall in
            wall.utc.advanced(byNanoseconds: turn.instant.nanoseconds(since: wall.at) - Int64(spent.nanoseconds))
        }
        guard let before = view.ledger ?? from.map({ HostLedger(since: $0) }) else { return }
        view.ledger = before
        turn.put(.settings, "", HostSleeping.energy, before.adding(spent).encode())
    }
}

/// The state of host sleep, its energy and the last sleeps, for other parts of the Engine to read.
struct HostSleepingView: ~Copyable {
    fileprivate let configuration: HostSleepConfiguration?
    /// Decides when the host sleeps; nil until the cause of this boot is known.
    fileprivate(set) var policy: HostSleepPolicy?
    /// The stored note about the sleep that the host was told to begin; nil while the host is to stay on.
    fileprivate var note: SleepNote?
    /// The energy that the board used in all earlier boots and sleeps; nil before the first sleep.
    fileprivate var ledger: HostLedger?

    fileprivate init(configuration: HostSleepConfiguration?) { self.configuration = configuration }

    /// Whether the configuration has settings for host sleep; without them, the host never sleeps.
    var isConfigured: Bool { configuration != nil }

    /// Whether the host was told to power off; the stored energy account then already contains this boot's energy.
    var isStopping: Bool { note != nil }

    /// The energy that the board used in all its boots and sleeps; nil before the first sleep.
    ///
    /// - Parameter label: The name of the client that sees only its own part and the sum of all others; nil for an
    ///   operator, who sees all parts.
    func energy(_ spent: EnergySpent, seenBy label: String?) -> HostEnergyObject? {
        guard let costs = configuration?.costs, let ledger, ledger.boots > 0 else { return nil }
        let sum = ledger.adding(spent)
        return HostEnergyObject(
            since: sum.since,
            states: HostLedger.State.allCases.map { state in
                let isAssumed = state == .off || (state != .on && !costs.areMeasured)
                return HostEnergyObject.Part(
                    name: state.name, seconds: sum.spent(state).seconds, joules: sum.spent(state).joules,
                    isAssumed: isAssumed)
            },
            wakes: HostLedger.Reason.allCases.compactMap { reason in
                let wakes = sum.wakes(reason)
                guard wakes.count > 0 else { return nil }
                return HostEnergyObject.Wakes(name: reason.name, count: Int(wakes.count), joules: wakes.joules)
            }, clients: HostSleepingView.clients(sum.clients, seenBy: label), untimed: Int(sum.untimed),
            batteryWattHours: spent.batteryWattHours)
    }

    private static func clients(_ all: [HostLedger.Client], seenBy label: String?) -> [HostEnergyObject.Client] {
        var seen: [HostEnergyObject.Client] = []
        for client in all {
            let isShown = label == nil || client.name == label || client.name == HostLedger.own
            let name = isShown ? client.name : HostLedger.others
            if let index = seen.firstIndex(where: { $0.name == name }) {
                seen[index].joules += client.joules
            } else {
                seen.append(HostEnergyObject.Client(name: name, joules: client.joules))
            }
        }
        return seen.sorted { ($1.joules, $0.name) < ($0.joules, $1.name) }
    }

    func status(at instant: MonotonicInstant) -> HostStatus? {
        guard let configuration else { return nil }
        var status = HostStatus(isSwitched: configuration.traits != nil)
        guard let policy else { return status }
        status.reasons = policy.reasons(at: instant).all.map { $0.rawValue }
        status.plan = policy.planned.map { plan in
            HostStatus.Plan(
                cause: plan.cause.rawValue, seconds: Double(plan.wake.nanoseconds(since: instant)) / 1e9,
                backstop: plan.backstop, byMotion: plan.byMotion, isProven: configuration.traits?.proof == .chip)
        }
        status.boot = policy.boot.map { HostStatus.Boot($0) }
        let ended = policy.history?.boots.filter { $0.wasAsleep } ?? []
        status.sleeps = ended.suffix(HostStatus.maximumSleeps).map { HostStatus.Boot($0) }
        return status
    }
}

extension HostStatus.Boot {
    fileprivate init(_ boot: BootRecord) {
        self.init(
            cause: boot.wake.cause.rawValue, isRead: boot.wake.isRead, slept: boot.wasAsleep ? boot.slept : nil,
            late: boot.late)
    }
}

extension HostLedger {
    /// Returns this energy account with the energy of a boot added.
    fileprivate func adding(_ spent: EnergySpent) -> HostLedger {
        adding(on: Double(spent.nanoseconds) / 1e9, joules: Double(spent.total) / 1e9)
    }
}
