internal import Boards
public import Configuration
internal import Engine
internal import Glibc
public import Logging
internal import Monitors
internal import Parts
internal import SextantJSON
public import SextantReactor
public import SextantSockets
internal import SextantUnits
internal import Store

/// Sextant's daemon: the parts ("sides") that give the Engine (the daemon's logic) its inputs and carry out its
/// actions.
///
/// The tracker decides nothing: the Engine decides what a byte, a request or a time-out means. Each side is one object
/// that knows only the way to the Engine and the log, and no other side; only this class says which side carries out an
/// action. A class, because the reactor's handlers share it; everything runs on the reactor's thread.
public final class Tracker {
    private let settings: TrackerSettings
    private let passedSockets: [PassedSocket]
    let store: StateStore
    private let journal: Journal
    private let feed: Feed
    private let clients: ClientSide
    private let lines: ClientLines
    private let receiver: ReceiverSide
    private let board: BoardSide
    private let operatorFiles: OperatorFiles
    private let clock: HostClock
    /// The part that handles the sleep of the host; nil if the configuration has no section for it.
    private let host: HostSide?

    /// - Parameter sockets: Sockets from systemd that are listening already; if there are none, the tracker opens its
    ///   own.
    public init(
        _ settings: TrackerSettings, hardware: any TrackerHardware, sockets: [PassedSocket] = [], reactor: Reactor,
        logger: Logger
    ) throws {
        self.settings = settings
        passedSockets = sockets
        // The state directory is created before anything is stored in it; if that fails, the store reports the failure.
        if let folder = settings.stateDirectory { _ = unsafe mkdir(folder, 0o700) }
        store = StateStore(
            folder: settings.stateDirectory, reactor: reactor, isInline: hardware.drivesClock, logger: logger)
        journal = Journal(logger, device: settings.device, reactor: reactor)
        let recorder = try FlightRecorder(settings, journal)
        let configuration = EngineConfiguration(settings, store, hardware.source, now: reactor.utc)
        feed = Feed(configuration, recorder: recorder, reactor: reactor, journal: journal)
        lines = ClientLines(feed, journal, store)
        clients = ClientSide(lines, feed, journal, store, daemonUser: geteuid())
        receiver = ReceiverSide(settings.device, hardware, feed, journal)
        board = BoardSide(settings.board, hardware, feed, journal)
        operatorFiles = OperatorFiles(settings, feed, journal)
        clock = HostClock(settings.time, hardware, feed, journal)
        host = settings.hostSleep.map { [feed, journal, store] in HostSide($0, hardware, feed, journal, store) }
        join(ProcessWatch(isDriven: hardware.drivesClock, reactor))
    }

    /// Connects the callbacks of the tracker's parts.
    private func join(_ process: ProcessWatch) {
        feed.carryOut = { [unowned self] in carryOut($0) }
        feed.planWake = { [unowned self] in planWake() }
        journal.planWake = { [unowned self] in planWake() }
        store.onSettled = { [unowned self] in lines.sendHeld(through: $0, isRefused: $1) }
        store.onTrouble = { [unowned self] in feed(.storeTrouble(store.trouble)) }
        clients.isNeeded = { [unowned self] byRequest in
            clock.ask()
            guard byRequest, let news = process.news(lines.droppedCount, store.errorCount) else { return }
            feed(.figures(news))
        }
        operatorFiles.onAdmission = { [unowned self] in
            clients.admitted = $0
            feed(.admission($0))
        }
    }

    /// The TCP port at which gpsd clients are served; nil if there is none.
    public var gpsdPort: UInt16? { clients.gpsdPort }

    /// The number of bytes that wait to be sent to clients, without those in the kernel's buffers.
    public var unsentByteCount: Int { lines.unsentByteCount }

    /// Called when a client has disconnected and everything that follows from this was done.
    public var clientLeft: () -> Void {
        get { clients.clientLeft }
        set { clients.clientLeft = newValue }
    }

    /// Opens the clients' sockets, then the receiver and the board's GPIO lines.
    public func start() throws {
        try clients.listen(settings, passed: passedSockets)
        feed.reactor.onWake { [unowned self] in woke(at: $0) }
        receiver.watchDevice()
        board.openSensors()
        feed.begin()
        clock.begin()
        operatorFiles.prepareWaking()
        operatorFiles.read()
        // The Bluetooth radio is opened before the stored regions are read, because a beacon region would otherwise
        // report that the radio is missing.
        board.openRadio()
        if store.isInDoubt { feed(.decisionsLost) }
        if store.trouble != nil { feed(.storeTrouble(store.trouble)) }
        for row in store.takeFound() { feed(.storeFound(row)) }
        feed(.storeRead)
        clock.ask()
        operatorFiles.watch()
        for record in store.takeFoundDeferred() { feed(.deferredFound(record)) }
        board.openLines()
        host?.open()
    }

