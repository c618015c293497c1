internal import Units

/// The search for a rate at which the receiver answers.
struct Contact: Sendable {
    /// Those that this receiver may well have first.
    var rates: [Int] = []
    /// How many of `rates`, from the first on, are likely.
    var likelyCount = 0
    var rateIndex = 0
    /// Whether bytes that made no message came at any of them: it is there, and at another.
    var isGarbled = false
    /// Whether a checked message came at this rate.
    var hasHeard = false
    /// How often everything was asked at this rate.
    var rounds = 0
    /// Rounds after which a receiver that is heard and answers nothing is believed to have no answers: one question may
    /// have gone into waking it.
    static let roundLimit = 2
}

/// What was done about a receiver that does not answer.
struct Recovery: Sendable {
    var isLost = false
    var attempts = 0
    /// Its supply was switched off and on this often.
    var powerCycles = 0
    /// How often its silence was taken for its absence while it was configured.
    var doubts = 0
    static let doubtLimit = 3
    /// How often it was asked because bytes came while it was lost; such that never become a message are noise.
    var alarms = 0
    static let alarmLimit = 3
}

extension ReceiverController {
    /// Nanoseconds to the next attempt, the last again and again.
    static let retryWaits: [Int64] = [2_000_000_000, 10_000_000_000, 60_000_000_000, 300_000_000_000, 600_000_000_000]
    static let maximumPowerCycles = 3
    /// Starts after which a receiver that answers nothing is no longer asked who it is.
    static let muteStartLimit = 3
    /// Nanoseconds that the supply is off in a power cycle.
    static let powerCycle: Int64 = 1_000_000_000

    /// Asks at the rates that the receiver may well have, the present one first, then at all others.
    ///
    /// - Parameter isDoubtful: Whether the present rate was just tried in vain, so that it is not the first.
    mutating func beginContact(
        doubting isDoubtful: Bool = false, at instant: MonotonicInstant, into orders: inout ReceiverOrders
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

    private mutating func askAtFirstRate(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        contact.rateIndex = 0
        if let rate = contact.rates.first { order(baud: rate, into: &orders) }
        ask(at: instant, into: &orders)
    }

    private mutating func ask(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        contact.hasHeard = false
        let isMute = configuration.model == .generic
        contact.rounds = isMute ? Contact.roundLimit : family == nil ? 1 : 0
        let questions = family.map { [$0.query] } ?? ReceiverFamily.queries.map { $0.once }
        run(.contacting, isMute ? [Generic.query] : questions, at: instant, into: &orders)
    }

    /// The language that the receiver should speak; nil where none is known.
    private var family: ReceiverFamily? { identity.flatMap { $0.family == .generic ? nil : $0.family } }

    /// No question was answered at this rate.
    mutating func rateExhausted(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
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

    /// Only now is it there: where it was asked in vain before, it is asked again.
    private mutating func heardAtAnotherRate(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        let present = contact.rates.remove(at: contact.rateIndex)
        let wasLikely = contact.rateIndex < contact.likelyCount
        contact.rates.insert(present, at: wasLikely ? contact.likelyCount - 1 : contact.rates.count)
        contact.isGarbled = true
        askAtFirstRate(at: instant, into: &orders)
    }

    /// Bytes came from a receiver that is lost: it may be back, at another rate.
    mutating func heardLost(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        guard !contact.isGarbled, recovery.alarms < Recovery.alarmLimit else { return }
        recovery.alarms += 1
        beginContact(at: instant, into: &orders)
    }

    /// The receiver has said what it is, or is heard and says nothing.
    mutating func adopt(
        _ answer: ReceiverIdentity, at instant: MonotonicInstant, into orders: inout ReceiverOrders
    ) {
        var answer = answer
        // A receiver that does not name its module is what the board says, if it can be.
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

    /// A receiver that was known does not answer: its rate may be another, the wanted one or the one it starts with.
    mutating func lostContact(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        guard let proven = provenBaud, let tried = baud else {
            if isInContact { recovery.doubts += 1 }
            beginContact(doubting: true, at: instant, into: &orders)
            return
        }
        provenBaud = nil
        hasRaiseFailed = true
        // Whether it still is at the old rate is to be seen.
        isInContact = false
        orders.report(.configurationRefused("baud \(tried)"))
        order(baud: proven, into: &orders)
        configure(at: instant, into: &orders)
    }

    /// The receiver was told to talk at `rate`: what it answers next shows whether it does.
    mutating func tryBaud(_ rate: Int, into orders: inout ReceiverOrders) {
        provenBaud = baud
        order(baud: rate, into: &orders)
    }

    private mutating func giveUp(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        state = .unresponsive
        phase = .lost
        if !recovery.isLost { orders.report(.unresponsive) }
        recovery.isLost = true
        // Where it is most likely to be understood when it is back.
        if let rate = contact.rates.first { order(baud: rate, into: &orders) }
        let waits = ReceiverController.retryWaits
        let next = instant.advanced(byNanoseconds: waits[min(recovery.attempts, waits.count - 1)])
        // A receiver that bytes do not wake is back when its nap ends.
        let awakening = rest.napEnd?.advanced(byNanoseconds: ReceiverController.boot)
        deadline = awakening.map { $0 > instant ? min($0, next) : next } ?? next
        recovery.attempts += 1
    }

    /// Asks a lost receiver again, after its supply was off where that can be done and may help.
    mutating func retry(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        guard configuration.lines.contains(.powerEnable),
            recovery.powerCycles < ReceiverController.maximumPowerCycles
        else {
            rouse(wasUnsupplied: false, at: instant, into: &orders)
            return
        }
        recovery.powerCycles += 1
        // The state that the backup supply keeps may be the fault, so later cycles cut that supply as well.
        switchOff(backup: recovery.powerCycles > 1, into: &orders)
        phase = .powerCycling
        deadline = instant.advanced(byNanoseconds: ReceiverController.powerCycle)
    }
}

extension ReceiverCommand {
    var once: ReceiverCommand { asking(answer, attempts: 1) }
}
