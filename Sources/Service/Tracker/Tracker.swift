internal import Boards
internal import ClientProtocol
internal import Engine
internal import FlightRecording
internal import GPSDProtocol
internal import GPSDServer
internal import Glibc
internal import JSONText
internal import LocalSocket
public import Logging
internal import ManifestReading
public import Reactor
internal import Receivers
internal import Sessions
internal import Units
internal import WakeFiles

/// Owns the Engine on the reactor's thread, feeds it what happens, and does what it asks.
///
/// It decides nothing: what a byte, a request or a time-out means is the Engine's business. A class, because the
/// reactor's handlers share it; everything runs on the reactor's one thread.
public final class Tracker {
    let settings: TrackerSettings
    let reactor: Reactor
    let hardware: any TrackerHardware
    let logger: Logger
    private let lastRate: LastRate
    private let learned: LearnedFile?
    private var deferredStore: DeferredStore
    private var recorder: FlightRecorder?
    private var stateStore: StateStore?
    /// What is sent when the store has written what came before it, in order.
    private var heldBytes = 0
    private var heldSends: [(client: ClientID, bytes: [UInt8])] = []
    /// Where the operator says who is served; nil where everybody is.
    let manifests: ManifestFolder?
    var admitted = Admission.nobody
    var wakeFiles: WakeFiles?

    let configuration: EngineConfiguration
    private var engine: Engine
    private var outputs = Outputs()
    /// Inputs that came up while another's outputs were being carried out.
    private var pending: [FlightRecord] = []
    private var isCarryingOut = false
    private var engineWake: MonotonicInstant?

    private var port: (any ReceiverPort)?
    private var orders: PortOrders?
    private var restUntil: MonotonicInstant?
    private var readBuffer = [UInt8](repeating: 0, count: 4096)
    /// Complaints that were made and hold on.
    private var complaints: [String: String] = [:]

    private var localListener: UnixListener?
    private var gpsdListener: TCPListener?
    private var connections: [ClientID: Connection] = [:]
    private var nextClient: UInt32 = 1

    /// Bits per second where nobody has asked for a rate: NMEA receivers' usual one.
    private static let defaultBaud = 9600
    /// Clients that may be connected at a time, over both sockets.
    private static let maximumClients = 128
    /// Bytes that may wait for a client before it is dropped: seconds of everything it can ask for.
    private static let outputCapacity = 65_536
    /// Bytes that may wait for the store; beyond it a card that hangs delays nobody longer.
    private static let heldCapacity = 1_048_576

    public init(
        _ settings: TrackerSettings, hardware: any TrackerHardware, reactor: Reactor, logger: Logger
    ) throws {
        self.settings = settings
        self.hardware = hardware
        self.reactor = reactor
        self.logger = logger
        // Before anything is kept in it; who cannot make it says so for itself.
        if let directory = settings.stateDirectory { _ = unsafe mkdir(directory, 0o700) }
        lastRate = LastRate(directory: settings.stateDirectory)
        learned = settings.board.map {
            LearnedFile(directory: settings.stateDirectory, model: $0.receiver.model, device: settings.device)
        }
        deferredStore = DeferredStore(directory: settings.stateDirectory, logger: logger)
        recorder = try settings.recording.map { try FlightRecorder(path: $0) }
        manifests = settings.clients.map { ManifestFolder(folder: $0.manifests, policy: $0.policy) }
        wakeFiles = settings.clients == nil ? nil : WakeFiles(directory: settings.wakeFolder)
        var configuration = EngineConfiguration(
            device: settings.device, fixedBaud: settings.baud, lastBaud: lastRate.load(for: settings.device),
            now: max(reactor.utc, BuildDate.instant),
            power: settings.board.map { [learned] in
                PowerConfiguration($0, baud: settings.baud, learned: learned?.load())
            })
        configuration.userID = UInt32(geteuid())
        configuration.source = hardware.source
        self.configuration = configuration
        engine = Engine(configuration)
        stateStore = StateStore(
            directory: settings.stateDirectory, reactor: reactor, isInline: hardware.drivesClock, logger: logger
        ) { [unowned self] in sendHeld() }
    }

    /// The gpsd port in use; nil for none.
    public var gpsdPort: UInt16? { gpsdListener?.port }

    /// Bytes that clients have not taken yet, beside what the kernel keeps for them.
    public var unsentByteCount: Int { connections.values.reduce(0) { $0 + $1.queuedByteCount } }

