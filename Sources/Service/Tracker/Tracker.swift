internal import Access
internal import Boards
internal import ClientProtocol
public import Configuration
internal import Engine
internal import Glibc
internal import HostSleep
public import Logging
internal import Parts
internal import Receivers
internal import SextantJSON
public import SextantReactor
public import SextantSockets
internal import SextantUnits

/// The owner of the Engine, which feeds it inputs and carries out its actions.
///
/// The tracker decides nothing: the meaning of a byte, a request or a time-out is the Engine's business. A class,
/// because the reactor's handlers share it; everything runs on the reactor's one thread.
public final class Tracker {
    let settings: TrackerSettings
    let reactor: Reactor
    let hardware: any TrackerHardware
    /// Sockets that were already listening when passed; without any the tracker opens its own.
    let passedSockets: [PassedSocket]
    let logger: Logger
    private var recorder: FlightRecorder?
    let stateStore: StateStore
    var heldSends = HeldSends()
    /// The operator's files that say which clients are served; nil where all clients or no clients are served.
    let manifests: ManifestFolder?
    var admitted = Admission.nobody
    var wakeFiles: WakeFiles?

    let configuration: EngineConfiguration
    let engine: Engine
    private var turn = Turn()
    /// Inputs that came while the outputs of an earlier input were being carried out.
    var pending: [Input] = []
    private(set) var isCarryingOut = false
    private var engineWake: MonotonicInstant?

    var port: (any ReceiverPort)?
    var orders: PortOrders?
    var restUntil: MonotonicInstant?
    /// The access to the board's sensors; nil where the board has none, or their bus cannot be opened.
    var compass: (any CompassPort)?
    var motion: MotionWatch
    /// The radio that hears beacons; nil where there is none.
    var radio: (any RadioPort)?
    /// What switches the host off and on; nil where the configuration does not speak of it, or the board has nothing.
    var host: (any HostPort)?
    /// Where samples of the time go; nil where the time service is off.
    var chrony: ChronySocket?
    var timeSink = TimeSinkState.untried
    var readBuffer = [UInt8](repeating: 0, count: 4096)
    /// Problems that were logged and still hold, by subject.
    private var complaints: [String: String] = [:]

    /// What the Engine was last told of the process, and when.
    var figures: (told: ProcessFigures, at: MonotonicInstant)?
    /// When the tracker was made.
    let madeAt: MonotonicInstant
    /// Connections that were ended because too much waited for them.
    var droppedCount: UInt64 = 0

    /// Whether the Engine was told the time of a clock that is right.
    var isClockTrusted = false

    var localListener: UnixListener?
    var gpsdListeners: [TCPListener] = []
    var connections: [ClientID: Connection] = [:]
    var places = ConnectionPlaces()
    var shares = ProcessorShares()
    private var repeatedLines = RepeatedLines()
    /// The problems of the operator's files about clients that are logged and still hold.
    var manifestProblems: Set<String> = []
    /// The levels that the board's resistors give to the outputs that were opened.
    var safeLevels: [LineRole: Bool] = [:]
    var nextClient: UInt32 = 1

    /// Bits per second where no rate is configured: the usual rate of NMEA receivers.
    static let defaultBaud = 9600
    /// Bytes that may wait for a gpsd client before it is dropped: several seconds of all messages it can ask for.
    static let outputCapacity = 65_536
    /// Bytes that may wait for a client before it is dropped: more than the list of the 1000 regions that it may have.
    static let localOutputCapacity = 1_048_576

    /// - Parameter sockets: Sockets that listen already; without any the tracker opens its own.
    public init(
        _ settings: TrackerSettings, hardware: any TrackerHardware, sockets: [PassedSocket] = [], reactor: Reactor,
        logger: Logger
    ) throws {
        self.settings = settings
        passedSockets = sockets
        self.hardware = hardware
        self.reactor = reactor
        madeAt = reactor.now
        self.logger = logger
        motion = MotionWatch(isLineDriven: hardware.drivesMotion)
        // The directory is made before anything is kept in it; the store reports a failure itself.
        if let directory = settings.stateDirectory { _ = unsafe mkdir(directory, 0o700) }
        let stateStore = StateStore(
            directory: settings.stateDirectory, reactor: reactor, isInline: hardware.drivesClock, logger: logger)
        self.stateStore = stateStore
        recorder = try Tracker.recorder(settings, logger)
        manifests = settings.clients.files.map { ManifestFolder(folder: $0.manifests, policy: $0.policy) }
        wakeFiles = manifests == nil ? nil : WakeFiles(directory: settings.wakeFolder)
        var configuration = EngineConfiguration(
            device: settings.device, fixedBaud: settings.baud,
            lastBaud: stateStore.learned(.rate(device: settings.device)).flatMap { LearnedRate.decode($0) },
            now: settings.date.map { UTCInstant(date: $0, timeOfDay: 0) } ?? max(reactor.utc, BuildDate.instant),
            power: settings.board.map {
                let learned = stateStore.learned(.receiver($0.receiver.model, device: settings.device))
                return PowerConfiguration(
                    $0, baud: settings.baud, longestUnwatchedRest: settings.longestUnwatchedRest, learned: learned)
            })
        configuration.hasCompass = settings.board?.sensors?.magnetometer != nil
        configuration.radio = settings.board?.bluetooth ?? configuration.radio
        configuration.board = settings.board?.name ?? ""
        configuration.spots = settings.spots
        configuration.hostSleep = HostSleepConfiguration(settings)
        configuration.userID = UInt32(geteuid())
        configuration.source = hardware.source
        self.configuration = configuration
        engine = Engine(configuration)
        stateStore.onSettled = { [unowned self] in sendHeld(through: $0, isRefused: $1) }
        stateStore.onTrouble = { [unowned self] in feed(.storeTrouble(self.stateStore.trouble)) }
    }

