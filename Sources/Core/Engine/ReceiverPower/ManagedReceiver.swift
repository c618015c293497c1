internal import Epochs
internal import GNSS
internal import NMEA0183
internal import Parts
internal import Power
internal import Receivers
internal import SextantJSON
internal import SextantUnits
internal import UBX

/// A receiver whose power can be switched: its controller, its power policy and its energy ledger.
///
/// The controller reports the receiver's state to the policy; the policy tells the controller when to wake the receiver
/// and when to put it to sleep. Both only queue their orders; `settle` carries them out in turn.
///
/// It is a class only to save compile time, as `Engine` is.
final class ManagedReceiver {
    private(set) var controller: ReceiverController
    private(set) var policy: ReceiverPowerPolicy
    private(set) var energy = ReceiverEnergy()
    private(set) var troubles = ReceiverTroubles()
    /// The present or last outage, in which a needed fix does not come.
    private(set) var outage = Outage()
    /// A sentence that says why some of the board's GPIO lines cannot be used; nil where all can.
    private(set) var linesProblem: String?
    private var orders: [ReceiverOrder] = []
    private var wanted: [PowerAction] = []
    private let configuration: PowerConfiguration
    /// Why the stored state that was learned about the receiver cannot be used; nil where it can be used, or where none
    /// is stored.
    private var learnedProblem: LearnedStateError?
    /// The last time and position, which are sent to the receiver as aiding data when it wakes.
    private var memory = FixMemory()
    /// The power save state that a u-blox receiver last reported; nil before the first report.
    private var saving: PowerSaveState?

    /// The ratio of learned to claimed error above which the receiver's claimed accuracy is not trusted, and the lower
    /// ratio below which it is trusted again.
    private static let optimisticClaims = 2.0
    private static let honestClaims = 1.5

    /// Creates the receiver with what an earlier run of the daemon learned about it.
    ///
    /// - Parameter device: The device's path, which identifies the receiver, together with its model, in the learned
    ///   state.
    init(_ configuration: PowerConfiguration, device: String) {
        self.configuration = configuration
        controller = ReceiverController(
            ReceiverControllerConfiguration(
                model: configuration.model, lines: [], baud: configuration.baud,
                hasPersistentBackup: configuration.hasPersistentBackup))
        let receiver = "\(configuration.model.rawValue) \(device)"
        let times = configuration.startTimes
        var learned = LearnedState(receiver: receiver, believing: times)
        if let kept = configuration.learned {
            do throws(LearnedStateError) {
                learned = try LearnedState(decoding: kept.span, receiver: receiver, believing: times)
            } catch {
                learnedProblem = error
            }
        }
        policy = ReceiverPowerPolicy(
            PolicySettings(
                draw: configuration.draw, startTimes: times,
                hasMotionSensor: configuration.motionSensorDraw != nil,
                longestUnwatchedRest: configuration.longestUnwatchedRest),
            learned: learned)
    }

    /// The next instant at which the controller or the policy has something to do without any other input; nil for
    /// none.
    var deadline: MonotonicInstant? { .earlier(controller.deadline, policy.deadline) }

    /// Whether the receiver is asleep or off, so that its silence is expected.
    var isAsleep: Bool {
        switch controller.state {
        case .off: true
        case .fallingAsleep(let kind), .asleep(let kind): kind != .cyclic
        case .starting, .detecting, .configuring, .ready, .savingDatabase, .unresponsive: false
        }
    }
}

// MARK: Inputs

extension ManagedReceiver {
    func started(_ turn: inout Turn) {
        if let learnedProblem { note(.learnedStateLost, learnedProblem.description, &turn) }
        guard let model = configuration.energyModel else { return }
        energy.begin(model, hasMotionSensor: configuration.motionSensorDraw != nil, at: turn.instant)
    }

    func linesOpened(_ lines: Set<LineRole>, problem: String?, at instant: MonotonicInstant) {
        linesProblem = problem
        controller.hardwareChanged(lines: lines)
        tellSleepKinds(at: instant)
        controller.wake(aid: nil, at: instant, into: &orders)
    }

    func portOpened(_ link: ReceiverLink, baud: Int?, at instant: MonotonicInstant) {
        controller.portOpened(link, baud: baud, at: instant, into: &orders)
    }

    func portLost(at instant: MonotonicInstant) {
        controller.portLost(at: instant, into: &orders)
        if !isAsleep { policy.handle(.portLost, at: instant, into: &wanted) }
    }

    @inline(__always)
    func heard(
        _ message: ReceiverStream.Message, fields: borrowing NMEAFields, bytes: borrowing Span<UInt8>,
        at instant: MonotonicInstant
    ) {
        if message == .frame { noteSaving(bytes) }
        controller.heard(message, fields: fields, bytes: bytes, at: instant, into: &orders)
    }

    /// Keeps the power save state that a UBX-NAV-PVT message reports; a receiver begins to save power only after it has
    /// tracked for a while.
    private func noteSaving(_ frame: borrowing Span<UInt8>) {
        guard frame.count > 8, frame[2] == 0x01, frame[3] == 0x07,
            let state = NavPVT.powerSaveState(in: frame.extracting(6..<(frame.count - 2)))
        else { return }
        saving = state
    }

