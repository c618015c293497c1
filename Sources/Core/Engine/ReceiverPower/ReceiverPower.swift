internal import ClientProtocol
internal import ClientVocabulary
internal import Epochs
internal import Fusion
internal import GNSS
internal import NMEA0183
internal import Parts
internal import Power
internal import Receivers
internal import SextantUnits

/// Decides when the receiver is on, by what clients need; where its power cannot be switched, only the clients' needs
/// are noted.
struct ReceiverPower: ~Copyable {
    /// All values that other parts of the Engine read from the receiver's power control, except `deadline`.
    private(set) var view: ReceiverPowerView
    private var cause = EnergyCause.idleSleep
    private var wasResting = false

    init(_ configuration: EngineConfiguration) {
        view = ReceiverPowerView(manager: configuration.power.map { ManagedReceiver($0, device: configuration.device) })
    }

    /// The next instant at which the receiver's power control has something to do without any other input; nil for
    /// none.
    var deadline: MonotonicInstant? { manager?.deadline }

    private var manager: ManagedReceiver? { view.manager }

    // MARK: What happens

    /// Notes that the daemon handles an input, for which the host is awake.
    func begin(at instant: MonotonicInstant) { manager?.hostRuns(at: instant) }

    func started(_ turn: inout Turn) { manager?.started(&turn) }

    /// An event that the receiver's power depends on, besides the receiver's own messages.
    enum Event {
        /// The board's GPIO lines were opened; `problem` says why some cannot be used.
        case lines(Set<LineRole>, problem: String?)
        case portOpened(ReceiverLink, baud: Int?)
        case portLost
        case bytes
        /// The accelerometer found that the board moves (true) or is at rest (false).
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

    func keepLearned(_ turn: inout Turn) { manager?.keepLearned(&turn) }

    // MARK: Needs

    /// Takes the position requests of all clients.
    ///
    /// - Parameters:
    ///   - payers: The clients with monitoring services, each of which gets an energy account; nil where they have not
    ///     changed.
    ///   - gpsd: The numbers of the connections of the gpsd port.
    ///   - forTime: Whether the receiver must be on to give the time for the host's clock.
    mutating func need(
        _ requests: [AccuracyRequest], monitoringFor payers: [String]?, gpsd: [UInt32], forTime: Bool
    ) {
        if let payers { manager?.monitors(for: payers) }
        let asked = Demand.merging(requests)
        view.asked = asked
        view.demand = asked
        cause = ReceiverPower.cause(of: requests, gpsd: gpsd)
        guard forTime, !asked.keepsOn else { return }
        // A receiver that is on only to give the time for the host's clock costs energy that no client caused, so no
        // client is charged for it.
        cause = .timeService
        view.demand.accuracy = asked.accuracy ?? ReceiverPower.timeAccuracy
        view.demand.keepsOn = true
        view.demand.clients = []
    }

    /// The accuracy in metres that is asked for where only the time is wanted: any position from satellites is enough.
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

    /// Takes a navigation solution and the strongest signal of its epoch in dB-Hz, which is nil where the epoch had no
    /// sky view.
    ///
    /// - Parameter doubt: Why the receiver's positions may be wrong, as far as the location filter found out.
    /// - Returns: Whether the solution is good enough to be delivered.
    func found(_ fix: Fix, strongestSignal: Double?, _ doubt: PositionDoubt, _ turn: inout Turn) -> Bool {
        guard let manager else { return true }
        let isWanted = manager.found(fix, strongestSignal: strongestSignal, at: turn.instant)
        manager.noteJumps(doubt.jumps, at: turn.instant)
        manager.noteClaims(doubt.excess, &turn)
        return isWanted
    }

    /// Wakes the receiver, puts it to sleep or configures it, as clients need now.
    ///
    /// - Returns: The orders of the receiver's controller, in order; some of them concern the serial line.
    func settle(_ turn: inout Turn) -> [ReceiverOrder] {
        guard let manager else { return [] }
        manager.demanded(view.demand, at: turn.instant)
        return manager.settle(&turn)
    }

    /// Whether the receiver is now asleep or off, where that has changed since the last call; nil where it has not.
    mutating func restChanged() -> Bool? {
        guard view.isResting != wasResting else { return nil }
        wasResting = view.isResting
        return wasResting
    }

    // MARK: Energy

    /// Opens an energy account for a connection, under the name to which its energy is charged.
    func connected(_ id: ClientID, payer: String) { manager?.joined(id.rawValue, label: payer) }

