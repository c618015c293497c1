internal import Receivers
public import Units

/// Whether the receiver is off, asleep, searching or tracking, second by second, from what the clients need.
///
/// A state machine without hands: events and time go in, actions come out. It begins not knowing whether the receiver
/// is there; `ready` tells it.
public struct ReceiverPowerPolicy: Sendable {
    /// A search that goes on.
    struct Search: Sendable, Equatable {
        var since: MonotonicInstant
        /// From which sleep, and how long that was; nil for one that began while the receiver was on.
        var woken: Woken?
        /// When a signal was last strong enough to hope.
        var lastSignal: MonotonicInstant
    }

    struct Woken: Sendable, Equatable {
        var kind: SleepKind
        var offSeconds: Double
        var ephemerisAge: Double?
    }

    struct Tracking: Sendable, Equatable {
        var since: MonotonicInstant
        var lastFix: MonotonicInstant
        /// Metres; the best accuracy so far, and how many fixes ago it was.
        var bestAccuracy: Double
        var fixesSinceBest: Int
        var isCyclic: Bool
        /// Nobody needs it any more; it sleeps then.
        var lingersUntil: MonotonicInstant?
    }

    struct Sleep: Sendable, Equatable {
        var kind: SleepKind
        var since: MonotonicInstant
        /// When the next search is planned; nil for never.
        var until: MonotonicInstant?
        /// Whether a search failed, and the next one waits for its turn.
        var isBackingOff: Bool
    }

    enum State: Sendable, Equatable {
        case unreachable
        case asleep(Sleep)
        case searching(Search)
        case tracking(Tracking)
    }

    let settings: PolicySettings
    public private(set) var learned: LearnedState
    private(set) var state = State.unreachable
    private var kinds: Set<SleepKind> = []
    private var demand = Demand.none
    private var movement: MovementModel
    private var budget: ErrorBudget
    /// When the ephemeris was last known to be fresh.
    private var ephemerisAt: MonotonicInstant?
    private var lastStart: MonotonicInstant?
    private var hasEverFixed = false
    private var failedSearches = 0
    /// When the first failed search since the last fix began: from there on nobody is to blame for errors.
    private var unavailableSince: MonotonicInstant?
    private var motionDebounce: MonotonicInstant?
    /// Whether a client has had a good fix since it asked; until then no plan is made from an old one.
    private var owesFix = true
    private var hasReported = false

    /// Seconds between two starts at least.
    static let startDebounce = 2.0
    /// Seconds for which motion must last to count.
    static let motionHold = 3.0
    /// Seconds the receiver stays on after the last client went, for the next one.
    static let linger = 2.0
    /// Seconds without a fix after which a tracking receiver searches.
    static let trackingLost = 10.0
    /// Seconds a first search may take: a cold start needs them, and a steady state's budget would cut each one short.
    static let firstSearch = 120.0
    /// Seconds any later search may take at most.
    static let laterSearch = 60.0
    /// Seconds a search may take for a client that wants the receiver's best and waits for it.
    static let insistentSearch = 900.0
    /// Seconds without any signal worth the name after which a search is given up.
    static let hopeless = 15.0
    /// dB-Hz; below it a satellite's data cannot be read.
    static let weakestSignal = 20.0
    /// Minutes between searches that find nothing.
    static let backOffMinutes: InlineArray<7, Double> = [1, 2, 5, 10, 20, 30, 60]
    /// Seconds after the first fix in which a better one is waited for.
    static let longestDwell = 10.0
    /// Seconds of tracking in which every satellite in view has sent its ephemeris once: it comes every 30 s.
    static let ephemerisDownload = 35.0
    /// Seconds of search from which a start was no hot one.
    static let hotStartEnds = 15.0
    /// Metres: an accuracy asked for that is finer than the receiver's own does not make it wait.
    static let finestWaitedFor = 10.0

    public init(_ settings: PolicySettings, learned: LearnedState) {
        self.settings = settings
        self.learned = learned
        movement = MovementModel(hasSensor: settings.hasMotionSensor)
        budget = ErrorBudget(share: settings.allowedShare)
    }

