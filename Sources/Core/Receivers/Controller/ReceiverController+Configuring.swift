internal import SextantUnits

extension ReceiverController {
    /// Nanoseconds of silence after which the controller queries a receiver that should report once a second.
    static let silence: Int64 = 10_000_000_000
    /// After this many NMEA sentences, a receiver that was configured to send none counts as having lost its settings.
    static let strayLimit = 16
    /// The shortest time in nanoseconds between two configurations because of NMEA sentences that should not come; the
    /// sentences may go on in spite of a configuration.
    static let cureInterval: Int64 = 600_000_000_000

    /// Sends the whole configuration, because a sleep may have cleared the receiver's RAM.
    mutating func configure(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        state = .configuring
        refreshBehaviour()
        let raise = behaviour.raise.map { [$0] } ?? []
        run(.configuring, raise + behaviour.configuration, at: instant, into: &orders)
    }

    mutating func configured(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        guard assistance.isInFlash else {
            beginAiding(at: instant, into: &orders)
            return
        }
        run(.checkingBackup, [UBlox.askBackup, UBlox.clearBackup], at: instant, into: &orders)
    }

    mutating func becomeReady(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        state = .ready
        phase = .ready
        straySentences = 0
        rest.napEnd = nil
        assistance.aid = nil
        lastHeard = instant
        deadline = instant.advanced(byNanoseconds: ReceiverController.silence)
        if recovery.isLost { orders.report(.recovered) }
        recovery = ContactRecovery()
        orders.report(.ready)
        guard case .asleep(let kind, _) = goal else { return }
        // A different receiver may have been connected since the sleep was ordered, and lack this kind of sleep.
        guard sleepKinds.contains(kind) else {
            goal = .awake
            orders.report(.sleepUnavailable(kind))
            return
        }
        beginRest(kind, at: instant, into: &orders)
    }

    /// Queries a ready receiver again once it has been silent for too long.
    mutating func watch(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        guard instant.nanoseconds(since: lastHeard) >= ReceiverController.silence else {
            deadline = lastHeard.advanced(byNanoseconds: ReceiverController.silence)
            return
        }
        beginContact(at: instant, into: &orders)
    }

    /// Configures the receiver anew after too many NMEA sentences.
    ///
    /// A receiver that was configured to send only UBX has perhaps restarted if it sends sentences.
    @inline(never)
    mutating func noteStraySentence(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        straySentences += 1
        guard straySentences >= ReceiverController.strayLimit else { return }
        straySentences = 0
        if let lastCure, instant.nanoseconds(since: lastCure) < ReceiverController.cureInterval { return }
        lastCure = instant
        configure(at: instant, into: &orders)
    }
}
