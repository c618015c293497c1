internal import SextantUnits

extension ReceiverController {
    /// Nanoseconds without a byte that prove sleep; an awake receiver reports once a second.
    static let sleepSilence: Int64 = 1_500_000_000
    /// The time in nanoseconds from the sleep command after which any byte proves that the command failed.
    static let sleepLimit: Int64 = 4_000_000_000
    /// Nanoseconds by which a nap (a sleep that the receiver's own timer ends) outlasts the wanted sleep, so that the
    /// host wakes the receiver before its timer does.
    static let napMargin: Int64 = 2_000_000_000
    /// A nap (a sleep that the receiver's own timer ends) is renewed this many nanoseconds before its end.
    static let renewalMargin: Int64 = 5_000_000_000
    /// The nanoseconds after the receiver fell asleep during which bytes that it sent before may still arrive.
    static let afterglow: Int64 = 1_000_000_000
    static let maximumWakes = 3

    mutating func beginRest(_ kind: SleepKind, at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
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
        // A receiver that is not ready is put to sleep later: `becomeReady` calls `beginRest` again.
        case .software, .cyclic: break
        }
    }

    /// Commands the receiver to sleep for the wanted time, but no longer than its sleep method allows.
    mutating func nap(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        guard rest.methodIndex < behaviour.sleepMethods.count else { return }
        let method = behaviour.sleepMethods[rest.methodIndex]
        let wanted = napWanted(at: instant)
        let length = min(wanted ?? .max, method.longestNap ?? .max)
        rest.napEnd = method.longestNap == nil ? nil : instant.advanced(byNanoseconds: length)
        rest.isNapShort = rest.napEnd != nil && wanted != length
        // The wake line goes low before the sleep command, because an edge on EXTINT after the command would wake the
        // receiver; for PCAS12 the line is not changed.
        if configuration.lines.contains(.wake), method != .timedStandby { orders.append(.setLine(.wake, false)) }
        run(.goingToSleep, method.commands(napNanoseconds: length), at: instant, into: &orders)
    }

    /// Nanoseconds until the receiver's own timer is to wake it: `napMargin` after the host's planned wake-up; nil
    /// where that has no known time or is past.
    private func napWanted(at instant: MonotonicInstant) -> Int64? {
        guard case .asleep(_, let until?) = goal, until > instant else { return nil }
        return until.nanoseconds(since: instant) + ReceiverController.napMargin
    }

    mutating func confirmSleep(at instant: MonotonicInstant) {
        phase = .confirmingSleep
        rest.confirmationLimit = instant.advanced(byNanoseconds: ReceiverController.sleepLimit)
        deadline = instant.advanced(byNanoseconds: ReceiverController.sleepSilence)
    }

    /// Handles a byte that arrived while silence was awaited; early bytes, such as an acknowledgement, prove nothing.
    mutating func sleepDisturbed(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
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

    private mutating func refuseSleep(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        orders.report(.sleepRefused(.software))
        goal = .awake
        rest.failures += 1
        if rest.failures >= behaviour.sleepMethods[rest.methodIndex].failuresAllowed {
            rest.failures = 0
            rest.methodIndex += 1
            if rest.methodIndex == behaviour.sleepMethods.count { orders.report(.sleepUnavailable(.software)) }
        }
        if configuration.lines.contains(.wake) { orders.append(.setLine(.wake, true)) }
        // The receiver may have slept for a moment and lost its RAM, so it is configured anew.
        configure(at: instant, into: &orders)
    }

    mutating func fellAsleep(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
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

    /// Wakes the receiver shortly before its own timer ends its sleep, to send it the next sleep command.
    mutating func renew(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        rest.isRenewal = true
        phase = .renewing
        if configuration.lines.contains(.wake) { orders.append(.setLine(.wake, true)) }
        orders.transmit(behaviour.wakeBytes)
        deadline = instant.advanced(byNanoseconds: behaviour.wakeNanoseconds)
    }

    /// Handles bytes or a message from a receiver that should be asleep.
    mutating func heardAsleep(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        guard rest.kind != .cyclic, instant >= rest.quietFrom else { return }
        if let end = rest.napEnd, instant.nanoseconds(since: end) >= -ReceiverController.afterglow {
            // The receiver's timer ran out as ordered, and no client needs the receiver yet.
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

    private mutating func putBack(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        guard rest.kind == .software else {
            cutSupply(rest.kind, at: instant, into: &orders)
            return
        }
        rest.isRenewal = false
        state = .fallingAsleep(.software)
        nap(at: instant, into: &orders)
    }
}

/// Entering and leaving cyclic tracking.
extension ReceiverController {
    mutating func enteredCyclic(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        phase = .asleep
        state = .asleep(.cyclic)
        deadline = nil
        orders.report(.asleep(.cyclic))
        // Software sleep, which is deeper, may have been ordered while cyclic tracking was being entered.
        guard case .asleep(.software, _) = goal else { return }
        beginRest(.software, at: instant, into: &orders)
    }

    mutating func leaveCyclic(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        state = .configuring
        run(.leavingCyclic, behaviour.cyclic?.off ?? [], at: instant, into: &orders)
    }

    mutating func cyclicRefused(
        _ command: ReceiverCommand, at instant: MonotonicInstant, into orders: inout [ReceiverOrder]
    ) {
        orders.report(.configurationRefused(command.name))
        orders.report(.sleepRefused(.cyclic))
        // A receiver that refused cyclic tracking once will refuse it again.
        unavailable.insert(.cyclic)
        orders.report(.sleepUnavailable(.cyclic))
        goal = .awake
        leaveCyclic(at: instant, into: &orders)
    }
}

/// Switching the receiver's supplies off.
extension ReceiverController {
    /// Cuts the main supply and, with `.cut`, also the backup supply where the board can switch it.
    mutating func cutSupply(_ kind: SleepKind, at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        rest.kind = kind
        switchOff(backup: kind == .cut, into: &orders)
        rest.quietFrom = instant.advanced(byNanoseconds: ReceiverController.afterglow)
        rest.napEnd = nil
        phase = .asleep
        state = .asleep(kind)
        deadline = nil
        orders.report(.asleep(kind))
    }

    /// Switches the supplies off, after first setting low all lines that would drive a pin of the unsupplied receiver.
    mutating func switchOff(backup: Bool, into orders: inout [ReceiverOrder]) {
        isTransmitterHeld = true
        orders.append(.port(.holdTransmitterLow(true)))
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
