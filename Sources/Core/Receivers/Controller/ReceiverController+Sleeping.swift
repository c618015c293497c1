internal import Units

/// A rest that is begun or under way.
struct Rest: Sendable {
    var kind = SleepKind.software
    /// Of the receiver's ways to sleep, the first that has not been given up.
    var methodIndex = 0
    /// Failures of that way, one after the other.
    var failures = 0
    /// Whether the sleep command was given a second time.
    var isSecondAttempt = false
    /// Whether the receiver was roused only to be told to sleep on.
    var isRenewal = false
    /// When the receiver wakes by itself; nil where it has no timer.
    var napEnd: MonotonicInstant?
    /// Whether the nap ends before the rest does.
    var isNapShort = false
    /// Until when bytes may still come from before.
    var quietFrom = MonotonicInstant.zero
    /// When a receiver that still talks does not sleep.
    var confirmationLimit = MonotonicInstant.zero
    /// How often it woke by itself in this rest.
    var wakes = 0
}

extension ReceiverController {
    /// Nanoseconds without a byte that prove sleep: receivers report once a second.
    static let sleepSilence: Int64 = 1_500_000_000
    /// Nanoseconds after the command at which a byte proves that it failed.
    static let sleepLimit: Int64 = 4_000_000_000
    /// Nanoseconds that a nap is longer than the rest, so that the host comes first.
    static let napMargin: Int64 = 2_000_000_000
    /// Nanoseconds before its end at which a nap is renewed.
    static let renewalMargin: Int64 = 5_000_000_000
    /// Nanoseconds in which bytes may still be under way.
    static let afterglow: Int64 = 1_000_000_000
    static let maximumWakes = 3

    mutating func beginRest(_ kind: SleepKind, at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        switch kind {
        case .hardware: cutSupply(.hardware, at: instant, into: &orders)
        case .cut: beginCut(at: instant, into: &orders)
        case .software where phase == .ready || phase == .asleep && rest.kind == .cyclic:
            rest.kind = .software
            rest.isSecondAttempt = false
            rest.isRenewal = false
            state = .fallingAsleep(.software)
            nap(at: instant, into: &orders)
        case .cyclic where phase == .ready:
            guard let cyclic = behaviour.cyclic else { return }
            rest.kind = .cyclic
            state = .fallingAsleep(.cyclic)
            run(.enteringCyclic, cyclic.on, at: instant, into: &orders)
        // It is waited for; `becomeReady` comes back here.
        case .software, .cyclic: break
        }
    }

    /// Tells the receiver to sleep for as long as its timer may run.
    mutating func nap(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        guard rest.methodIndex < behaviour.sleepMethods.count else { return }
        let method = behaviour.sleepMethods[rest.methodIndex]
        let wanted = napWanted(at: instant)
        let length = min(wanted ?? .max, method.longestNap ?? .max)
        rest.napEnd = method.longestNap == nil ? nil : instant.advanced(byNanoseconds: length)
        rest.isNapShort = rest.napEnd != nil && wanted != length
        // An edge on EXTINT wakes: the line goes down before the command, and stays where it is the way to sleep.
        if configuration.lines.contains(.wake), method != .timedStandby { orders.append(.setLine(.wake, false)) }
        run(.goingToSleep, method.commands(napNanoseconds: length), at: instant, into: &orders)
    }

    /// Nanoseconds to where the host should have woken it; nil where it has not said when, or is late.
    private func napWanted(at instant: MonotonicInstant) -> Int64? {
        guard case .asleep(_, let until?) = goal, until > instant else { return nil }
        return until.nanoseconds(since: instant) + ReceiverController.napMargin
    }

    mutating func confirmSleep(at instant: MonotonicInstant) {
        phase = .confirmingSleep
        rest.confirmationLimit = instant.advanced(byNanoseconds: ReceiverController.sleepLimit)
        deadline = instant.advanced(byNanoseconds: ReceiverController.sleepSilence)
    }

    /// A byte came where silence is awaited; an acknowledgement is one, and proves nothing.
    mutating func sleepDisturbed(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        guard instant >= rest.confirmationLimit else {
            deadline = instant.advanced(byNanoseconds: ReceiverController.sleepSilence)
            return
        }
        guard rest.isSecondAttempt else {
            rest.isSecondAttempt = true
            nap(at: instant, into: &orders)
            return
        }
        refuseSleep(at: instant, into: &orders)
    }