    /// Takes one event; what is to be done is appended to `actions`, in order.
    public mutating func handle(_ event: PowerEvent, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        switch event {
        case .demanded(let demand): demanded(demand, at: now, into: &actions)
        case .motion(let isBusy): sensed(motion: isBusy, at: now, into: &actions)
        case .ready: ready(at: now, into: &actions)
        case .asleep(let kind): confirmed(kind)
        case .sleepRefused(let kind): refused(kind, at: now, into: &actions)
        case .sleepKinds(let kinds): self.kinds = kinds
        case .fix(let fix): took(fix, at: now, into: &actions)
        case .noFix(let signal): tookNoFix(signal, at: now, into: &actions)
        case .unreachable: state = .unreachable
        case .timePassed: timePassed(to: now, into: &actions)
        }
    }

    // MARK: What it shows

    public var phase: PowerPhase {
        switch state {
        case .unreachable: .unreachable
        case .asleep(let sleep): .asleep(sleep.kind)
        case .searching: .searching
        case .tracking(let tracking): tracking.isCyclic ? .cyclic : .tracking
        }
    }

    /// When the next search is planned.
    public var nextStart: MonotonicInstant? {
        if case .asleep(let sleep) = state { return sleep.until }
        return nil
    }

    /// Whether the receiver waits because searches found nothing.
    public var isBackingOff: Bool {
        if case .asleep(let sleep) = state { return sleep.isBackingOff }
        return false
    }

    /// The next instant at which time alone changes something.
    public var deadline: MonotonicInstant? {
        var earliest = motionDebounce
        func consider(_ instant: MonotonicInstant?) {
            guard let instant else { return }
            earliest = min(earliest ?? instant, instant)
        }
        switch state {
        case .unreachable: break
        case .asleep(let sleep): consider(sleep.until)
        case .searching(let search): consider(searchDeadline(search))
        case .tracking(let tracking):
            consider(tracking.lingersUntil)
            if needsReceiver { consider(tracking.lastFix.advanced(bySeconds: ReceiverPowerPolicy.trackingLost)) }
        }
        return earliest
    }

    /// The radius that holds 68 % of where the device may be now, in metres, given the last fix; nil before it.
    public func uncertainty(at now: MonotonicInstant) -> Double? {
        guard let fix = movement.lastFix else { return nil }
        let moved = movement.movedSeconds(at: now)
        let drift = moved > 0 ? movement.speedQuantile(0.68, moved: moved) * moved : 0
        return (fix.horizontalAccuracy * fix.horizontalAccuracy + drift * drift).squareRoot()
    }

    private var needsReceiver: Bool { demand.accuracy != nil || demand.keepsOn }

    // MARK: Events

    private mutating func demanded(_ new: Demand, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        let old = demand
        demand = new
        if let accuracy = new.accuracy, accuracy != old.accuracy {
            budget.accuracyChanged()
            if accuracy < old.accuracy ?? .infinity { failedSearches = 0 }
        }
        switch state {
        case .unreachable: break
        case .asleep(let sleep):
            guard needsReceiver else { return restOn(sleep, at: now, into: &actions) }
            // A client's request is news: what failed before is tried again for it.
            let isNews = new.clients != old.clients || new.accuracy != old.accuracy || new.keepsOn != old.keepsOn
            replan(sleep, endsBackOff: isNews, at: now, into: &actions)
        case .searching:
            if !needsReceiver { startLingering(at: now, tracking: nil) }
        case .tracking(var tracking):
            if needsReceiver {
                tracking.lingersUntil = nil
                state = .tracking(tracking)
                if demand.keepsOn { keepOn(tracking, at: now, into: &actions) }
            } else {
                startLingering(at: now, tracking: tracking)
            }
        }
    }

    private mutating func startLingering(at now: MonotonicInstant, tracking: Tracking?) {
        var lingering =
            tracking
            ?? Tracking(since: now, lastFix: now, bestAccuracy: .infinity, fixesSinceBest: 0, isCyclic: false)
        lingering.lingersUntil = now.advanced(bySeconds: ReceiverPowerPolicy.linger)
        state = .tracking(lingering)
    }

    private mutating func sensed(motion: Bool, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        if motion {
            // A knock is no motion yet; what lasts counts from its beginning.
            if motionDebounce == nil, !movement.isMoving {
                motionDebounce = now.advanced(bySeconds: ReceiverPowerPolicy.motionHold)
            }
            return
        }
        motionDebounce = nil
        movement.sensed(motion: false, at: now)
        replanIfAsleep(endsBackOff: false, at: now, into: &actions)
    }

