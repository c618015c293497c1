public import Epochs
public import NMEA0183
public import SextantUnits

/// Talks to a receiver: identifies it, configures it, puts it to sleep, wakes it and gives it assistance.
///
/// A state machine without I/O: messages, the port's opening and loss, and the time go in, orders come out. The
/// differences between families are data, in `ReceiverBehaviour`; this type holds what they have in common. Two rules
/// hold everywhere. Nothing is written to a sleeping receiver except to wake it, because any byte can wake it. No
/// command makes a receiver unreachable: bytes or a line wake it from every sleep by command, and a new rate is kept
/// only after an answer at that rate.
public struct ReceiverController: Sendable {
    public enum State: Sendable, Equatable {
        /// No client has asked for the receiver yet.
        case off
        /// The receiver is being switched on or woken, or its port is not open yet.
        case starting
        /// The controller queries the receiver's identity at one rate after the other.
        case detecting
        /// The receiver is being configured and given assistance.
        case configuring
        case ready
        case savingDatabase
        case fallingAsleep(SleepKind)
        case asleep(SleepKind)
        /// The receiver answers at no rate.
        case unresponsive
    }

    public internal(set) var state = State.off
    /// The identity that the receiver stated, or until then the configured one; nil where there is neither.
    public internal(set) var identity: ReceiverIdentity?
    /// The port's rate in bits per second; nil where the link has no rate.
    public internal(set) var baud: Int?
    private(set) var link = ReceiverLink.uart
    /// The instant at which `timePassed` must be called; nil where no call is needed.
    public internal(set) var deadline: MonotonicInstant?

    var configuration: ReceiverControllerConfiguration
    var behaviour = ReceiverBehaviour(configuration: [])
    var phase = Phase.off
    var script = Script()
    var contact = Contact()
    var rest = Rest()
    var recovery = ContactRecovery()
    var assistance = Assistance()
    /// The state that the host wants for the receiver, whatever the present state is.
    var goal = Goal.off
    var isPortOpen = false
    /// Whether the identity counts as certain: the receiver stated it, or answered no query in several starts in a row.
    var isConfirmed = false
    /// The number of starts in a row in which the receiver sent messages but answered nothing.
    var muteStarts = 0
    var reportedIdentity: ReceiverIdentity?
    /// Whether the receiver has stated its identity since it last woke; then an unanswered command counts as refused.
    var isInContact = false
    /// Whether the main supply is on; nil until the line that switches it was set.
    var isSupplied: Bool?
    /// Whether the supply may already have been on, and the receiver asleep, when the supply's line was set.
    var wasSupplyUnknown = false
    var isTransmitterHeld = false
    /// The rate at which the receiver last answered, while a new rate is unproven; nil otherwise.
    var provenBaud: Int?
    /// Whether the change to the wanted rate failed since the port was opened or the supply was last off.
    var hasRaiseFailed = false
    /// Kinds of sleep that the receiver should have, but that failed too often.
    var unavailable: Set<SleepKind> = []
    /// The instant of the last message with a valid checksum.
    var lastHeard = MonotonicInstant.zero
    /// The instant of the last bytes, whether or not they formed a message.
    var lastBytes = MonotonicInstant.zero
    /// The number of sentences received from a receiver that was configured to send none.
    var straySentences = 0
    /// The instant of the last new configuration caused by NMEA sentences from a receiver that was told to send none.
    var lastCure: MonotonicInstant?

    public init(_ configuration: ReceiverControllerConfiguration) {
        self.configuration = configuration
        if let model = configuration.model {
            identity = ReceiverIdentity(assuming: model)
            refreshBehaviour()
        }
    }

    /// The kinds of sleep that the receiver and the wired lines allow, less those that failed too often.
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

