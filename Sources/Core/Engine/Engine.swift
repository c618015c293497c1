internal import Epochs
internal import Fusion
internal import GNSS
internal import GPSDProtocol
internal import Magnetism
internal import Monitors
public import Power
internal import ReceiverStream
internal import Receivers
internal import Sessions
public import Units

/// The reducer: everything that happens goes in, everything to be done comes out.
///
/// It is a pure function of its inputs: no clock, no log, no randomness, and nothing iterated in an order that is not
/// its own. The same inputs give the same outputs to the byte, in the daemon, in a replay and in a test.
///
/// One way through: bytes, `ReceiverStream`, messages, `EpochAssembler`, epochs, sessions, text.
public struct Engine: ~Copyable {
    let configuration: EngineConfiguration
    let line: ReceiverLine
    var supervisor = DeviceSupervisor()
    var clients = ClientTable()
    var gpsdReport = GPSDReport()
    var passthrough = Passthrough()
    /// The last epoch, and when it closed.
    var lastEpoch = Epoch()
    var lastEpochAt: MonotonicInstant?
    var epochCount: UInt64 = 0
    /// The last location that was good enough to be delivered, and when it came.
    var lastLocation: (fix: Fix, instant: MonotonicInstant)?
    var deferred = DeferredQueues()
    /// Who is served; nobody until it is said.
    var admission = Admission.nobody
    var authorization = AuthorizationBook()
    /// Whether what somebody may see may have changed since it was looked at.
    var isAccessStale = false
    /// Requests for full accuracy that were decided, until their clients were told what follows.
    var accuracyAnswers: [AccuracyAnswer] = []
    var registrations = RegistrationBook()
    var pending = PendingEvents()
    /// What is kept about clients whose manifests cannot be read now.
    var parked: [DurableRow] = []
    var wakes = WakeBook(at: MonotonicInstant(nanoseconds: 0))
    /// The sessions that clients hold, or may take again, in the order in which they came.
    var holders: [Holder] = []
    var reduced = ReducedAccuracy()
    var track = TrackKeeper()
    var clock = FixClock()
    var path = LocationPath()
    /// Where the board is by all fixes so far.
    var lastFused: FusedLocation?
    /// Whose the regions are that the path watches, by the numbers of their slots.
    var regionOwners: [Int32: RegionOwner] = [:]
    /// Whether they are watched by times that the receiver vouched for.
    var areRegionsDated = false
    var visitBook = VisitBook()
    /// How far the visits had come when the daemon ended, until the time is known.
    var visitRecord: [UInt8]?
    var keptVisitGeneration: UInt64 = 0
    var indicator = Indicator()
    /// Whether the board has a light that can be set.
    var hasIndicator = false
    /// The receiver as something to be switched; nil where it is only listened to.
    var managed: ManagedReceiver?
    /// What is wrong with the state that was kept, until it can be told.
    var learnedProblem: LearnedStateError?
    var wasResting = false
    /// Whether sessions were told last that a fix is missing.
    var hadOutage = false
    /// What the accelerometer said last; nil where there is none.
    var isMoving: Bool?
    let compass: Compass
    /// Whether agents were told that somebody's user is asked to turn the device about.
    var isCalibrationShown = false
    /// Whether somebody came who may want headings.
    var isCompassOccasion = false
    /// What all clients together need of the receiver.
    public internal(set) var demand = Demand.none
    /// Why it is needed.
    var cause = EnergyCause.idleSleep
    var failure: String?
    var openedAt: UTCInstant?

    public init(_ configuration: EngineConfiguration) {
        self.configuration = configuration
        line = ReceiverLine(configuration)
        compass = Compass(board: configuration.board)
        guard let power = configuration.power else { return }
        var problem: LearnedStateError?
        managed = ManagedReceiver(power, device: configuration.device) { problem = $0 }
        learnedProblem = problem
    }