    func heardBytes(at instant: MonotonicInstant) { controller.heardBytes(at: instant, into: &orders) }

    /// Takes a navigation solution and the strongest signal of its epoch in dB-Hz, which is nil where the epoch had no
    /// sky view.
    ///
    /// - Returns: Whether the solution is good enough to be delivered.
    func found(_ fix: Fix, strongestSignal: Double?, at instant: MonotonicInstant) -> Bool {
        memory.found(fix, at: instant)
        guard let position = PowerFix(fix) else {
            policy.handle(.noFix(strongestSignal: strongestSignal), at: instant, into: &wanted)
            return false
        }
        memory.position = fix
        troubles.end(.noFix)
        return policy.found(position, at: instant, into: &wanted)
    }

    func sensed(motion: Bool, at instant: MonotonicInstant) {
        policy.handle(.motion(motion), at: instant, into: &wanted)
    }

    func demanded(_ new: Demand, at instant: MonotonicInstant) {
        guard new != policy.demand else { return }
        policy.handle(.demanded(new), at: instant, into: &wanted)
        attendUnreachable(at: instant)
    }

    /// Switches an unreachable receiver off while no client needs it, and on again when one does, where that is
    /// possible.
    private func attendUnreachable(at instant: MonotonicInstant) {
        guard policy.phase == .unreachable else { return }
        if policy.needsReceiver, isAsleep, controller.state != .off {
            controller.wake(aid: nil, at: instant, into: &orders)
        } else if !policy.needsReceiver, controller.state == .unresponsive,
            let kind = controller.sleepKinds.subtracting([.cyclic, .software]).min()
        {
            controller.sleep(kind, forNanoseconds: nil, at: instant, into: &orders)
        }
    }

    func timePassed(to instant: MonotonicInstant) {
        controller.timePassed(to: instant, into: &orders)
        if let deadline = policy.deadline, deadline <= instant {
            policy.handle(.timePassed, at: instant, into: &wanted)
        }
    }

    private func tellSleepKinds(at instant: MonotonicInstant) {
        policy.handle(.sleepKinds(controller.sleepKinds), at: instant, into: &wanted)
    }
}

// MARK: Consequences

extension ManagedReceiver {
    /// Carries out all orders of the controller and the policy, until neither queues more.
    ///
    /// - Returns: The controller's orders that were carried out, in order.
    func settle(_ turn: inout Turn) -> [ReceiverOrder] {
        var done: [ReceiverOrder] = []
        while !wanted.isEmpty || !orders.isEmpty {
            let (actions, ordered) = (wanted, orders)
            (wanted, orders) = ([], [])
            for action in actions { carryOut(action, &turn) }
            for order in ordered { carryOut(order, &turn) }
            done += ordered
        }
        outage.settle(policy.outageReason, at: turn.instant)
        note(.motionSensorDeaf, policy.motionSensorFault == .deaf, &turn)
        note(.motionSensorRestless, policy.motionSensorFault == .restless, &turn)
        return done
    }

    /// Notes whether a lasting trouble of the receiver is present, and logs its beginning.
    private func note(_ kind: ReceiverTroubles.Kind, _ isPresent: Bool, _ turn: inout Turn) {
        guard isPresent != troubles.isPresent(kind) else { return }
        guard isPresent else { return troubles.end(kind) }
        note(kind, ReceiverTroubles.sentence(of: kind), &turn)
    }

    /// Notes that a trouble occurred, and logs its sentence unless that was logged before.
    private func note(_ kind: ReceiverTroubles.Kind, _ sentence: String, _ turn: inout Turn) {
        let isNews = troubles.note(kind, sentence, at: turn.instant)
        if isNews { turn.log(.receiverTrouble(sentence)) }
    }

    /// Takes the number of position jumps since the daemon started; in a jump, several fixes agree on another place.
    func noteJumps(_ count: UInt64, at instant: MonotonicInstant) { troubles.noteJumps(count, at: instant) }

    /// Begins or ends the trouble that the receiver's errors are much larger than the accuracy that it claims.
    ///
    /// - Parameter excess: The learned error as a multiple of the claimed one; nil where too little was learned.
    func noteClaims(_ excess: Double?, _ turn: inout Turn) {
        guard let excess else { return }
        let isPresent = troubles.isPresent(.optimisticClaims)
        let least = isPresent ? ManagedReceiver.honestClaims : ManagedReceiver.optimisticClaims
        note(.optimisticClaims, excess >= least, &turn)
    }

    private func carryOut(_ action: PowerAction, _ turn: inout Turn) {
        switch action {
        case .wake:
            let aid = memory.aid(within: policy.uncertainty(at: turn.instant), at: turn.instant)
            controller.wake(aid: aid, at: turn.instant, into: &orders)
        case .sleep(let kind, let nanoseconds):
            controller.sleep(kind, forNanoseconds: nanoseconds, at: turn.instant, into: &orders)
        case .searchFailed(let seconds, let retry):
            troubles.note(
                .noFix,
                "no position in \(Int(saturating: seconds)) s; the next search is in \(Int(saturating: retry)) s",
                at: turn.instant)
        case .learned: keepLearned(&turn)
        }
    }

