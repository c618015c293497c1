internal import ClientProtocol
internal import Engine
internal import FlightRecording
internal import GPSDProtocol
internal import GPSDServer
internal import JSONText
internal import LocalSocket
public import Logging
public import Reactor
internal import Receivers
internal import Sessions
internal import Units

/// Owns the Engine on the reactor's thread, feeds it what happens, and does what it asks.
///
/// It decides nothing: what a byte, a request or a time-out means is the Engine's business. A class, because the
/// reactor's handlers share it; everything runs on the reactor's one thread.
public final class Tracker {
    private let settings: TrackerSettings
    private let reactor: Reactor
    private let hardware: any TrackerHardware
    private let logger: Logger
    private let lastRate: LastRate
    private var recorder: FlightRecorder?

    private let configuration: EngineConfiguration
    private var engine: Engine
    private var outputs = Outputs()
    /// Inputs that came up while another's outputs were being carried out.
    private var pending: [FlightRecord] = []
    private var isCarryingOut = false
    private var engineWake: MonotonicInstant?

    private var port: (any ReceiverPort)?
    private var restUntil: MonotonicInstant?
    private var readBuffer = [UInt8](repeating: 0, count: 4096)

    private var localListener: UnixListener?
    private var gpsdListener: TCPListener?
    private var connections: [ClientID: Connection] = [:]
    private var nextClient: UInt32 = 1

    /// Clients that may be connected at a time, over both sockets.
    private static let maximumClients = 128
    /// Bytes that may wait for a client before it is dropped: seconds of everything it can ask for.
    private static let outputCapacity = 65_536

    public init(
        _ settings: TrackerSettings, hardware: any TrackerHardware, reactor: Reactor, logger: Logger
    ) throws {
        self.settings = settings
        self.hardware = hardware
        self.reactor = reactor
        self.logger = logger
        lastRate = LastRate(directory: settings.stateDirectory)
        recorder = try settings.recording.map { try FlightRecorder(path: $0) }
        configuration = EngineConfiguration(
            device: settings.device, fixedBaud: settings.baud, lastBaud: lastRate.load(for: settings.device),
            now: max(reactor.utc, BuildDate.instant))
        engine = Engine(configuration)
    }

    /// The gpsd port in use; nil for none.
    public var gpsdPort: UInt16? { gpsdListener?.port }

    /// Bytes that clients have not taken yet, beside what the kernel keeps for them.
    public var unsentByteCount: Int { connections.values.reduce(0) { $0 + $1.queuedByteCount } }

    /// Opens the sockets, then the receiver.
    public func start() throws {
        try listen()
        reactor.onWake { [unowned self] instant in woke(at: instant) }
        watchDevice()
        feed(.started(configuration))
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
    private func feed(_ record: FlightRecord) {
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
        if let wake = engineWake, wake <= instant {
            feed(.timePassed)
        } else {
            setWake()
        }
    }

    private func setWake() {
        switch (engineWake, restUntil) {
        case (let wake?, let until?): reactor.setWake(at: min(wake, until))
        case (let wake, let until): reactor.setWake(at: wake ?? until)
        }
    }
}

// MARK: Actions

extension Tracker {
    private func carryOut() {
        for index in outputs.actions.indices {
            switch outputs.actions[index] {
            case .openDevice(let baud): openPort(baud: baud)
            case .setBaud(let baud): setBaud(baud)
            case .rest(let until): rest(until: until)
            case .send(let client, let range): send(range, to: client)
            // Without a log, what is held back lasts as long as the daemon.
            case .persist, .acknowledge: break
            case .remember(let baud): remember(baud)
            case .transmit, .setLine, .holdTransmitterLow, .keepLearned: break
            case .log(let event): log(event)
            }
        }
        engineWake = outputs.wake
        setWake()
    }

    private func send(_ range: Range<Int>, to client: ClientID) {
        guard let connection = connections[client] else { return }
        if !outputs.text.withBytes(range, { connection.send($0) }) {
            logger.notice("client \(client.rawValue) does not read; it is dropped")
            drop(client)
        }
    }

    private func drop(_ client: ClientID) {
        connections.removeValue(forKey: client)?.close()
        pending.append(.clientGone(client))
    }

    private func remember(_ baud: Int) {
        guard let problem = lastRate.save(baud, for: settings.device) else { return }
        logger.warning("the rate is not kept for the next start: \(problem)")
    }

    private func log(_ event: StateChange) {
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
            let opened = try hardware.openPort(baud: baud ?? 9600)
            let time = reactor.utcIsSynchronized ? reactor.utc : nil
            try opened.start { [unowned self] in readPort() }
            port = opened
            pending.append(.deviceOpened(hasRate: opened.hasRate, time: time))
        } catch {
            pending.append(.deviceFailed(error.isMissing ? .missing : .refused, detail: error.description))
        }
    }

    private func closePort() {
        port?.close()
        port = nil
        restUntil = nil
    }

    /// Reads what has come, once: the reactor tells again while more is there.
    private func readPort() {
        guard let port else { return }
        switch port.read(into: &readBuffer) {
        case .bytes(let count): feed(bytes: count)
        case .wouldBlock: break
        case .disconnected:
            closePort()
            feed(.deviceFailed(.missing, detail: "\(settings.device): the device went away; waiting for it to return"))
        }
    }

    private func setBaud(_ baud: Int) {
        guard let port else { return }
        do {
            try port.setBaud(baud)
            port.discardInput()
        } catch {
            logger.warning("\(error.description)")
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
        let userID: UInt32? = if case .local(let peer) = connection.peer { peer.userID } else { nil }
        feed(.clientConnected(client, kind, userID: userID))
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
