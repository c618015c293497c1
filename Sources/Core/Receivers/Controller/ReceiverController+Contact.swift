internal import SextantUnits

extension ReceiverController {
    /// Nanoseconds to wait before each further attempt to reach a lost receiver; the last value repeats.
    static let retryWaits: [Int64] = [2_000_000_000, 10_000_000_000, 60_000_000_000, 300_000_000_000, 600_000_000_000]
    static let maximumPowerCycles = 3
    /// After this number of starts in a row without an answer, the receiver is no longer asked for its identity.
    static let muteStartLimit = 3
    /// Nanoseconds that the supply is off in a power cycle.
    static let powerCycle: Int64 = 1_000_000_000

    /// Queries the receiver at the likely rates, of which the present one comes first, then at all other rates.
    ///
    /// - Parameter isDoubtful: Whether the present rate was just tried without success; then it comes last of the
    ///   likely rates instead of first.
    mutating func beginContact(
        doubting isDoubtful: Bool = false, at instant: MonotonicInstant, into orders: inout [ReceiverOrder]
    ) {
        state = .detecting
        contact = Contact()
        if let baud {
            var likely = (provenBaud.map { [$0] } ?? []) + (configuration.baud.map { [$0] } ?? [])
            likely += identity?.nearestModel.defaultBauds ?? []
            likely = isDoubtful ? likely.filter { $0 != baud } + [baud] : [baud] + likely
            for rate in likely where !contact.rates.contains(rate) { contact.rates.append(rate) }
            contact.likelyCount = contact.rates.count
            for rate in BaudHunt.rates where !contact.rates.contains(rate) { contact.rates.append(rate) }
        }
        provenBaud = nil
        askAtFirstRate(at: instant, into: &orders)
    }

    private mutating func askAtFirstRate(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        contact.rateIndex = 0
        if let rate = contact.rates.first { order(baud: rate, into: &orders) }
        ask(at: instant, into: &orders)
    }

    private mutating func ask(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        contact.hasHeard = false
        let isMute = configuration.model == .generic
        contact.rounds = isMute ? Contact.roundLimit : family == nil ? 1 : 0
        let questions = family.map { [$0.query] } ?? ReceiverFamily.queries.map { $0.once }
        run(.contacting, isMute ? [Generic.query] : questions, at: instant, into: &orders)
    }

    /// The command language that the receiver should speak; nil where the receiver is unknown or takes no commands.
    private var family: ReceiverFamily? { identity.flatMap { $0.family == .generic ? nil : $0.family } }

    /// Goes on to the next step after no query was answered at the present rate.
    mutating func rateExhausted(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        if contact.hasHeard, contact.rounds >= Contact.roundLimit {
            adopt(.speechless, at: instant, into: &orders)
        } else if contact.hasHeard {
            contact.rounds += 1
            run(.contacting, ReceiverFamily.queries.map { $0.once }, at: instant, into: &orders)
        } else if !contact.isGarbled, lastBytes > script.since, contact.rates.count > 1 {
            heardAtAnotherRate(at: instant, into: &orders)
        } else if contact.rateIndex + 1 < contact.rates.count {
            contact.rateIndex += 1
            order(baud: contact.rates[contact.rateIndex], into: &orders)
            ask(at: instant, into: &orders)
        } else {
            giveUp(at: instant, into: &orders)
        }
    }

    /// Starts again at the first rate, since the receiver has only now begun to send and may have missed queries.
    private mutating func heardAtAnotherRate(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        let present = contact.rates.remove(at: contact.rateIndex)
        let wasLikely = contact.rateIndex < contact.likelyCount
        contact.rates.insert(present, at: wasLikely ? contact.likelyCount - 1 : contact.rates.count)
        contact.isGarbled = true
        askAtFirstRate(at: instant, into: &orders)
    }

    /// Queries a lost receiver again after bytes arrived, since it may be back at another rate.
    mutating func heardLost(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        guard !contact.isGarbled, recovery.alarms < ContactRecovery.alarmLimit else { return }
        recovery.alarms += 1
        beginContact(at: instant, into: &orders)
    }

    /// Adopts the identity that the receiver gave, or the one for a receiver that sends messages but never answers.
    mutating func adopt(
        _ answer: ReceiverIdentity, at instant: MonotonicInstant, into orders: inout [ReceiverOrder]
    ) {
        var answer = answer
        // If the answer does not name the module, the board's model is used, provided family and generation agree.
        if answer.model == nil, let model = configuration.model, model.family == answer.family,
            model.generation == answer.generation
        {
            answer.model = model
            answer.nearestModel = model
        }
        if let kept = assistance.database, kept.identity != answer {
            loseDatabase(.foreign, into: &orders)
        }
        if identity?.family != answer.family {
            rest = Rest()
            unavailable = []
        }
        muteStarts = answer.family == .generic ? muteStarts + 1 : 0
        identity = answer
        isConfirmed = muteStarts == 0 || muteStarts >= ReceiverController.muteStartLimit
        isInContact = true
        if reportedIdentity != answer { orders.report(.identified) }
        reportedIdentity = answer
        configure(at: instant, into: &orders)
    }

    /// Tries other rates after a known receiver stopped answering.
    ///
    /// The receiver may be at its former rate, at the wanted rate or at the rate that it starts with.
    mutating func lostContact(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        guard let proven = provenBaud, let tried = baud else {
            if isInContact { recovery.doubts += 1 }
            beginContact(doubting: true, at: instant, into: &orders)
            return
        }
        provenBaud = nil
        hasRaiseFailed = true
        // The answers to the next configuration show whether the receiver is still at the old rate.
        isInContact = false
        orders.report(.configurationRefused("baud \(tried)"))
        order(baud: proven, into: &orders)
        configure(at: instant, into: &orders)
    }

    /// Sets the port to `rate`, to which the receiver was ordered to change; the receiver's next answer shows whether
    /// it did.
    mutating func tryBaud(_ rate: Int, into orders: inout [ReceiverOrder]) {
        provenBaud = baud
        order(baud: rate, into: &orders)
    }

    private mutating func giveUp(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        state = .unresponsive
        phase = .lost
        if !recovery.isLost { orders.report(.unresponsive) }
        recovery.isLost = true
        // A lost receiver most likely listens at the first of the likely rates when it returns.
        if let rate = contact.rates.first { order(baud: rate, into: &orders) }
        let waits = ReceiverController.retryWaits
        let next = instant.advanced(byNanoseconds: waits[min(recovery.attempts, waits.count - 1)])
        // A receiver that bytes cannot wake answers again when its nap, a sleep with a timer, ends.
        let awakening = rest.napEnd?.advanced(byNanoseconds: ReceiverController.boot)
        deadline = awakening.map { $0 > instant ? min($0, next) : next } ?? next
        recovery.attempts += 1
    }

    /// Asks a lost receiver again.
    ///
    /// Where the board can switch the supply, the supply is first switched off and on, a limited number of times.
    mutating func retry(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        guard configuration.lines.contains(.powerEnable),
            recovery.powerCycles < ReceiverController.maximumPowerCycles
        else {
            rouse(wasUnsupplied: false, at: instant, into: &orders)
            return
        }
        recovery.powerCycles += 1
        // What the backup supply preserves may be at fault, so the second and later power cycles cut that supply as
        // well.
        switchOff(backup: recovery.powerCycles > 1, into: &orders)
        phase = .powerCycling
        deadline = instant.advanced(byNanoseconds: ReceiverController.powerCycle)
    }
}

extension ReceiverCommand {
    var once: ReceiverCommand { asking(answer, attempts: 1) }
}
