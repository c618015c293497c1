public import Epochs
public import NMEA0183
public import Units

/// Talks to a receiver: finds out what it is, configures it, puts it to sleep, wakes and aids it.
///
/// A state machine without hands: messages, the port's coming and going and the time go in, orders come out. What
/// differs between families is data, `ReceiverBehaviour`; this is what they have in common. Two rules hold everywhere:
/// nothing is written to a receiver that sleeps, because a byte may wake it, and no command of ours leaves a receiver
/// that cannot be reached again: every nap ends, and a new rate is kept only after the receiver has answered at it.
public struct ReceiverController: Sendable {
    public enum State: Sendable, Equatable {
        /// Nobody has asked for it yet.
        case off
        /// It is supplied, or roused, or its port is awaited.
        case starting
        /// It is asked who it is, and at which rate.
        case detecting
        /// It is configured and aided.
        case configuring
        case ready
        case savingDatabase
        case fallingAsleep(SleepKind)
        case asleep(SleepKind)
        /// It answers at no rate.
        case unresponsive
    }

    public internal(set) var state = State.off
    /// The receiver's identity by its own answer, or until then by the configuration; nil where neither gives one.
    public internal(set) var identity: ReceiverIdentity?
    /// The port's rate in bits per second; nil where it has no meaning.
    public internal(set) var baud: Int?
    /// What it is talked to through.
    private(set) var link = ReceiverLink.uart
    /// When `timePassed` is to be called.
    public internal(set) var deadline: MonotonicInstant?

    var configuration: ReceiverControllerConfiguration
    var behaviour = ReceiverBehaviour(configuration: [])
    var phase = Phase.off
    var script = Script()
    var contact = Contact()
    var rest = Rest()
    var recovery = Recovery()
    var assistance = Assistance()
    /// Whether it is wanted awake or asleep, whatever it does now.
    var goal = Goal.off
    var isPortOpen = false
    /// Whether the receiver itself has said who it is, or has said nothing often enough.
    var isConfirmed = false
    /// Starts in which it was heard and answered nothing, one after the other.
    var muteStarts = 0
    /// What was last told of.
    var reportedIdentity: ReceiverIdentity?
    /// Whether it has said who it is since it was last roused, so that silence to a command is a refusal.
    var isInContact = false
    /// Nil until a line was set.
    var isSupplied: Bool?
    /// Whether the supply may have been on before it was switched on, and the receiver asleep.
    var wasSupplyUnknown = false
    var isTransmitterHeld = false
    /// The rate before one that the receiver has not answered at yet.
    var provenBaud: Int?
    /// Whether the wanted rate was tried in vain since the port was opened or the supply was off.
    var hasRaiseFailed = false
    /// Kinds that the receiver should have and that failed too often.
    var unavailable: Set<SleepKind> = []
    /// When a message came last.
    var lastHeard = MonotonicInstant.zero
    /// When bytes came last, whether or not they were a message.
    var lastBytes = MonotonicInstant.zero
    /// Sentences from a receiver that was told to send none.
    var straySentences = 0
    /// When it was last configured anew for that.
    var lastCure: MonotonicInstant?

    public init(_ configuration: ReceiverControllerConfiguration) {
        self.configuration = configuration
        if let model = configuration.model {
            identity = ReceiverIdentity(assuming: model)
            refreshBehaviour()
        }
    }

    /// The ways to rest that can be used now: the receiver's own, less what failed, and what the lines allow.
    public var sleepKinds: Set<SleepKind> {
        var kinds: Set<SleepKind> = []
        if rest.methodIndex < behaviour.sleepMethods.count { kinds.insert(.software) }
        if behaviour.cyclic != nil { kinds.insert(.cyclic) }
        let lines = configuration.lines
        if lines.contains(.powerEnable) {
            let switchesBackup = lines.contains(.backupSupply)
            if configuration.hasPersistentBackup || switchesBackup { kinds.insert(.hardware) }
            if !configuration.hasPersistentBackup || switchesBackup { kinds.insert(.cut) }
        }
        return kinds.subtracting(unavailable)
    }

