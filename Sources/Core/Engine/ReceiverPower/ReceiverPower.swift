internal import ClientProtocol
internal import Epochs
internal import Fusion
internal import GNSS
internal import NMEA0183
internal import Parts
internal import Power
internal import Receivers
internal import SextantUnits

/// Decides when the receiver is on, by what clients need; a receiver that cannot be switched only has its needs noted.
struct ReceiverPower: ~Copyable {
    /// All that others may read of this part, but for its deadline.
    private(set) var view: ReceiverPowerView
    private var cause = EnergyCause.idleSleep
    private var wasResting = false

    init(_ configuration: EngineConfiguration) {
        view = ReceiverPowerView(manager: configuration.power.map { ManagedReceiver($0, device: configuration.device) })
    }

    /// The next instant at which time alone changes something.
    var deadline: MonotonicInstant? { manager?.deadline }

    private var manager: ManagedReceiver? { view.manager }

    // MARK: What happens

    /// The daemon handles an input, for which the host was awake.
    func begin(at instant: MonotonicInstant) { manager?.hostRuns(at: instant) }

    func started(_ turn: inout Turn) { manager?.started(&turn) }

    /// An event that the receiver's power depends on, besides the receiver's own messages.
    enum Event {
        /// The board's GPIO lines were opened; the problem says why some cannot be used.
        case lines(Set<LineRole>, problem: String?)
        case portOpened(ReceiverLink, baud: Int?)
        case portLost
        case bytes
        /// The accelerometer found that the board moves, or rests.
        case motion(Bool)
        case timePassed
    }

    func sensed(_ event: Event, at instant: MonotonicInstant) {
        switch event {
        case .lines(let lines, let problem): manager?.linesOpened(lines, problem: problem, at: instant)
        case .portOpened(let link, let baud): manager?.portOpened(link, baud: baud, at: instant)
        case .portLost: manager?.portLost(at: instant)
        case .bytes: manager?.heardBytes(at: instant)
        case .motion(let moves): manager?.sensed(motion: moves, at: instant)
        case .timePassed: manager?.timePassed(to: instant)
        }
    }

    /// Takes one message of the receiver.
    @inline(__always)
    func heard(
        _ message: ReceiverStream.Message, fields: borrowing NMEAFields, bytes: borrowing Span<UInt8>,
        at instant: MonotonicInstant
    ) {
        manager?.heard(message, fields: fields, bytes: bytes, at: instant)
    }

    /// Has all that was learned of the receiver stored.
    func keepLearned(_ turn: inout Turn) { manager?.keepLearned(&turn) }

    // MARK: Needs

    /// Takes the position requests of all clients.
    ///
    /// - Parameters:
    ///   - payers: The clients that something is monitored for, each of which gets an account of energy; nil where they
    ///     are the same as before.
    ///   - gpsd: The numbers of the connections of the gpsd port.
    ///   - forTime: Whether the receiver must be on for the host's clock.
    mutating func need(
        _ requests: [AccuracyRequest], monitoringFor payers: [String]?, gpsd: [UInt32], forTime: Bool
    ) {
        if let payers { manager?.monitors(for: payers) }
        let asked = Demand.merging(requests)
        view.asked = asked
        view.demand = asked
        cause = ReceiverPower.cause(of: requests, gpsd: gpsd)
        guard forTime, !asked.keepsOn else { return }
        // Clients that would let the receiver sleep do not pay for what the clock needs.
        cause = .timeService
        view.demand.accuracy = asked.accuracy ?? ReceiverPower.timeAccuracy
        view.demand.keepsOn = true
        view.demand.clients = []
    }

    /// Metres within which a position is good enough where the time alone is wanted: any that comes of satellites.
    private static let timeAccuracy = 500.0

    /// Why the receiver is on: the service of the request with the strictest accuracy.
    private static func cause(of requests: [AccuracyRequest], gpsd: [UInt32]) -> EnergyCause {
        var cause = EnergyCause.idleSleep
        var least = Double.infinity
        for request in requests where request.state != .paused && request.effectiveAccuracy < least {
            least = request.effectiveAccuracy
            cause =
                switch request.service {
                case .standard: .accuracyRequest
                case .everyEpoch: gpsd.contains(request.client) ? .gpsd : .accuracyRequest
                case .singleLocation: .singleLocation
                case .significantChange: .significantChange
                case .visits: .visitMonitoring
                case .region: .regionMonitoring
                }
        }
        return cause
    }

    /// Takes a solution, and the strongest signal in dB-Hz; nil where its epoch had no sky view.
    ///
    /// - Parameter doubt: The location filter's doubts about the receiver's positions.
    /// - Returns: Whether the solution is good enough to be delivered.
    func found(_ fix: Fix, strongestSignal: Double?, _ doubt: PositionDoubt, _ turn: inout Turn) -> Bool {
        guard let manager else { return true }
        let isWanted = manager.found(fix, strongestSignal: strongestSignal, at: turn.instant)
        manager.noteJumps(doubt.jumps, at: turn.instant)
        manager.noteClaims(doubt.excess, &turn)
        return isWanted
    }

