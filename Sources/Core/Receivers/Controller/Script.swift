internal import SextantUnits

/// A list of commands, sent one after the other, each repeated until it is answered or its attempts are used up.
struct Script: Sendable {
    var commands: [ReceiverCommand] = []
    var index = 0
    /// The number of times that the current command has been sent.
    var attempt = 0
    /// The number of commands that the receiver has acknowledged or refused.
    var answers = 0
    /// The instant at which the current command was last sent.
    var since = MonotonicInstant.zero

    var current: ReceiverCommand? { index < commands.count ? commands[index] : nil }
}

extension ReceiverController {
    mutating func run(
        _ phase: Phase, _ commands: [ReceiverCommand], at instant: MonotonicInstant, into orders: inout [ReceiverOrder]
    ) {
        self.phase = phase
        script = Script(commands: commands)
        sendCommand(at: instant, into: &orders)
    }

    /// Sends the current command; if it needs no answer, the following ones as well, up to one that does.
    private mutating func sendCommand(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        while let command = script.current {
            orders.transmit(command.bytes)
            script.since = instant
            script.attempt += 1
            guard command.wait == 0 else {
                deadline = instant.advanced(byNanoseconds: command.wait)
                return
            }
            script.index += 1
            script.attempt = 0
        }
        scriptEnded(at: instant, into: &orders)
    }

    mutating func nextCommand(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        script.index += 1
        script.attempt = 0
        sendCommand(at: instant, into: &orders)
    }

    mutating func scriptHeard(
        _ reply: ReceiverReply, at instant: MonotonicInstant, into orders: inout [ReceiverOrder]
    ) {
        guard let command = script.current else { return }
        switch command.answer.verdict(on: reply) {
        case .unrelated: return
        case .done:
            answered()
            nextCommand(at: instant, into: &orders)
        case .refused:
            answered()
            commandFailed(command, at: instant, into: &orders)
        }
    }

    /// Notes that the receiver has answered, which proves the present rate.
    private mutating func answered() {
        script.answers += 1
        provenBaud = nil
    }

    mutating func scriptTimedOut(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        guard let command = script.current else { return }
        if case .pause = command.answer {
            if let rate = command.baudAfter { tryBaud(rate, into: &orders) }
            nextCommand(at: instant, into: &orders)
        } else if phase == .contacting, !contact.hasHeard, hasHeardNoiseAlone {
            rateExhausted(at: instant, into: &orders)
        } else if isContactDoubtful(after: command) {
            lostContact(at: instant, into: &orders)
        } else if script.attempt < command.attempts {
            sendCommand(at: instant, into: &orders)
        } else {
            commandFailed(command, at: instant, into: &orders)
        }
    }

    /// Whether bytes but no message arrived since the current command was last sent: the receiver is at another rate.
    private var hasHeardNoiseAlone: Bool { lastBytes > script.since && lastHeard < script.since }

    /// Whether the missing answer to `command` suggests that the receiver is at another rate, or gone.
    private func isContactDoubtful(after command: ReceiverCommand) -> Bool {
        let isLastAttempt = script.attempt >= command.attempts
        switch phase {
        case .leavingCyclic: return isLastAttempt && script.answers == 0
        case .configuring:
            if provenBaud != nil { return hasHeardNoiseAlone || isLastAttempt && script.answers == 0 }
            if !isInContact, script.answers == 0 { return isLastAttempt }
            // The receiver answered before and is silent now: it was cut off, or it never answers a command that it
            // refuses.
            let isGone = hasHeardNoiseAlone || isLastAttempt && lastHeard < script.since
            return isGone && recovery.doubts < ContactRecovery.doubtLimit
        case .off, .noPort, .powering, .booting, .contacting, .checkingBackup, .aiding, .ready, .quieting, .dumping,
            .savingInFlash, .enteringCyclic, .goingToSleep, .confirmingSleep, .asleep, .renewing, .powerCycling, .lost:
            return false
        }
    }

    /// Handles a command that was refused, or not answered by a receiver that answers others.
    private mutating func commandFailed(
        _ command: ReceiverCommand, at instant: MonotonicInstant, into orders: inout [ReceiverOrder]
    ) {
        switch phase {
        case .configuring, .leavingCyclic: orders.report(.configurationRefused(command.name))
        case .enteringCyclic:
            cyclicRefused(command, at: instant, into: &orders)
            return
        case .savingInFlash:
            loseDatabase(.refused, into: &orders)
            cutSupply(.cut, at: instant, into: &orders)
            return
        case .off, .noPort, .powering, .booting, .contacting, .checkingBackup, .aiding, .ready, .quieting, .dumping,
            .goingToSleep, .confirmingSleep, .asleep, .renewing, .powerCycling, .lost:
            break
        }
        nextCommand(at: instant, into: &orders)
    }

    private mutating func scriptEnded(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        switch phase {
        case .contacting: rateExhausted(at: instant, into: &orders)
        case .configuring: configured(at: instant, into: &orders)
        case .checkingBackup: beginAiding(at: instant, into: &orders)
        case .quieting: askDatabase(at: instant, into: &orders)
        case .savingInFlash: savedInFlash(at: instant, into: &orders)
        case .enteringCyclic: enteredCyclic(at: instant, into: &orders)
        case .leavingCyclic: becomeReady(at: instant, into: &orders)
        case .goingToSleep: confirmSleep(at: instant)
        case .off, .noPort, .powering, .booting, .aiding, .ready, .dumping, .confirmingSleep, .asleep, .renewing,
            .powerCycling, .lost:
            break
        }
    }
}
