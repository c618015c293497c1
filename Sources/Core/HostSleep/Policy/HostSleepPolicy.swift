public import SextantUnits

/// Decides when the host itself goes to sleep, and in which order the steps to the sleep are taken, so that the host
/// wakes again.
///
/// A state machine without I/O: events and time go in, actions come out. The policy never asks for a power-off before
/// the alarm was read from the chip that is to wake the host. Any fact that is not known keeps the host on.
public struct HostSleepPolicy: Sendable {
    enum State: Sendable, Equatable {
        case awake
        /// The system is being searched for reasons to stay on: the first time before clients are told of the sleep,
        /// the last time (`isLast`) before the alarm is set in the host switch, the chip that cuts the host's supply.
        case inspecting(isLast: Bool)
        /// Clients have been told of the sleep, and have until `until` to prepare for it or to ask for more time.
        case draining(until: MonotonicInstant, held: Double)
        case arming(SwitchOrder, attempt: Int)
        /// The system was asked to power off, and may be shutting down already.
        case stopping(SwitchOrder)
    }

    let configuration: HostSleepConfiguration
    /// The shortest sleep in seconds: the owner's minimum, but at least twice the sleep that breaks even in energy.
    let floor: Double
    /// The history of earlier boots; nil where the stored one cannot be read, so that the host stays on.
    public internal(set) var history: BootHistory?
    var state = State.awake
    var needs = HostNeeds()
    var plan: HostSleepPlan?
    /// The reasons against a sleep that the last inspection or attempt found; kept until the next try.
    var refused = StayAwakeReasons()
    let booted: MonotonicInstant
    /// Whether the board moves; nil where no motion sensor is relied on.
    var isMoving: Bool?
    var restSince: MonotonicInstant
    var maintenanceUntil: MonotonicInstant?
    /// Whether somebody was logged in when the system was last inspected.
    var wasAttended = false
    var stayAwakeUntil: MonotonicInstant?
    /// The instant of the next try after a sleep was prevented.
    var retryAt: MonotonicInstant?
    /// The number of attempts to sleep, in a row, that were prevented or in which the switch could not be set.
    var failures = 0
    /// The instant at which the owner's test of the switch is given up if the host could not sleep; nil without a test.
    var trialUntil: MonotonicInstant?
    /// Whether, in this boot, the switch kept an alarm that it was ordered to clear.
    var isStuck = false
    var isLow = false
    /// Whether the battery is so low that no client's need counts.
    var isCritical = false

    /// Seconds from telling the clients of a sleep until the host goes to sleep.
    static let drain = 30.0
    /// The longest time in seconds by which one request of a client can put off a sleep of the host.
    static let hold = 60.0
    /// The longest time in seconds by which all requests together can put off one sleep.
    static let allHolds = 120.0
    /// Seconds for which the board must rest before a sleep.
    static let rest = 60.0
    /// The largest number of attempts to set the switch's alarm for one sleep.
    static let attempts = 3
    /// Seconds from the first failed try to sleep until the next try, doubled after each further failure, up to
    /// `longestRetry`.
    static let retry = 600.0
    static let longestRetry = 21_600.0
    /// For the owner's test of the switch, in seconds: how long it waits for a chance to sleep, how long it waits
    /// between two attempts, and how long the host then sleeps.
    static let trialPatience = 600.0
    static let trialRetry = 30.0
    static let trialSleep = 120.0
    /// The largest number of boots of unknown cause in a day that are each taken for a person's work; a further one
    /// keeps the host on for only two minutes (`briefly`).
    static let unknownByHand = 4
    static let briefly = 120.0

    /// Begins with a new boot of the host.
    ///
    /// - Parameters:
    ///   - history: The stored history of earlier boots; nil where it cannot be read.
    ///   - boot: The record of this boot.
    ///   - fingerprint: A number that identifies the present board, kernel and switch; tests of the switch with another
    ///     number do not count.
    public init(
        _ configuration: HostSleepConfiguration, history: BootHistory?, boot: BootRecord, fingerprint: UInt32,
        at now: MonotonicInstant
    ) {
        self.configuration = configuration
        floor = max(configuration.settings.floor, configuration.breakEven.map { 2 * $0 } ?? .infinity)
        booted = now
        // If the host slept until its alarm although motion would have woken it, the board has rested all the time.
        let hasRested = boot.wasAsleep && boot.wake.cause == .alarm && configuration.hasMotionWake
        restSince = hasRested ? now.advanced(bySeconds: -HostSleepPolicy.rest) : now
        self.history = history
        self.history?.began(boot, fingerprint: fingerprint)
        if boot.isByHand {
            let seconds = configuration.settings.maintenance
            let unknown = self.history?.unknownToday ?? 0
            let isTrusted = boot.wake.cause != .unknown || unknown <= HostSleepPolicy.unknownByHand
            maintenanceUntil = now.advanced(bySeconds: isTrusted ? seconds : HostSleepPolicy.briefly)
        }
    }