    /// The receiver is wanted awake; `aid` is what it may be told then.
    public mutating func wake(aid: ReceiverAid?, at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        goal = .awake
        assistance.aid = aid
        assistance.handedOver = instant
        switch phase {
        case .asleep where rest.kind == .cyclic, .enteringCyclic: leaveCyclic(at: instant, into: &orders)
        case .off, .asleep, .goingToSleep, .confirmingSleep, .renewing: start(at: instant, into: &orders)
        case .quieting, .dumping, .savingInFlash: abandonSaving(at: instant, into: &orders)
        case .noPort, .powering, .booting, .contacting, .configuring, .checkingBackup, .aiding, .ready, .leavingCyclic,
            .powerCycling, .lost:
            break
        }
    }

    /// The receiver may rest in this way until it is woken, which is expected after `nanoseconds` where given.
    public mutating func sleep(
        _ kind: SleepKind, forNanoseconds nanoseconds: Int64?, at instant: MonotonicInstant,
        into orders: inout ReceiverOrders
    ) {
        guard sleepKinds.contains(kind) else {
            orders.report(.sleepUnavailable(kind))
            return
        }
        if phase == .asleep, rest.kind >= kind, rest.kind != .cyclic { return }
        if isSaving {
            // It is on its way to the deepest rest; the supply alone can go at once.
            guard kind == .hardware else { return }
            loseDatabase(.interrupted, into: &orders)
        }
        // 36 years are as good as for ever.
        goal = .asleep(kind, until: nanoseconds.map { instant.advanced(byNanoseconds: min($0, 1 << 60)) })
        rest.wakes = 0
        beginRest(kind, at: instant, into: &orders)
    }

    /// A checked message came from the receiver; `bytes` are all of it.
    @inline(__always)
    public mutating func take(
        _ message: ReceiverStream.Message, fields: borrowing NMEAFields, bytes: borrowing Span<UInt8>,
        at instant: MonotonicInstant, into orders: inout ReceiverOrders
    ) {
        lastHeard = instant
        guard phase == .ready else {
            takeUnsettled(message, fields: fields, bytes: bytes, at: instant, into: &orders)
            return
        }
        guard message == .sentence, behaviour.isSilencedNMEA else { return }
        noteStraySentence(at: instant, into: &orders)
    }

    /// Bytes came from the receiver, whether or not they are a message; they tell that it does not sleep.
    ///
    /// `take` says so too; this one is for bytes that make no message, at a wrong rate, which it also tells of. An
    /// unsupplied receiver's pin may float and look like bytes, so that from one only messages count.
    public mutating func heardBytes(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        lastBytes = instant
        switch phase {
        case .confirmingSleep: sleepDisturbed(at: instant, into: &orders)
        case .asleep where rest.kind == .software: heardAsleep(at: instant, into: &orders)
        case .lost: heardLost(at: instant, into: &orders)
        case .asleep, .off, .noPort, .powering, .booting, .contacting, .configuring, .checkingBackup, .aiding, .ready,
            .quieting, .dumping, .savingInFlash, .enteringCyclic, .leavingCyclic, .goingToSleep, .renewing,
            .powerCycling:
            break
        }
    }

    /// The lines that are wired have changed.
    public mutating func hardwareChanged(lines: Set<LineRole>) {
        // The level of a newly wired line is not known.
        if !configuration.lines.contains(.powerEnable) || !lines.contains(.powerEnable) { isSupplied = nil }
        configuration.lines = lines
        refreshBehaviour()
    }