    /// Stops the tracker: leaves the receiver in the state that it has without a daemon, and waits until all state is
    /// on the storage card.
    ///
    /// The reactor must not be running any more.
    public func stop() {
        feed(.stopping)
        board.stop()
        host?.close()
        store.stop()
    }
}

// MARK: The Engine's actions

extension Tracker {
    /// Carries out what the Engine (the daemon's logic) returned for one input: first stores all changes together, then
    /// does the rest in order.
    func carryOut(_ turn: borrowing Turn) {
        for index in turn.actions.indices { keep(turn.actions[index], turn.text) }
        let sending = lines.beginSending(turn)
        for index in turn.actions.indices { carryOut(turn.actions[index], turn.text, sending) }
        store.flush()
        planWake()
    }

    private func keep(_ action: Action, _ text: borrowing TextBuffer) {
        switch action {
        case .store(let change): store.change(change)
        case .persist(.deferred(let key), let sequence, let range):
            store.keepDeferred(text.copy(range), key, sequence: sequence)
        default: break
        }
    }

    private func carryOut(_ action: Action, _ text: borrowing TextBuffer, _ sending: Sending) {
        switch action {
        case .openDevice(let baud): receiver.openPort(baud: baud)
        case .port(let order): receiver.give(order)
        case .setLine(let role, let level): board.setLine(role, level)
        case .rest(let until): receiver.rest(until: until)
        case .send(let client, let range): lines.send(text, range, to: client, sending)
        case .hold(let client, _, let refusal):
            if let refusal { lines.sendRefusal(text, refusal, to: client, sending) }
        case .store, .persist: break  // These were stored before.
        case .keepTrack(let places): keepTrack(places)
        case .serveTrack(let client, let id, let request): lines.serveTrack(client, id: id, request)
        case .wake(let client, let unit, let service): operatorFiles.wake(client, unit: unit, service)
        case .endWake(let client, let unit): operatorFiles.endWake(client, unit: unit)
        case .wakeDone(_, let unit): operatorFiles.wakeDone(unit: unit)
        case .startUnit(let start): operatorFiles.startUnit(start)
        case .expireStart(let start): operatorFiles.expireStart(start)
        case .acknowledge(.deferred(let key), let sequence): store.forgetDeferred(key, through: sequence)
        case .remember(let baud): store.keepLearned(.rate(device: settings.device), LearnedRate.encode(baud))
        case .keepLearned(let range): keepLearned(text.copy(range))
        case .findCompass: board.order(.find)
        case .sampleCompass: board.order(.sample)
        case .watchMotion: board.watchMotion()
        case .lookAtLine(let instant): board.lookAtLine(at: instant)
        case .radio(let range): board.command(text.copy(range))
        case .host(let order): host?.order(order)
        case .readClock: clock.read()
        case .tellTime(let sample): clock.tell(sample)
        case .log(let event): journal.log(event)
        }
    }

    private func keepTrack(_ places: [TrackedPlace]) {
        store.keepTrack(places.map { TrackPoint($0) }) { [journal] in
            switch $0 {
            case .success: journal.complain(nil, about: "track")
            case .failure(let refusal): journal.complain("a part of the track is lost: \(refusal)", about: "track")
            }
        }
    }

    private func keepLearned(_ bytes: [UInt8]) {
        guard let model = settings.board?.receiver.model else { return }
        store.keepLearned(.receiver(model, device: settings.device), bytes)
    }
}

// MARK: Time

extension Tracker {
    private func woke(at instant: MonotonicInstant) {
        receiver.advance(to: instant)
        if let due = store.retryDue, due <= instant { store.retry() }
        journal.advance(to: instant)
        clients.advance(to: instant)
        if let wake = feed.engineWake, wake <= instant {
            feed(.timePassed)
        } else {
            planWake()
        }
    }

    private func planWake() {
        let service: MonotonicInstant? = .earlier(.earlier(journal.deadline, clients.deadline), store.retryDue)
        feed.reactor.setWake(at: .earlier(feed.engineWake, .earlier(receiver.wake, service)))
    }
}

/// The reason why the daemon cannot run, in a sentence that names what is faulty and what to do.
public struct TrackerError: Error, CustomStringConvertible {
    public var description: String
    /// Whether the reason is a file that failed, and not something else such as a socket.
    public var isFile: Bool

    init(_ description: String, isFile: Bool = false) {
        self.description = description
        self.isFile = isFile
    }
}