    private mutating func refuseSleep(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        orders.report(.sleepRefused(.software))
        goal = .awake
        rest.failures += 1
        if rest.failures >= behaviour.sleepMethods[rest.methodIndex].failuresAllowed {
            rest.failures = 0
            rest.methodIndex += 1
            if rest.methodIndex == behaviour.sleepMethods.count { orders.report(.sleepUnavailable(.software)) }
        }
        if configuration.lines.contains(.wake) { orders.append(.setLine(.wake, true)) }
        // It may have slept for a moment and lost its RAM.
        configure(at: instant, into: &orders)
    }

    mutating func fellAsleep(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        rest.failures = 0
        rest.isSecondAttempt = false
        rest.quietFrom = instant.advanced(byNanoseconds: ReceiverController.afterglow)
        phase = .asleep
        state = .asleep(.software)
        deadline =
            rest.isNapShort
            ? rest.napEnd?.advanced(byNanoseconds: -ReceiverController.renewalMargin) : nil
        if !rest.isRenewal { orders.report(.asleep(.software)) }
    }

    /// The nap runs out before the rest does: the receiver is roused, and told to sleep on.
    mutating func renew(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        rest.isRenewal = true
        phase = .renewing
        if configuration.lines.contains(.wake) { orders.append(.setLine(.wake, true)) }
        orders.write(behaviour.wakeBytes)
        deadline = instant.advanced(byNanoseconds: behaviour.wakeNanoseconds)
    }

    /// A receiver talks in its sleep.
    mutating func heardAsleep(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        guard rest.kind != .cyclic, instant >= rest.quietFrom else { return }
        if let end = rest.napEnd, instant.nanoseconds(since: end) >= -ReceiverController.afterglow {
            // Its timer ran out, as was ordered, and nobody wants it yet.
            rest.isRenewal = true
            nap(at: instant, into: &orders)
            return
        }
        orders.report(.woke(byItself: true))
        rest.wakes += 1
        guard rest.wakes <= ReceiverController.maximumWakes else {
            unavailable.insert(rest.kind)
            orders.report(.sleepUnavailable(rest.kind))
            goal = .awake
            start(at: instant, into: &orders)
            return
        }
        putBack(at: instant, into: &orders)
    }

    private mutating func putBack(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        guard rest.kind == .software else {
            cutSupply(rest.kind, at: instant, into: &orders)
            return
        }
        rest.isRenewal = false
        state = .fallingAsleep(.software)
        nap(at: instant, into: &orders)
    }
}

/// Cyclic tracking.
extension ReceiverController {
    mutating func enteredCyclic(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        phase = .asleep
        state = .asleep(.cyclic)
        deadline = nil
        orders.report(.asleep(.cyclic))
        // It may have been wanted deeper meanwhile.
        guard case .asleep(.software, _) = goal else { return }
        beginRest(.software, at: instant, into: &orders)
    }

    mutating func leaveCyclic(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        state = .configuring
        run(.leavingCyclic, behaviour.cyclic?.off ?? [], at: instant, into: &orders)
    }

    mutating func cyclicRefused(
        _ command: ReceiverCommand, at instant: MonotonicInstant, into orders: inout ReceiverOrders
    ) {
        orders.report(.configurationRefused(command.name))
        orders.report(.sleepRefused(.cyclic))
        // A receiver that refused once will refuse again.
        unavailable.insert(.cyclic)
        orders.report(.sleepUnavailable(.cyclic))
        goal = .awake
        leaveCyclic(at: instant, into: &orders)
    }
}

/// The supply.
extension ReceiverController {
    /// Takes away the main supply, and with `.cut` the backup supply too where it has a line.
    mutating func cutSupply(_ kind: SleepKind, at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        rest.kind = kind
        switchOff(backup: kind == .cut, into: &orders)
        rest.quietFrom = instant.advanced(byNanoseconds: ReceiverController.afterglow)
        rest.napEnd = nil
        phase = .asleep
        state = .asleep(kind)
        deadline = nil
        orders.report(.asleep(kind))
    }

    /// No pin of a receiver may be driven once its supply goes, so that they go first.
    mutating func switchOff(backup: Bool, into orders: inout ReceiverOrders) {
        isTransmitterHeld = true
        orders.append(.holdTransmitterLow(true))
        if configuration.lines.contains(.wake) { orders.append(.setLine(.wake, false)) }
        orders.append(.setLine(.powerEnable, false))
        let switchesBackup = configuration.lines.contains(.backupSupply)
        if backup, switchesBackup { orders.append(.setLine(.backupSupply, false)) }
        if switchesBackup ? backup : !configuration.hasPersistentBackup { assistance.isDatabaseGone = true }
        isSupplied = false
        hasRaiseFailed = false
        provenBaud = nil
    }
}