    /// Takes one event; what is to be done is appended to `actions`, in order.
    public mutating func handle(_ event: HostEvent, at now: MonotonicInstant, into actions: inout [HostAction]) {
        switch event {
        case .report(let report): told(report, at: now, into: &actions)
        case .needs(let new): needs = new
        case .motion(let moves): moved(moves, at: now)
        case .served(let seconds): record(&actions) { $0.served(after: seconds) }
        case .located(let metres): record(&actions) { $0.travelled(metres) }
        case .clockCompared(let apart):
            record(&actions) { $0.compared(apart: apart, after: $0.boots.last?.slept ?? 0) }
        case .stayAwake(let until): stayAwakeUntil = until
        case .tryOut: trialUntil = now.advanced(bySeconds: HostSleepPolicy.trialPatience)
        case .allowed: record(&actions) { $0.allow() }
        case .hold(let seconds): held(seconds)
        case .timePassed: break
        }
        settle(at: now, into: &actions)
    }

    private mutating func told(_ report: HostReport, at now: MonotonicInstant, into actions: inout [HostAction]) {
        switch report {
        // `init` has taken the cause of the boot already.
        case .woke: break
        case .notCleared: isStuck = true
        case .battery(let percent): charged(percent)
        case .inspected(let inspection): inspected(inspection, at: now, into: &actions)
        case .armed(let reading, let wall): armed(reading, wall: wall, at: now, into: &actions)
        case .powerOffAnswered(let isAccepted):
            if case .stopping = state, !isAccepted { fail(.refused, at: now, into: &actions) }
        }
    }

    /// The reasons for which the host stays on now; none while it goes to sleep.
    public func reasons(at now: MonotonicInstant) -> StayAwakeReasons {
        var reasons = holders(at: now)
        reasons.formUnion(refused)
        reasons.insert(.tooSoon, where: reasons.isEmpty && newPlan(at: now) == nil)
        return reasons
    }

    /// The reasons for which the host stays on now, without those that the last inspection or attempt found.
    func holders(at now: MonotonicInstant) -> StayAwakeReasons {
        var reasons = lasting(at: now)
        reasons.insert(.stayAwake, where: stayAwakeUntil.map { now < $0 } ?? false)
        if let history {
            reasons.insert(.bootLoop, where: now < booted.advanced(bySeconds: history.loopLeft))
        }
        if isTrial(at: now) { return reasons }
        reasons.insert(.notTried, where: history?.isTried == false)
        if !isCritical {
            reasons.formUnion(needs.holders)
            reasons.insert(.nobodyAsks, where: configuration.settings.onlyWhenAsked && !needs.isAsked)
        }
        reasons.insert(.moving, where: isMoving == true || now < restSince.advanced(bySeconds: HostSleepPolicy.rest))
        reasons.insert(.maintenance, where: maintenanceUntil.map { now < $0 } ?? false)
        return reasons
    }

    /// The reasons that last until the owner or the next boot changes them.
    private func lasting(at now: MonotonicInstant) -> StayAwakeReasons {
        var reasons = StayAwakeReasons()
        reasons.insert(.notAllowed, where: !configuration.settings.isAllowed)
        reasons.insert(.noSwitch, where: configuration.traits == nil)
        reasons.insert(.alarmUnverified, where: isStuck)
        reasons.insert(.bootsUnknown, where: history == nil)
        if let barred = history?.barred { reasons.insert(barred) }
        reasons.insert(.noBackstop, where: needsMotionWake && !mayWakeByMotion(at: now))
        return reasons
    }

    /// Whether the host may sleep only if motion can wake it: the owner does not allow the alarm as the only wake-up.
    var needsMotionWake: Bool {
        let isAlarmAlone = configuration.traits.map { $0.backstop == nil } ?? false
        return isAlarmAlone && !configuration.settings.withoutBackstop
    }

    /// Whether the owner's test of the switch by a short sleep waits for its chance, or is under way.
    public func isTrial(at now: MonotonicInstant) -> Bool { trialUntil.map { now < $0 } ?? false }

    func mayWakeByMotion(at now: MonotonicInstant) -> Bool {
        configuration.hasMotionWake && !needs.isBlind
            && history?.motionMayWake(after: booted.seconds(until: now)) == true
    }

    /// The sleep that is under way; nil while the host stays on.
    public var planned: HostSleepPlan? { state == .awake ? nil : plan }

    /// The record of this boot.
    public var boot: BootRecord? { history?.boots.last }
}