    private mutating func ready(at now: MonotonicInstant, into actions: inout [PowerAction]) {
        guard case .unreachable = state else { return }
        let search = Search(since: now, woken: nil, lastSignal: now)
        state = .searching(search)
        if !needsReceiver { startLingering(at: now, tracking: nil) }
    }

    private mutating func confirmed(_ kind: SleepKind) {
        if case .asleep(var sleep) = state {
            sleep.kind = kind
            state = .asleep(sleep)
        }
    }

    private mutating func refused(
        _ kind: SleepKind, at now: MonotonicInstant, into actions: inout [PowerAction]
    ) {
        kinds.remove(kind)
        guard case .asleep(let sleep) = state else { return }
        // It is awake: it goes on searching until a fix, or sleeps in another way at once where nobody needs it.
        state = .searching(Search(since: now, woken: nil, lastSignal: now))
        if !needsReceiver || sleep.isBackingOff {
            rest(until: sleep.until, isBackingOff: sleep.isBackingOff, at: now, into: &actions)
        }
    }

    private mutating func took(_ fix: PowerFix, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        switch state {
        case .unreachable, .asleep: break
        case .searching(let search):
            found(search, at: now, into: &actions)
            let tracking = Tracking(
                since: now, lastFix: now, bestAccuracy: fix.horizontalAccuracy, fixesSinceBest: 0, isCyclic: false)
            follow(fix, tracking, at: now, into: &actions)
        case .tracking(var tracking):
            tracking.lastFix = now
            if fix.horizontalAccuracy < tracking.bestAccuracy {
                tracking.bestAccuracy = fix.horizontalAccuracy
                tracking.fixesSinceBest = 0
            } else {
                tracking.fixesSinceBest += 1
            }
            follow(fix, tracking, at: now, into: &actions)
        }
    }

    private mutating func tookNoFix(
        _ signal: Double?, at now: MonotonicInstant, into actions: inout [PowerAction]
    ) {
        guard case .searching(var search) = state, signal ?? 99 >= ReceiverPowerPolicy.weakestSignal else { return }
        search.lastSignal = now
        state = .searching(search)
    }

    private mutating func timePassed(to now: MonotonicInstant, into actions: inout [PowerAction]) {
        if let debounce = motionDebounce, debounce <= now {
            motionDebounce = nil
            movement.sensed(
                motion: true, at: debounce.advanced(bySeconds: -ReceiverPowerPolicy.motionHold))
            replanIfAsleep(endsBackOff: true, at: now, into: &actions)
        }
        switch state {
        case .unreachable: break
        case .asleep(let sleep):
            guard let until = sleep.until, until <= now, needsReceiver else { return }
            if sleep.isBackingOff { return start(sleep, at: now, into: &actions) }
            replan(sleep, endsBackOff: false, at: now, into: &actions)
        case .searching(let search):
            if searchDeadline(search) <= now { giveUp(search, at: now, into: &actions) }
        case .tracking(let tracking):
            if let end = tracking.lingersUntil {
                if end <= now { rest(until: nil, isBackingOff: false, at: now, into: &actions) }
            } else if tracking.lastFix.advanced(bySeconds: ReceiverPowerPolicy.trackingLost) <= now {
                state = .searching(Search(since: tracking.lastFix, woken: nil, lastSignal: now))
            }
        }
    }

    // MARK: Searching

    /// When a search is given up.
    private func searchDeadline(_ search: Search) -> MonotonicInstant {
        let hopeless = search.lastSignal.advanced(bySeconds: ReceiverPowerPolicy.hopeless)
        let budget = search.since.advanced(bySeconds: searchBudget(search))
        let planned = hopeless < budget && search.lastSignal > search.since ? max(hopeless, search.since) : budget
        guard demand.keepsOn, let deadline = demand.deadline else { return planned }
        return max(planned, deadline)
    }

    private func searchBudget(_ search: Search) -> Double {
        if demand.keepsOn { return ReceiverPowerPolicy.insistentSearch }
        guard hasEverFixed, let woken = search.woken else { return ReceiverPowerPolicy.firstSearch }
        let likely = learned.quantile(0.95, woken.kind, off: woken.offSeconds, ephemerisAge: woken.ephemerisAge)
        return min(ReceiverPowerPolicy.laterSearch, max(20, likely + 10))
    }