    /// How often the host was woken for the daemon since its reactor was made.
    public var hostWakeUps: UInt64 { reactor.wakeUps }

    /// Opens the sockets, then the receiver and the board's lines.
    public func start() throws {
        try listen()
        reactor.onWake { [unowned self] instant in woke(at: instant) }
        watchDevice()
        feed(.started(configuration))
        prepareWaking()
        admitted = admission(after: nil)
        feed(.admission(admitted))
        for row in stateStore?.takeFound() ?? [] { feed(.storeFound(row)) }
        feed(.storeRead)
        watchManifests()
        for record in deferredStore.takeFound() { feed(.deferredFound(record)) }
        openLines()
    }
}

/// Why the daemon cannot run, in a sentence that names the thing and the mend.
public struct TrackerError: Error, CustomStringConvertible {
    public var description: String
    /// Whether a file is what failed, and not a socket.
    public var isFile: Bool

    init(_ description: String, isFile: Bool = false) {
        self.description = description
        self.isFile = isFile
    }
}

// MARK: Inputs

extension Tracker {
    /// Gives the Engine one input, and then those that come up while its outputs are carried out.
    func feed(_ record: FlightRecord) {
        pending.append(record)
        if !isCarryingOut { feedPending() }
    }

    private func feed(bytes count: Int) {
        let instant = reactor.now
        isCarryingOut = true
        engine.handle(bytes: readBuffer.span.extracting(first: count), at: instant, into: &outputs)
        if recorder != nil { keep(.bytes(Array(readBuffer[..<count])), at: instant) }
        carryOut()
        feedPending()
    }

    private func feedPending() {
        isCarryingOut = true
        while !pending.isEmpty {
            let next = pending.removeFirst()
            let instant = reactor.now
            InputFeed.feed(next, at: instant, to: &engine, into: &outputs)
            keep(next, at: instant)
            carryOut()
        }
        isCarryingOut = false
    }

    private func keep(_ record: FlightRecord, at instant: MonotonicInstant) {
        do {
            try recorder?.record(record, at: instant, outputs: outputs)
        } catch {
            // A recording with a gap could not be replayed: it ends here, and once is often enough to say so.
            recorder = nil
            logger.error("\(error); it ends here")
        }
    }

    private func woke(at instant: MonotonicInstant) {
        if let until = restUntil, until <= instant {
            restUntil = nil
            readPort()
            rearmPort()
        }
        if let due = orders?.wake, due <= instant { carryOnOrders() }
        if let wake = engineWake, wake <= instant {
            feed(.timePassed)
        } else {
            setWake()
        }
    }

    private func setWake() {
        reactor.setWake(at: earlier(of: engineWake, earlier(of: restUntil, orders?.wake)))
    }
}

// MARK: Actions

extension Tracker {
    private func carryOut() {
        engineWake = outputs.wake
        carryOut(outputs)
    }

    func carryOut(_ outputs: borrowing Outputs) {
        for index in outputs.actions.indices { carryOut(outputs.actions[index], outputs.text) }
        deferredStore.flush()
        stateStore?.flush()
        setWake()
    }

    private func carryOut(_ action: Action, _ text: borrowing TextBuffer) {
        switch action {
        case .openDevice(let baud): openPort(baud: baud)
        case .transmit(let range): give(.transmit(text.copy(range)))
        case .setBaud(let baud): give(.setBaud(baud))
        case .holdTransmitterLow(let isLow): give(.holdTransmitterLow(isLow))
        case .setLine(let role, let level): setLine(role, level)
        case .rest(let until): rest(until: until)
        case .send(let client, let range):
            deferredStore.flush()
            stateStore?.flush()
            if stateStore?.isWriting == true {
                hold(text.copy(range), for: client)
            } else {
                send(text, range, to: client)
            }
        case .store(let change): stateStore?.change(change)
        case .wake(let client, let unit, let service): wake(client, unit: unit, service)
        case .endWake(let client, let unit): endWake(client, unit: unit)
        case .wakeDone(_, let unit): wakeDone(unit: unit)
        case .persist(.deferred(let key), let sequence, let range):
            deferredStore.take(DeferredLog.Record(key: key, sequence: sequence, bytes: text.copy(range)))
        case .acknowledge(.deferred(let key), let sequence): deferredStore.acknowledge(key, through: sequence)
        case .remember(let baud): remember(baud)
        case .keepLearned(let range): text.withBytes(range) { keepLearned($0) }
        case .log(let event): log(event)
        }
    }