    func gone(_ id: ClientID) { manager?.left(id.rawValue) }

    /// From now on, charges the receiver's energy to its present state, cause and clients, and the Bluetooth radio's
    /// energy to what the radio is used for.
    func account(radio use: EnergyLedger.RadioUse?, at instant: MonotonicInstant) {
        manager?.accountFor(cause, radio: use, at: instant)
    }

    /// - Parameter clock: Relates the receiver's time to the board's monotonic clock.
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

/// Why the receiver's positions may be wrong, as far as the location filter found out.
struct PositionDoubt {
    /// The number of position jumps since the daemon started; in a jump, several fixes agree on another place.
    let jumps: UInt64
    /// The receiver's error, as the filter learned it, as a multiple of the claimed one; nil before enough was learned.
    let excess: Double?
}

/// The demand on the receiver, and the receiver's state, for other parts of the Engine to read.
struct ReceiverPowerView {
    /// The receiver with its power control; nil where the daemon only reads it.
    fileprivate let manager: ManagedReceiver?
    /// The demand of all clients together on the receiver.
    fileprivate(set) var asked = Demand.none
    /// The demand of clients and of the host's clock together on the receiver.
    fileprivate(set) var demand = Demand.none

    fileprivate init(manager: ManagedReceiver?) { self.manager = manager }

    /// Whether the receiver's power can be switched; otherwise the daemon only reads it.
    var isManaged: Bool { manager != nil }

    /// Whether the receiver is asleep or off, so that its silence is expected.
    var isResting: Bool { manager?.isAsleep == true }

    /// Whether any client needs a position.
    var isNeeded: Bool { demand.accuracy != nil || demand.keepsOn }

    /// The rate in bits per second at which the receiver's controller speaks with it; nil where it is not known.
    var baud: Int? { manager?.controller.baud }

    /// When the receiver is next planned to be on; nil where no start is planned.
    var nextStart: MonotonicInstant? { manager?.policy.nextStart }

    /// The time in seconds within which a fix comes in 95 of 100 cases; nil where the daemon only reads the receiver.
    func predictedStart(at instant: MonotonicInstant) -> Double? { manager?.policy.predictedStart(at: instant) }

    /// The radius in metres within which the board is now with a probability of 68 %; nil where it is not known.
    func uncertainty(at instant: MonotonicInstant) -> Double? { manager?.policy.uncertainty(at: instant) }

    /// Whether positions come now, and if not, why; nil where the daemon only reads the receiver.
    func positionState(at instant: MonotonicInstant) -> PositionState? { manager?.positionState(at: instant) }

    /// The instant since which a fix that is needed has not come; nil where none is missing.
    var outageSince: MonotonicInstant? { manager?.outage.since }

    /// The reason why no position comes; nil where it is not known.
    ///
    /// - Parameter isReceiving: Whether messages come; a receiver that is always on sends them without a fix too.
    func outageReason(isReceiving: Bool) -> FailureReason? {
        if let manager { return manager.policy.outageReason?.name }
        return (isReceiving ? OutageReason.noSky : .receiverUnreachable).name
    }

    /// The energy used in the last hour, in the last day and since the daemon's start, by receiver, sensors, radio and
    /// host; nil where the board's power draws are not known.
    func energyReport(at instant: MonotonicInstant) -> EnergyReport? { manager?.energy.report(at: instant) }

    /// The account names to which the energy of clients that need positions is charged, each once.
    var payers: [String] { manager?.energy.payers(asked.clients) ?? [] }

    /// Joules that the receiver has used only for the host's clock since the daemon's start; nil where the board's
    /// power draws are not known.
    func joulesForTime(at instant: MonotonicInstant) -> Double? {
        energyReport(at: instant).map { Double($0.sinceBoot.cause(.timeService)) * 1e-9 }
    }

    /// The bytes that poll the receiver for its leap seconds; nil where it cannot be polled now.
    var leapSecondsQuestion: [UInt8]? { manager?.leapSecondsQuestion }

    /// The energy used in each minute of the last hour, or in each quarter of an hour of the last day, oldest first;
    /// nil where the board's power draws are not known.
    func energyHistory(
        of window: EnergyLedger.HistoryWindow, at instant: MonotonicInstant
    ) -> [EnergyLedger.HistoryRow]? {
        manager?.energy.history(of: window, at: instant)
    }
}