    /// Takes one input that is not the receiver's bytes.
    ///
    /// - Parameter outputs: What is to be done, in order; what it held before is forgotten.
    public mutating func handle(_ input: Input, at instant: MonotonicInstant, into outputs: inout Outputs) {
        outputs.removeAll()
        managed?.hostRuns(at: instant)
        switch input {
        case .started: started(at: instant, into: &outputs)
        case .deviceOpened(let link, let time): opened(link, time: time, at: instant, into: &outputs)
        case .deviceFailed(let absence, let detail): failed(absence, detail, at: instant, into: &outputs)
        case .deviceAppeared: if supervisor.appeared() { outputs.actions.append(.openDevice(baud: line.rate)) }
        case .admission(let admission): admit(admission, at: instant, into: &outputs)
        case .clientConnected(let id, let kind, let identity):
            connected(id, kind, identity, at: instant, into: &outputs)
        case .clientRequest(let id, let request): serve(id, request, at: instant, into: &outputs)
        case .gpsdRequest(let id, let request): serve(id, request, into: &outputs)
        case .clientGone(let id): gone(id, at: instant, into: &outputs)
        case .linesOpened(let lines, let problem): linesOpened(lines, problem, at: instant, into: &outputs)
        case .motion(let moves): sensed(motion: moves, at: instant, into: &outputs)
        case .compassFound(let chips): compassFound(chips, at: instant, into: &outputs)
        case .compassAbsent(let detail): compassAbsent(detail, at: instant, into: &outputs)
        case .compassFailed(let detail): compassFailed(detail, at: instant, into: &outputs)
        case .compassSampled(let sample): compassSampled(sample, at: instant, into: &outputs)
        case .deferredFound(let record): restore(record, into: &outputs)
        case .storeFound(let row): restore(row, at: instant, into: &outputs)
        case .storeRead: storeRead(at: instant, into: &outputs)
        case .wakeFailed(let client): wakeFailed(client, at: instant, into: &outputs)
        case .timePassed: timePassed(to: instant, into: &outputs)
        case .stopping: stopping(into: &outputs)
        }
        if isAccessStale { accessChanged(at: instant, into: &outputs) }
        settleCompass(at: instant, into: &outputs)
        manage(at: instant, into: &outputs)
        outputs.wake = deadline
    }

    /// Takes bytes that the receiver sent, in a piece of any size.
    ///
    /// - Parameters:
    ///   - bytes: Lent for the call.
    ///   - instant: When they were read.
    public mutating func handle(
        bytes: borrowing Span<UInt8>, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        outputs.removeAll()
        managed?.hostRuns(at: instant)
        if line.isNewBurst(at: instant, byteCount: bytes.count) { endBurst(at: instant, into: &outputs) }
        let before = line.decoder.stream.counters
        var offset = 0
        while offset < bytes.count {
            offset += line.decoder.append(bytes.extracting(offset...))
            drain(at: instant, into: &outputs)
        }
        let after = line.decoder.stream.counters
        let hadMessage = after.sentences != before.sentences || after.frames != before.frames
        follow(line.heard(bytes.count, hadMessage: hadMessage, at: instant), into: &outputs)
        // What is still under way from a receiver at rest is none that falls silent later.
        if hadMessage, managed?.isAsleep != true, line.noteMessage(at: instant), managed == nil {
            outputs.actions.append(.log(.receiving(path: configuration.device)))
        }
        passthrough.flush(to: clients, into: &outputs)
        managed?.heardBytes(at: instant)
        manage(at: instant, into: &outputs)
        outputs.wake = deadline
    }

    /// The next instant at which time alone changes something.
    private var deadline: MonotonicInstant? {
        let device: MonotonicInstant? = .earlier(managed?.deadline, .earlier(supervisor.deadline, line.deadline))
        let clients: MonotonicInstant? = .earlier(clients.deadline, servicesDeadline)
        return .earlier(device, .earlier(clients, compass.schedule.deadline))
    }
}