    /// Begins the recording; one that the configuration asks for does not keep the daemon from running where it fails.
    private static func recorder(_ settings: TrackerSettings, _ logger: Logger) throws(TrackerError) -> FlightRecorder?
    {
        guard let path = settings.recording else { return nil }
        do throws(TrackerError) {
            let recorder = try FlightRecorder(path: path)
            if recorder.path != path { logger.notice("\(path) is kept; recording to \(recorder.path)") }
            return recorder
        } catch {
            if settings.requiresRecording { throw error }
            logger.error("\(error); nothing is recorded")
            return nil
        }
    }

    /// The gpsd port in use; nil where there is none.
    public var gpsdPort: UInt16? { gpsdListeners.first?.port }

    /// Bytes that clients have not taken yet, beside those in the kernel's buffers.
    public var unsentByteCount: Int { connections.values.reduce(0) { $0 + $1.queuedByteCount } }

    /// How often the host was woken for the daemon since its reactor was made.
    public var hostWakeUps: UInt64 { reactor.wakeUps }

    /// Called when a client has gone and everything that follows from that is done.
    public var clientLeft: () -> Void = {}

    /// Opens the sockets, then the receiver and the board's lines.
    public func start() throws {
        try listen()
        reactor.onWake { [unowned self] instant in woke(at: instant) }
        watchDevice()
        openCompass()
        feed(.started(configuration))
        beginTimeService()
        prepareWaking()
        admitted = admission(after: nil)
        feed(.admission(admitted))
        if stateStore.isInDoubt { feed(.decisionsLost) }
        if stateStore.trouble != nil { feed(.storeTrouble(stateStore.trouble)) }
        for row in stateStore.takeFound() { feed(.storeFound(row)) }
        feed(.storeRead)
        askClock()
        watchManifests()
        for record in stateStore.takeFoundDeferred() { feed(.deferredFound(record)) }
        openLines()
        openRadio()
        openHost()
    }

    /// Stops the tracker: leaves the receiver as the board does without a daemon, and waits until all state is on the
    /// card.
    ///
    /// The reactor must not run any more.
    public func stop() {
        feed(.stopping)
        restLines()
        compass?.close()
        host?.close()
        stateStore.stop()
    }
}

/// The reason why the daemon cannot run, in a sentence that names the faulty thing and its remedy.
public struct TrackerError: Error, CustomStringConvertible {
    public var description: String
    /// Whether a file failed, and not a socket.
    public var isFile: Bool

    init(_ description: String, isFile: Bool = false) {
        self.description = description
        self.isFile = isFile
    }
}

// MARK: Inputs

extension Tracker {
    /// Gives the Engine one input, and then the inputs that came while its outputs were carried out.
    func feed(_ input: Input) {
        pending.append(input)
        if !isCarryingOut { feedPending() }
    }

    func feed(bytes count: Int) {
        let instant = reactor.now
        isCarryingOut = true
        engine.handle(bytes: readBuffer.span.extracting(first: count), at: instant, into: &turn)
        if recorder != nil { keep(.bytes(Array(readBuffer[..<count])), at: instant) }
        carryOut()
        feedPending()
    }

    func feedPending() {
        isCarryingOut = true
        while !pending.isEmpty {
            let next = pending.removeFirst()
            let instant = reactor.now
            engine.handle(next, at: instant, into: &turn)
            keep(next, at: instant)
            carryOut()
        }
        isCarryingOut = false
    }

    private func carryOut() {
        engineWake = turn.wake
        carryOut(turn)
    }

    private func keep(_ input: Input, at instant: MonotonicInstant) {
        do {
            try recorder?.record(input, in: turn)
        } catch {
            // A recording with a gap could not be replayed, so it ends here, and the failure is logged only once.
            recorder = nil
            logger.error("\(error); the recording ends here")
        }
    }

    private func woke(at instant: MonotonicInstant) {
        if let until = restUntil, until <= instant {
            restUntil = nil
            readPort()
            rearmPort()
        }
        if let due = orders?.wake, due <= instant { carryOnOrders() }
        if let due = stateStore.retryDue, due <= instant { stateStore.retry() }
        if let due = motion.retry, due <= instant { watchMotion() }
        for line in repeatedLines.advance(to: instant) { logger.notice("\(line)") }
        hearAgain(at: instant)
        if let wake = engineWake, wake <= instant {
            feed(.timePassed)
            if motion.isDueOnOccasion(at: instant) { watchMotion() }
        } else {
            setWake()
        }
    }

    func setWake() {
        let hardware: MonotonicInstant? = .earlier(motion.retry, .earlier(restUntil, orders?.wake))
        let clients: MonotonicInstant? = .earlier(repeatedLines.deadline, shares.deadline)
        let service: MonotonicInstant? = .earlier(clients, stateStore.retryDue)
        reactor.setWake(at: .earlier(engineWake, .earlier(hardware, service)))
    }
}

// MARK: Problems

extension Tracker {
    /// Logs a line that clients can cause as often as they like: at once, and then once a minute with its number.
    ///
    /// - Parameter key: The line's kind; lines of one kind are counted together.
    func note(_ line: String, kind key: String) {
        if let line = repeatedLines.take(line, kind: key, at: reactor.now) { logger.notice("\(line)") }
        setWake()
    }

    /// Logs a subject's problem once until it is resolved; a nil problem means that it is.
    func complain(_ problem: String?, about subject: String) {
        guard complaints[subject] != problem else { return }
        complaints[subject] = problem
        if let problem { logger.error("\(problem)") }
    }
}
