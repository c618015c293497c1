public import Receivers
public import SextantUnits

/// Decides whether the receiver is off, asleep, searching or tracking, second by second, from what the clients need.
///
/// This is a state machine without side effects: events and time go in, actions come out. The receiver counts as
/// unreachable until the controller reports that it is ready.
public struct ReceiverPowerPolicy: Sendable {
    let settings: PolicySettings
    /// The learned state of the receiver; only its statistics of starts are up to date, because `movement` holds those
    /// of the board's movements.
    var starts: LearnedState
    var state = PolicyState.unreachable
    var kinds: Set<SleepKind> = []
    var refusals = SleepRefusals()
    /// The joint need of all clients for the receiver.
    public internal(set) var demand = Demand.none
    var movement: MovementModel
    /// When the ephemeris was last known to be fresh.
    var ephemerisAt: MonotonicInstant?
    var lastStart: MonotonicInstant?
    var hasEverFixed = false
    /// How the receiver's starts ended.
    public internal(set) var startCounters = StartCounters()
    var failedSearches = 0
    /// The beginning of the first failed search since the last fix; if a position is less accurate than promised after
    /// that, the cause is the missing sky and not the policy.
    var unavailableSince: MonotonicInstant?
    /// The instant at which a receiver that is on and not needed goes to sleep.
    var lingersUntil: MonotonicInstant?
    /// Whether the clients still wait for a good fix; until it comes, no sleep is planned on the basis of an older fix.
    var owesFix = true
    /// The instant at which the learned statistics were last stored.
    var keptAt: MonotonicInstant?

    public init(_ settings: PolicySettings, learned: LearnedState) {
        self.settings = settings
        starts = learned
        movement = MovementModel(hasSensor: settings.hasMotionSensor, learned: learned.movements)
    }

    /// Takes one event; what is to be done is appended to `actions`, in order.
    public mutating func handle(_ event: PowerEvent, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        switch event {
        case .demanded(let demand): demanded(demand, at: now, into: &actions)
        case .motion(let isBusy): sensed(motion: isBusy, at: now, into: &actions)
        case .sleepKinds(let kinds): changed(kinds, at: now, into: &actions)
        case .noFix(let signal): tookNoFix(signal, at: now)
        case .portLost: state = .unreachable
        case .timePassed: timePassed(to: now, into: &actions)
        }
    }

    /// Takes a report of the receiver's controller; what is to be done is appended to `actions`, in order.
    public mutating func handle(_ report: ReceiverReport, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        switch report {
        case .ready: ready(at: now)
        case .asleep(let kind): confirmed(kind)
        case .sleepRefused(let kind): refused(kind, at: now, into: &actions)
        case .unresponsive: state = .unreachable
        case .identified, .woke, .recovered, .configurationRefused, .databaseSaved, .databaseLost, .databaseRestored,
            .sleepUnavailable:
            break
        }
    }
}

// MARK: State for other modules

extension ReceiverPowerPolicy {
    /// Statistics of the receiver's starts and of the board's movements, to be kept for the next run.
    public var learned: LearnedState {
        var learned = starts
        learned.movements = movement.learned
        return learned
    }

    public var phase: PowerPhase {
        switch state {
        case .unreachable: .unreachable
        case .asleep(let sleep): .asleep(sleep.kind)
        case .searching: .searching
        case .tracking(let tracking): tracking.isCyclic ? .cyclic : .tracking
        }
    }

    /// The planned instant of the next search; nil for none.
    public var nextStart: MonotonicInstant? {
        if case .asleep(let sleep) = state { return sleep.until }
        return nil
    }

    /// Whether the receiver rests because searches found nothing.
    public var isBackingOff: Bool {
        if case .asleep(let sleep) = state { return sleep.isBackingOff }
        return false
    }

    /// The instant at which the policy must next act even if no event comes; nil for none.
    public var deadline: MonotonicInstant? {
        switch state {
        case .unreachable: nil
        case .asleep(let sleep): sleep.until
        case .searching(let search): needsReceiver ? searchDeadline(search) : lingersUntil
        case .tracking(let tracking): needsReceiver ? lostDeadline(tracking) : lingersUntil
        }
    }

    /// The radius in metres around the last fix that contains the board with a probability of 68 %; nil before the
    /// first fix.
    public func uncertainty(at now: MonotonicInstant) -> Double? {
        guard let fix = movement.lastFix else { return nil }
        let moved = movement.movedSeconds(at: now)
        let drift = moved > 0 ? movement.speedQuantile(0.68) * moved : 0
        return (fix.horizontalAccuracy * fix.horizontalAccuracy + drift * drift).squareRoot()
    }

    /// Whether any client needs a position.
    public var needsReceiver: Bool { demand.accuracy != nil || demand.keepsOn }
}

// MARK: Time, motion and memory

extension ReceiverPowerPolicy {
    /// Motion shorter than this many seconds counts as a shock, and the search that it started is ended.
    static let knock = 3.0
    /// The shortest time in seconds between two writes of the learned statistics: 24 writes per day do an SD card no
    /// harm.
    static let keepInterval = 3600.0

    private mutating func sensed(motion: Bool, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        guard settings.hasMotionSensor else { return }
        let wasMoving = movement.isMoving
        let moved = movement.movedSeconds(at: now)
        movement.sensed(motion: motion, at: now)
        guard movement.isMoving != wasMoving else { return }
        if !motion, moved < ReceiverPowerPolicy.knock, case .searching(let search) = state {
            return knocked(search, at: now, into: &actions)
        }
        replanIfAsleep(endsBackOff: motion, at: now, into: &actions)
    }

    /// Ends a search that a short shock to the motion sensor started, if the next planned search is not due yet.
    private mutating func knocked(_ search: Search, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        guard let woken = search.woken, woken.isForMotion, needsReceiver,
            let kind = chooser(at: now).cheapest(of: usableKinds(at: now), for: FixPlanner.longestGap)
        else { return }
        let wait = plan(kind, slept: 0, ephemerisAge: ephemerisAge(at: now), isOn: false, at: now)
        guard wait > ReceiverPowerPolicy.knock else { return }
        fallAsleep(kind, until: now.advanced(bySeconds: wait), isBackingOff: false, at: now, into: &actions)
    }

    private mutating func timePassed(to now: MonotonicInstant, into actions: inout [PowerAction]) {
        guard let deadline, deadline <= now else { return }
        switch state {
        case .unreachable: break
        case .asleep(let sleep): start(sleep, at: now, into: &actions)
        case .searching(let search):
            guard needsReceiver else { return rest(until: nil, isBackingOff: false, at: now, into: &actions) }
            giveUp(search, at: now, into: &actions)
        case .tracking(let tracking):
            guard needsReceiver else { return rest(until: nil, isBackingOff: false, at: now, into: &actions) }
            lost(tracking, at: now, into: &actions)
        }
    }

    /// Asks to store the learned statistics after the first start, and then once per hour at most.
    mutating func keepLearned(at now: MonotonicInstant, into actions: inout [PowerAction]) {
        if let keptAt, now.secondsAfter(keptAt) < ReceiverPowerPolicy.keepInterval { return }
        keptAt = now
        actions.append(.learned)
    }
}