    private func send(_ text: borrowing TextBuffer, _ range: Range<Int>, to client: ClientID) {
        guard let connection = connections[client] else { return }
        if !text.withBytes(range, { connection.send($0) }) {
            logger.notice("client \(client.rawValue) does not read; it is dropped")
            drop(client)
        }
    }

    /// What follows a change of the store waits for it, that of every client in its order.
    private func hold(_ bytes: [UInt8], for client: ClientID) {
        guard connections[client] != nil else { return }
        heldBytes += bytes.count
        heldSends.append((client, bytes))
        if heldBytes > Tracker.heldCapacity { sendHeld() }
    }

    private func sendHeld() {
        let held = heldSends
        heldSends = []
        heldBytes = 0
        for (client, bytes) in held {
            guard let connection = connections[client], !connection.send(bytes) else { continue }
            logger.notice("client \(client.rawValue) does not read; it is dropped")
            drop(client)
        }
        if !isCarryingOut { feedPending() }
    }

    private func drop(_ client: ClientID) {
        connections.removeValue(forKey: client)?.close()
        pending.append(.clientGone(client))
    }

    private func remember(_ baud: Int) {
        guard let problem = lastRate.save(baud, for: settings.device) else { return }
        logger.warning("the rate is not kept for the next start: \(problem)")
    }

    private func keepLearned(_ bytes: borrowing Span<UInt8>) {
        let problem = learned?.save(bytes)
        complain(
            problem.map { "what was learned about the receiver is not kept for the next start: \($0)" },
            about: "learned")
    }

    /// Logs what is wrong with something, once until it is right again; nil where it is right.
    func complain(_ problem: String?, about subject: String) {
        guard complaints[subject] != problem else { return }
        complaints[subject] = problem
        if let problem { logger.error("\(problem)") }
    }

    private func log(_ event: Notice) {
        switch event {
        case .deviceOpened(let path, let baud):
            logger.info("\(path): open\(baud.map { " at \($0) baud" } ?? "")")
        case .deviceFailed(let detail): logger.error("\(detail)")
        case .tryingRate(let baud): logger.info("\(settings.device): no message so far; trying \(baud) baud")
        case .rateFound(let baud): logger.info("\(settings.device): the receiver speaks at \(baud) baud")
        case .unintelligible(let path, let baud?):
            logger.warning(
                "\(path): bytes come, but no message at \(baud) baud; if the rate is wrong, let it be found: --baud auto"
            )
        case .unintelligible(let path, nil):
            logger.warning(
                "\(path): bytes come, but no NMEA or UBX message; is a GNSS receiver connected, and TX to RX?")
        case .receiving(let path): logger.info("\(path): receiving")
        case .client(let client, let sentence): logger.notice("\(client.printable): \(sentence.printable)")
        case .unreadableRow(let table, let client, let name):
            logger.warning("\(table.name) \(name.printable) of \(client.printable) cannot be read; it is left out")
        case .unreadableDeferredFix(let byteCount):
            logger.warning("a deferred fix of \(byteCount) bytes cannot be read; it is left out")
        case .receiverIdentified(let name, let firmware):
            logger.info("\(settings.device): \(name)\(firmware.isEmpty ? "" : ", firmware \(firmware)")")
        case .receiverTrouble(let sentence): logger.warning("\(sentence)")
        case .silent(let path, let seconds): logger.warning("\(path): nothing heard for \(seconds) s")
        }
    }
}

// MARK: The receiver's port

extension Tracker {
    private func openPort(baud: Int?) {
        closePort()
        do throws(HardwareFailure) {
            let opened = try hardware.openPort(baud: baud ?? Tracker.defaultBaud)
            let time = reactor.utcIsSynchronized ? reactor.utc : nil
            try opened.start { [unowned self] in readPort() }
            port = opened
            orders = PortOrders(device: settings.device, baud: baud ?? Tracker.defaultBaud) { [unowned self] in
                complain($0.description, about: "port")
            }
            pending.append(.deviceOpened(hasRate: opened.hasRate, time: time))
        } catch {
            pending.append(.deviceFailed(error.isMissing ? .missing : .refused, detail: error.description))
        }
    }

    private func closePort() {
        port?.close()
        port = nil
        orders = nil
        restUntil = nil
    }