    func keepLearned(_ turn: inout Turn) {
        let bytes = policy.learned.encode()
        let start = turn.text.count
        turn.text.append(bytes.span)
        turn.actions.append(.keepLearned(start..<turn.text.count))
    }

    private func carryOut(_ order: ReceiverOrder, _ turn: inout Turn) {
        switch order {
        case .port(let order): turn.actions.append(.port(order))
        case .setLine(let role, let level): turn.actions.append(.setLine(role, level))
        case .report(let report): heed(report, &turn)
        }
    }

    private func heed(_ report: ReceiverReport, _ turn: inout Turn) {
        if let (kind, sentence) = ReceiverTroubles.trouble(of: report) {
            note(kind, sentence, &turn)
        }
        policy.handle(report, at: turn.instant, into: &wanted)
        switch report {
        case .identified:
            tellSleepKinds(at: turn.instant)
            noteAnswer(&turn)
            if let identity = controller.identity {
                turn.log(.receiverIdentified(identity.description, firmware: identity.firmware))
            }
        case .ready, .recovered: troubles.end(.unresponsive)
        case .sleepUnavailable: tellSleepKinds(at: turn.instant)
        case .unresponsive: attendUnreachable(at: turn.instant)
        case .asleep, .sleepRefused, .woke, .configurationRefused, .databaseSaved, .databaseLost, .databaseRestored:
            break
        }
    }

    /// Notes a receiver that sends reports but answers nothing, so that it cannot be configured; its RX wire is the
    /// likely cause.
    private func noteAnswer(_ turn: inout Turn) {
        guard controller.identity?.family == .generic, configuration.model.family != .generic else {
            troubles.end(.noAnswer)
            return
        }
        let sentence =
            "the receiver reports and answers nothing; check that TX goes to its RX, and that it is the "
            + "board's \(configuration.model.rawValue); it is used as any NMEA receiver"
        note(.noAnswer, sentence, &turn)
    }
}

// MARK: Energy

extension ManagedReceiver {
    func joined(_ client: UInt32, label: String) { energy.ledger?.join(client, label: label) }

    func left(_ client: UInt32) { energy.ledger?.leave(client) }

    /// Opens an energy account for each of these clients, whose regions, visits or significant changes are monitored.
    func monitors(for clients: [String]) { energy.ledger?.register(clients) }

    func hostRuns(at instant: MonotonicInstant) { energy.hostRuns(at: instant) }

    /// From now on, charges the receiver's energy to its present state, cause and clients, and the Bluetooth radio's
    /// energy to what the radio is used for.
    func accountFor(_ cause: EnergyCause, radio use: EnergyLedger.RadioUse?, at instant: MonotonicInstant) {
        energy.ledger?.listen(use, at: instant)
        energy.charge(energyState, self.cause(cause), policy.demand.clients, at: instant)
    }

    /// The bytes that poll the receiver for its leap seconds; nil where the receiver lacks the message or is not ready.
    ///
    /// Source: u-blox 8 / M8 receiver description (UBX-13003221), NAV-TIMELS; earlier receivers lack it. Taken from the
    /// document; not tried on hardware.
    var leapSecondsQuestion: [UInt8]? {
        guard controller.state == .ready, let generation = controller.identity?.generation, generation >= 8 else {
            return nil
        }
        var question: [UInt8] = []
        UBXEncoder.appendPoll(.navTIMELS, into: &question)
        return question
    }

    private var energyState: EnergyLedger.State {
        switch controller.state {
        case .off, .asleep(.cut): .off
        case .asleep(.software): .softwareSleep
        case .asleep(.hardware): .hardwareSleep
        case .asleep(.cyclic): cyclicState
        case .savingDatabase, .fallingAsleep: .tracking
        case .starting, .detecting, .configuring, .unresponsive: .acquiring
        case .ready:
            switch policy.phase {
            case .tracking: .tracking
            case .cyclic: cyclicState
            case .searching, .unreachable, .asleep: .acquiring
            }
        }
    }

    /// The state under which the energy ledger books a receiver in cyclic tracking, from the power save state that the
    /// receiver reports.
    private var cyclicState: EnergyLedger.State {
        switch saving {
        case .acquisition: .acquiring
        case .tracking: .tracking
        case nil, .notActive, .enabled, .powerOptimizedTracking, .inactive: .cyclic
        }
    }

    private func cause(_ asked: EnergyCause) -> EnergyCause {
        switch controller.state {
        case .off, .asleep(.software), .asleep(.hardware), .asleep(.cut): return .idleSleep
        case .detecting, .configuring, .unresponsive: return .configuration
        case .savingDatabase: return .aiding
        case .starting, .ready, .fallingAsleep, .asleep(.cyclic): break
        }
        guard policy.needsReceiver else { return .alwaysOn }
        guard case .searching = policy.phase else { return asked }
        if memory.position == nil { return .coldStart }
        return troubles.isPresent(.noFix) ? .failedSearch : asked
    }
}