    /// The port to the receiver is open, at `baud` bits per second; nil where a rate has no meaning.
    public mutating func portOpened(
        _ link: ReceiverLink = .uart, baud: Int?, at instant: MonotonicInstant, into orders: inout ReceiverOrders
    ) {
        isPortOpen = true
        self.link = link
        self.baud = baud
        hasRaiseFailed = false
        provenBaud = nil
        muteStarts = 0
        if identity?.family == .generic { isConfirmed = false }
        refreshBehaviour()
        guard phase == .noPort else { return }
        rouse(wasUnsupplied: false, at: instant, into: &orders)
    }

    /// The port is gone; the lines may still be there.
    public mutating func portLost(at instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        isPortOpen = false
        switch phase {
        case .off, .noPort, .powering, .powerCycling: break
        case .asleep where rest.kind != .cyclic: break
        case .quieting, .dumping, .savingInFlash:
            loseDatabase(.portLost, into: &orders)
            cutSupply(.cut, at: instant, into: &orders)
        case .asleep, .booting, .contacting, .configuring, .checkingBackup, .aiding, .ready, .enteringCyclic,
            .leavingCyclic, .goingToSleep, .confirmingSleep, .renewing, .lost:
            awaitPort()
        }
    }

    /// Time has passed; costs nothing before `deadline`.
    public mutating func timePassed(to instant: MonotonicInstant, into orders: inout ReceiverOrders) {
        guard let due = deadline, due <= instant else { return }
        deadline = nil
        switch phase {
        case .off, .noPort: break
        case .powering: supplyIsUp(at: instant, into: &orders)
        case .booting: proceed(at: instant, into: &orders)
        case .contacting, .configuring, .checkingBackup, .quieting, .savingInFlash, .enteringCyclic, .leavingCyclic,
            .goingToSleep:
            scriptTimedOut(at: instant, into: &orders)
        case .aiding: sendAid(at: instant, into: &orders)
        case .ready: watch(at: instant, into: &orders)
        case .dumping: dumpTimedOut(at: instant, into: &orders)
        case .confirmingSleep: fellAsleep(at: instant, into: &orders)
        case .asleep: renew(at: instant, into: &orders)
        case .renewing: nap(at: instant, into: &orders)
        case .powerCycling: start(at: instant, into: &orders)
        case .lost: retry(at: instant, into: &orders)
        }
    }
}

extension ReceiverController {
    /// What is wanted.
    enum Goal: Equatable {
        case off
        case awake
        case asleep(SleepKind, until: MonotonicInstant?)
    }

    /// Where the controller is; each has its own answer to a message and to its deadline.
    enum Phase: Equatable {
        case off
        /// The port is awaited.
        case noPort
        /// The supply rises; the transmitter is still held.
        case powering
        case booting
        /// A script of questions runs.
        case contacting
        case configuring
        /// A script asks what the flash has restored, and clears it.
        case checkingBackup
        case aiding
        case ready
        /// A script stops the reports before a dump.
        case quieting
        case dumping
        case savingInFlash
        case enteringCyclic
        case leavingCyclic
        /// A script with the sleep command runs.
        case goingToSleep
        /// Silence is awaited.
        case confirmingSleep
        case asleep
        /// It was roused, to be told to sleep on.
        case renewing
        /// Its supply is off for a moment, because it did not answer.
        case powerCycling
        /// It does not answer; the next attempt is awaited.
        case lost
    }

    var settings: BehaviourSettings {
        BehaviourSettings(
            link: link, baud: baud, wantedBaud: hasRaiseFailed ? nil : configuration.baud,
            skyInterval: configuration.skyInterval,
            cyclicPeriodSeconds: configuration.cyclicPeriodSeconds, lines: configuration.lines)
    }

    mutating func refreshBehaviour() {
        guard let identity else { return }
        behaviour = identity.behaviour(settings)
    }

    mutating func order(baud rate: Int, into orders: inout ReceiverOrders) {
        guard baud != nil, baud != rate else { return }
        baud = rate
        orders.append(.setBaud(rate))
    }
}