    /// A search ended in a fix: what it took is learned.
    private mutating func found(_ search: Search, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        let seconds = now.seconds(since: search.since)
        if let woken = search.woken {
            learned.noteStart(
                woken.kind, off: woken.offSeconds, ephemerisAge: woken.ephemerisAge, seconds: seconds)
            actions.append(.learned)
        } else if !hasEverFixed {
            learned.noteFirstStart(seconds: seconds)
            actions.append(.learned)
        }
        // A start that was not hot ended because the ephemeris had been read.
        if seconds >= ReceiverPowerPolicy.hotStartEnds || ephemerisAt == nil { ephemerisAt = now }
        hasEverFixed = true
        failedSearches = 0
    }

    private mutating func giveUp(_ search: Search, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        let last = ReceiverPowerPolicy.backOffMinutes.count - 1
        let pause = ReceiverPowerPolicy.backOffMinutes[min(failedSearches, last)] * 60
        failedSearches += 1
        unavailableSince = unavailableSince ?? search.since
        actions.append(.searchFailed(afterSeconds: now.seconds(since: search.since), retryInSeconds: pause))
        rest(until: now.advanced(bySeconds: pause), isBackingOff: true, at: now, into: &actions)
    }

    private mutating func start(_ sleep: Sleep, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        if let lastStart, now.seconds(since: lastStart) < ReceiverPowerPolicy.startDebounce {
            var later = sleep
            later.until = lastStart.advanced(bySeconds: ReceiverPowerPolicy.startDebounce)
            state = .asleep(later)
            return
        }
        lastStart = now
        let woken = Woken(
            kind: sleep.kind, offSeconds: now.seconds(since: sleep.since), ephemerisAge: ephemerisAge(at: now))
        state = .searching(Search(since: now, woken: woken, lastSignal: now))
        actions.append(.wake)
    }

    private func ephemerisAge(at now: MonotonicInstant) -> Double? { ephemerisAt.map { now.seconds(since: $0) } }

    // MARK: Tracking

    private mutating func follow(
        _ fix: PowerFix, _ tracking: Tracking, at now: MonotonicInstant, into actions: inout [PowerAction]
    ) {
        state = .tracking(tracking)
        if !tracking.isCyclic, now.seconds(since: tracking.since) >= ReceiverPowerPolicy.ephemerisDownload {
            ephemerisAt = now
        }
        guard needsReceiver, isGood(fix, tracking, at: now) else { return }
        account(fix, at: now)
        actions.append(.deliver)
        owesFix = false
        if demand.keepsOn { return keepOn(tracking, at: now, into: &actions) }
        sleepIfItPays(tracking, at: now, into: &actions)
    }

    /// Whether a fix is worth delivering, or a better one is near: first fixes are often off.
    private func isGood(_ fix: PowerFix, _ tracking: Tracking, at now: MonotonicInstant) -> Bool {
        guard !demand.keepsOn, let accuracy = demand.accuracy else { return true }
        return fix.horizontalAccuracy <= max(accuracy / 2, ReceiverPowerPolicy.finestWaitedFor)
            || tracking.fixesSinceBest >= 2
            || now.seconds(since: tracking.since) >= ReceiverPowerPolicy.longestDwell
    }

    private mutating func account(_ fix: PowerFix, at now: MonotonicInstant) {
        let accuracy = demand.keepsOn ? 0 : demand.accuracy ?? 0
        let isFirst = movement.lastFix == nil
        let gap = movement.age(at: now)
        let before = movement.lastFixAt
        var spent = movement.take(fix, limit: max(accuracy, 1), at: now)
        if let unavailable = unavailableSince { spent = min(spent, unavailable.seconds(since: before)) }
        unavailableSince = nil
        if !isFirst, accuracy > 0 { budget.account(gap: gap, spent: spent) }
    }

    private mutating func keepOn(_ tracking: Tracking, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        guard tracking.isCyclic else { return }
        var full = tracking
        full.isCyclic = false
        full.since = now
        state = .tracking(full)
        actions.append(.wake)
    }

    private mutating func sleepIfItPays(
        _ tracking: Tracking, at now: MonotonicInstant, into actions: inout [PowerAction]
    ) {
        let chooser = chooser(at: now)
        let wait = wait(at: now)
        guard let kind = chooser.cheapest(of: kinds, for: wait), wait > chooser.breakEven(kind) + 1 else {
            return keepOn(tracking, at: now, into: &actions)
        }
        if kind == .cyclic {
            guard !tracking.isCyclic else { return }
            var cyclic = tracking
            cyclic.isCyclic = true
            state = .tracking(cyclic)
            actions.append(.sleep(.cyclic, forNanoseconds: nil))
            return
        }
        if refreshPays(tracking, wait: wait, kind: kind, at: now) { return }
        rest(until: now.advanced(bySeconds: wait), isBackingOff: false, at: now, into: &actions)
    }