    /// Wakes the receiver; `aid` is the assistance to give it after waking.
    public mutating func wake(aid: ReceiverAid?, at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
        goal = .awake
        // A ready receiver needs no assistance, and by its next start this assistance would be out of date.
        assistance.aid = phase == .ready ? nil : aid
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

    /// Puts the receiver into this kind of sleep until `wake` is called, which the host plans to do after
    /// `nanoseconds`; nil where the host has no planned time.
    public mutating func sleep(
        _ kind: SleepKind, forNanoseconds nanoseconds: Int64?, at instant: MonotonicInstant,
        into orders: inout [ReceiverOrder]
    ) {
        guard sleepKinds.contains(kind) else {
            orders.report(.sleepUnavailable(kind))
            return
        }
        if phase == .asleep, rest.kind >= kind, rest.kind != .cyclic { return }
        if isSaving {
            // Saving the database ends by cutting all supplies, in place of any other kind of sleep; only `hardware`
            // sleep interrupts it.
            guard kind == .hardware else { return }
            loseDatabase(.interrupted, into: &orders)
        }
        // A sleep of 36 years and more needs no exact end, so its end is limited to 36 years.
        goal = .asleep(kind, until: nanoseconds.map { instant.advanced(byNanoseconds: min($0, 1 << 60)) })
        rest.wakes = 0
        beginRest(kind, at: instant, into: &orders)
    }

    /// Takes a message with a valid checksum from the receiver; `bytes` hold the whole message.
    @inline(__always)
    public mutating func heard(
        _ message: ReceiverStream.Message, fields: borrowing NMEAFields, bytes: borrowing Span<UInt8>,
        at instant: MonotonicInstant, into orders: inout [ReceiverOrder]
    ) {
        lastHeard = instant
        guard phase == .ready else {
            takeUnsettled(message, fields: fields, bytes: bytes, at: instant, into: &orders)
            return
        }
        guard message == .sentence, behaviour.isSilencedNMEA else { return }
        noteStraySentence(at: instant, into: &orders)
    }

    /// Takes note of bytes from the receiver, whether or not they form a message; they show that it does not sleep.
    ///
    /// Bytes without a message also show that the receiver may be at another rate. The floating pin of an unsupplied
    /// receiver may look like bytes, so while the supply is off only messages, given to `heard`, count.
    public mutating func heardBytes(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
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

    /// Takes the set of wired lines after the board's wiring has changed.
    public mutating func hardwareChanged(lines: Set<LineRole>) {
        // The level of a newly wired line is unknown; therefore it is also unknown whether the receiver has its supply.
        if !configuration.lines.contains(.powerEnable) || !lines.contains(.powerEnable) { isSupplied = nil }
        configuration.lines = lines
        refreshBehaviour()
    }

    /// Takes note that the receiver's port is open; `baud` is in bits per second, nil where the link has no rate.
    public mutating func portOpened(
        _ link: ReceiverLink = .uart, baud: Int?, at instant: MonotonicInstant, into orders: inout [ReceiverOrder]
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

    /// Takes note that the receiver's port is gone; the board's lines may still be there.
    public mutating func portLost(at instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
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

    /// Does what is due at `instant`; before `deadline` nothing is due.
    public mutating func timePassed(to instant: MonotonicInstant, into orders: inout [ReceiverOrder]) {
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
    enum Goal: Equatable {
        case off
        case awake
        case asleep(SleepKind, until: MonotonicInstant?)
    }

    /// The step in which the controller is; each step handles messages and its deadline in its own way.
    enum Phase: Equatable {
        case off
        /// The port is not open.
        case noPort
        /// The supply is rising; the host's transmitter is still held low.
        case powering
        case booting
        /// The commands that query the receiver's identity are being sent.
        case contacting
        case configuring
        /// Commands are being sent that ask whether flash restored the database, and that clear its copy in flash.
        case checkingBackup
        case aiding
        case ready
        /// The commands are being sent that stop the receiver's reports before the database is dumped.
        case quieting
        case dumping
        case savingInFlash
        case enteringCyclic
        case leavingCyclic
        /// The commands that put the receiver to sleep are being sent.
        case goingToSleep
        /// The controller waits for silence, which proves that the receiver sleeps.
        case confirmingSleep
        case asleep
        /// The receiver was woken, to be sent its next sleep command.
        case renewing
        /// The supply is off for a moment, because the receiver did not answer.
        case powerCycling
        /// The receiver does not answer; the next attempt is due at `deadline`.
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

    mutating func order(baud rate: Int, into orders: inout [ReceiverOrder]) {
        guard baud != nil, baud != rate else { return }
        baud = rate
        orders.append(.port(.setBaud(rate)))
    }
}