    /// Reads what has come, once: the reactor tells again while more is there.
    private func readPort() {
        guard let port else { return }
        switch port.read(into: &readBuffer) {
        // At a rate that is about to change: the Engine counts on hearing the new one.
        case .bytes where orders?.changesRate == true: break
        case .bytes(let count): feed(bytes: count)
        case .wouldBlock: break
        case .disconnected:
            closePort()
            feed(.deviceFailed(.missing, detail: "\(settings.device): the device went away; waiting for it to return"))
        }
    }

    /// Has the port do what the Engine wants, in its turn.
    private func give(_ order: PortOrders.Order) {
        guard let port else { return }
        let instant = reactor.now
        useOrders { orders throws(HardwareFailure) in try orders.give(order, to: port, at: instant) }
    }

    private func carryOnOrders() {
        guard let port else { return }
        let instant = reactor.now
        useOrders { orders throws(HardwareFailure) in try orders.carryOn(with: port, at: instant) }
    }

    /// A port that does not take what is written is lost, with all that waits for it.
    private func useOrders(_ work: (inout PortOrders) throws(HardwareFailure) -> Void) {
        guard var current = orders else { return }
        do throws(HardwareFailure) {
            try work(&current)
            orders = current
        } catch {
            closePort()
            feed(.deviceFailed(error.isMissing ? .missing : .refused, detail: error.description))
        }
    }

    private func rest(until: MonotonicInstant) {
        guard let port else { return }
        port.rest()
        restUntil = until
    }

    private func rearmPort() {
        guard let port, restUntil == nil else { return }
        do {
            try port.listen()
        } catch {
            logger.error("\(error.description)")
        }
    }

    private func watchDevice() {
        do {
            try hardware.watchDevice { [unowned self] in feed(.deviceAppeared) }
        } catch {
            logger.warning("\(error.description)")
        }
    }
}

// MARK: Clients

extension Tracker {
    private func listen() throws {
        do {
            localListener = try UnixListener(
                path: settings.socket, mode: settings.socketMode,
                settings: ConnectionSettings(
                    separators: .newline, lineLimit: ClientRequest.maximumLineBytes,
                    outputCapacity: Tracker.outputCapacity),
                reactor: reactor
            ) { [unowned self] connection in accept(connection, .local) }
            guard let port = settings.gpsdPort else { return }
            gpsdListener = try TCPListener(
                port: port, addresses: settings.gpsdAddresses ?? TCPListener.loopback,
                settings: ConnectionSettings(
                    separators: [.newline, .semicolon], lineLimit: GPSDRequest.maximumBytes,
                    outputCapacity: Tracker.outputCapacity),
                reactor: reactor
            ) { [unowned self] connection in accept(connection, .gpsd) }
        } catch {
            throw TrackerError(error.description)
        }
    }

    private func accept(_ connection: Connection, _ kind: ClientKind) {
        guard connections.count < Tracker.maximumClients else {
            logger.warning("a client is turned away: \(Tracker.maximumClients) are connected")
            connection.close()
            return
        }
        let client = ClientID(rawValue: nextClient)
        nextClient += 1
        connections[client] = connection
        do {
            try connection.start(
                received: { [unowned self] event, line in received(event, line, from: client, kind) },
                ended: { [unowned self] _ in
                    connections.removeValue(forKey: client)
                    feed(.clientGone(client))
                })
        } catch {
            connections.removeValue(forKey: client)
            logger.warning("a client could not be served: \(error)")
            return
        }
        let identity: PeerIdentity? = if case .local(let peer) = connection.peer { PeerIdentity(peer) } else { nil }
        feed(.clientConnected(client, kind, identity))
    }

    private func received(
        _ event: LineEvent, _ line: borrowing Span<UInt8>, from client: ClientID, _ kind: ClientKind
    ) {
        switch event {
        case .line:
            var bytes: [UInt8] = []
            bytes.reserveCapacity(line.count)
            for index in line.indices { bytes.append(line[index]) }
            feed(.clientLine(client, kind, bytes))
        case .tooLong: feed(.clientLineTooLong(client, kind))
        }
    }
}

/// The earlier of two instants, where nil is never.
private func earlier(of first: MonotonicInstant?, _ second: MonotonicInstant?) -> MonotonicInstant? {
    guard let first, let second else { return first ?? second }
    return min(first, second)
}

extension TextBuffer {
    /// The bytes of a range, for those that keep them.
    fileprivate borrowing func copy(_ range: Range<Int>) -> [UInt8] {
        withBytes(range) { bytes in
            var copy: [UInt8] = []
            copy.reserveCapacity(bytes.count)
            for index in bytes.indices { copy.append(bytes[index]) }
            return copy
        }
    }
}