    /// Whether staying on until the ephemeris has come costs less than the warm starts it saves.
    private func refreshPays(_ tracking: Tracking, wait: Double, kind: SleepKind, at now: MonotonicInstant) -> Bool {
        guard !tracking.isCyclic, let age = ephemerisAge(at: now), age > ReceiverPowerPolicy.ephemerisDownload else {
            return false
        }
        let left = ReceiverPowerPolicy.ephemerisDownload - now.seconds(since: tracking.since)
        let warm = learned.expected(kind, off: wait, ephemerisAge: age + wait)
        let hot = learned.expected(kind, off: wait, ephemerisAge: wait)
        return left > 0 && settings.draw.tracking * left < settings.draw.acquiring * (warm - hot)
    }

    private func chooser(at now: MonotonicInstant) -> SleepChooser {
        SleepChooser(draw: settings.draw, learned: learned, ephemerisAge: ephemerisAge(at: now))
    }

    // MARK: Sleeping

    /// Seconds until the next search, by the plan.
    private func wait(at now: MonotonicInstant) -> Double {
        guard let accuracy = demand.accuracy, !demand.keepsOn, !owesFix else { return 0 }
        let kind: SleepKind = if case .asleep(let sleep) = state { sleep.kind } else { kinds.max() ?? .hardware }
        let age = ephemerisAge(at: now)
        var starts = FixPlanner.StartTimes(repeating: 0)
        for index in starts.indices {
            starts[index] = learned.quantile(0.1 + 0.2 * Double(index), kind, off: 60, ephemerisAge: age)
        }
        let planner = FixPlanner(movement: movement, budget: budget, starts: starts, accuracy: accuracy, now: now)
        let floor = demand.minimumInterval.map { $0 - movement.age(at: now) - starts[2] } ?? 0
        return max(planner.wait, floor)
    }

    private mutating func replanIfAsleep(
        endsBackOff: Bool, at now: MonotonicInstant, into actions: inout [PowerAction]
    ) {
        guard needsReceiver, case .asleep(let sleep) = state else { return }
        replan(sleep, endsBackOff: endsBackOff, at: now, into: &actions)
    }

    private mutating func replan(
        _ sleep: Sleep, endsBackOff: Bool, at now: MonotonicInstant, into actions: inout [PowerAction]
    ) {
        if sleep.isBackingOff {
            guard endsBackOff else { return }
            failedSearches = 0
            return start(sleep, at: now, into: &actions)
        }
        let wait = wait(at: now)
        guard wait > 0.5 else { return start(sleep, at: now, into: &actions) }
        var planned = sleep
        planned.until = now.advanced(bySeconds: wait)
        state = .asleep(planned)
    }

    /// Nobody needs the receiver that sleeps: it sleeps on.
    private mutating func restOn(_ sleep: Sleep, at now: MonotonicInstant, into actions: inout [PowerAction]) {
        guard sleep.until != nil else { return }
        var longer = sleep
        longer.until = nil
        longer.isBackingOff = false
        state = .asleep(longer)
        owesFix = true
        actions.append(.sleep(sleep.kind, forNanoseconds: nil))
    }

    private mutating func rest(
        until: MonotonicInstant?, isBackingOff: Bool, at now: MonotonicInstant, into actions: inout [PowerAction]
    ) {
        let seconds = until.map { $0.seconds(since: now) } ?? 86_400
        let deep = kinds.subtracting([.cyclic])
        guard let kind = chooser(at: now).cheapest(of: deep, for: seconds) else { return stayOn(at: now) }
        state = .asleep(Sleep(kind: kind, since: now, until: until, isBackingOff: isBackingOff))
        if until == nil { owesFix = true }
        actions.append(.sleep(kind, forNanoseconds: until.map { $0.nanoseconds(since: now) }))
    }

    /// Nothing can switch the receiver: it goes on, and so does the search.
    private mutating func stayOn(at now: MonotonicInstant) {
        switch state {
        case .searching: state = .searching(Search(since: now, woken: nil, lastSignal: now))
        case .tracking(var tracking):
            tracking.lingersUntil = nil
            state = .tracking(tracking)
        case .unreachable, .asleep: break
        }
    }
}
