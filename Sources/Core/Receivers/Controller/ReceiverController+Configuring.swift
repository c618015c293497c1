internal import Units

extension ReceiverController {
    /// Nanoseconds of silence after which a receiver that should report once a second is asked.
    static let silence: Int64 = 10_000_000_000
    /// Sentences after which a receiver that was told to send none has forgotten so.
    static let strayLimit = 16
    /// Nanoseconds between two cures of that, since there may be one that does not obey.
    static let cureInterval: Int64 = 600_000_000_000

    /// Sends the whole configuration: sleep may have cleared the receiver's RAM.
    mutating func configure(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        state = .configuring
        refreshBehaviour()
        let raise = behaviour.raise.map { [$0] } ?? []
        run(.configuring, raise + behaviour.configuration, at: instant, into: &orders)
    }

    mutating func configured(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        guard assistance.isInFlash else {
            beginAiding(at: instant, into: &orders)
            return
        }
        run(.checkingBackup, [UBlox.askBackup, UBlox.clearBackup], at: instant, into: &orders)
    }

    mutating func becomeReady(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        state = .ready
        phase = .ready
        straySentences = 0
        rest.napEnd = nil
        lastHeard = instant
        deadline = instant.advanced(byNanoseconds: ReceiverController.silence)
        if recovery.isLost { orders.report(.recovered) }
        recovery = Recovery()
        orders.report(.ready)
        guard case .asleep(let kind, _) = goal else { return }
        // It may be another receiver than the one that was to sleep so.
        guard sleepKinds.contains(kind) else {
            goal = .awake
            orders.report(.sleepUnavailable(kind))
            return
        }
        beginRest(kind, at: instant, into: &orders)
    }

    /// Looks after a receiver that should be heard.
    mutating func watch(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        guard instant.nanoseconds(since: lastHeard) >= ReceiverController.silence else {
            deadline = lastHeard.advanced(byNanoseconds: ReceiverController.silence)
            return
        }
        beginContact(at: instant, into: &orders)
    }

    /// A receiver that was told to speak UBX alone has sent a sentence: it may have started anew.
    @inline(never)
    mutating func noteStraySentence(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        straySentences += 1
        guard straySentences >= ReceiverController.strayLimit else { return }
        straySentences = 0
        if let lastCure, instant.nanoseconds(since: lastCure) < ReceiverController.cureInterval { return }
        lastCure = instant
        configure(at: instant, into: &orders)
    }
}