    /// Wakes, rests and configures the receiver as clients need it now.
    ///
    /// - Returns: The orders of the receiver's controller, which its serial line must know of, in order.
    func settle(_ turn: inout Turn) -> [ReceiverOrder] {
        guard let manager else { return [] }
        manager.demanded(view.demand, at: turn.instant)
        return manager.settle(&turn)
    }

    /// Whether the receiver is now at rest, where that changed since the last call; nil where it did not.
    mutating func restChanged() -> Bool? {
        guard view.isResting != wasResting else { return nil }
        wasResting = view.isResting
        return wasResting
    }

    // MARK: Energy

    /// Opens an account for a client of the name to which its energy is charged.
    func connected(_ id: ClientID, payer: String) { manager?.joined(id.rawValue, label: payer) }

    func gone(_ id: ClientID) { manager?.left(id.rawValue) }

    /// Charges the receiver's energy from now on to its present state, cause and clients, and the radio's to its use.
    func account(radio use: EnergyLedger.RadioUse?, at instant: MonotonicInstant) {
        manager?.accountFor(cause, radio: use, at: instant)
    }

    /// - Parameter clock: Relates the receiver's time to the board's clock.
    func describe(
        _ status: inout DaemonStatus, _ counters: inout StatusCounters, _ clock: FixClock, at instant: MonotonicInstant
    ) {
        guard let manager else { return }
        counters.starts = manager.policy.startCounters
        if status.state != .absent, view.isResting { status.state = .resting }
        status.power = manager.status(at: instant)
        if status.state != .absent { status.plan = manager.plan(clock, at: instant) }
    }
}

/// The location filter's doubts about the receiver's positions.
struct PositionDoubt {
    /// How often the filter has begun anew, because several fixes agreed on another place.
    let jumps: UInt64
    /// The learned error as a multiple of the claimed one; nil before enough was learned.
    let excess: Double?
}

/// The demand on the receiver, and its state: a value for others to read.
struct ReceiverPowerView {
    /// The receiver with its power control; nil where it is only listened to.
    fileprivate let manager: ManagedReceiver?
    /// The demand of all clients together.
    fileprivate(set) var asked = Demand.none
    /// The demand of clients and the host's clock together.
    fileprivate(set) var demand = Demand.none

    fileprivate init(manager: ManagedReceiver?) { self.manager = manager }

    /// Whether the receiver can be switched; otherwise it is only listened to.
    var isManaged: Bool { manager != nil }

    /// Whether the receiver is at rest, so that its silence is expected.
    var isResting: Bool { manager?.isAsleep == true }

    /// Whether any client needs a position.
    var isNeeded: Bool { demand.accuracy != nil || demand.keepsOn }

    /// The rate in bits per second at which the receiver's controller speaks with it; nil where it is not known.
    var baud: Int? { manager?.controller.baud }

    /// When the receiver is to be on next; nil where no plan says so.
    var nextStart: MonotonicInstant? { manager?.policy.nextStart }

    /// Seconds within which a fix is found from now on, in 95 of 100 cases; nil where the receiver is only listened to.
    func predictedStart(at instant: MonotonicInstant) -> Double? { manager?.policy.predictedStart(at: instant) }

    /// The radius in metres that holds 68 % of where the board may be now; nil where it is not known.
    func uncertainty(at instant: MonotonicInstant) -> Double? { manager?.policy.uncertainty(at: instant) }

    /// Whether positions come now, and if not, why; nil where the receiver is only listened to.
    func positionState(at instant: MonotonicInstant) -> PositionState? { manager?.positionState(at: instant) }

    /// The instant since which a needed fix does not come; nil where none is missing.
    var outageSince: MonotonicInstant? { manager?.outage.since }

    /// The reason why no position comes; nil where it is not known.
    ///
    /// - Parameter isReceiving: Whether messages come; a receiver that is only listened to sends them without a fix
    ///   too.
    func outageReason(isReceiving: Bool) -> StaticString? {
        if let manager { return manager.policy.outageReason?.name }
        return (isReceiving ? OutageReason.noSky : .receiverUnreachable).name
    }

    /// The energy since the start; nil where the board's draws are not known.
    func energyReport(at instant: MonotonicInstant) -> EnergyReport? { manager?.energy.report(at: instant) }

    /// The names to which the energy of those who need positions is charged, each once.
    var payers: [String] { manager?.energy.payers(asked.clients) ?? [] }

    /// Joules that the receiver has used for the time alone since the start; nil where the board's draws are not known.
    func joulesForTime(at instant: MonotonicInstant) -> Double? {
        energyReport(at: instant).map { Double($0.sinceBoot.cause(.timeService)) * 1e-9 }
    }

    /// The bytes that ask the receiver for its leap seconds; nil for one that cannot be asked now.
    var leapSecondsQuestion: [UInt8]? { manager?.leapSecondsQuestion }

    /// The energy's rows of a window, oldest first; nil where the board's draws are not known.
    func energyHistory(
        of window: EnergyLedger.HistoryWindow, at instant: MonotonicInstant
    ) -> [EnergyLedger.HistoryRow]? {
        manager?.energy.history(of: window, at: instant)
    }
}
