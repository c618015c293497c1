internal import ClientProtocol
internal import Epochs
internal import GNSS
internal import GPSDProtocol
internal import JSONText
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
    var line: ReceiverLine
    var supervisor = DeviceSupervisor()
    var clients = ClientTable()
    var gpsdReport = GPSDReport()
    var passthrough = Passthrough()
    /// The last epoch, and when it closed.
    var lastEpoch = Epoch()
    var lastEpochAt: MonotonicInstant?
    var epochCount: UInt64 = 0
    var failure: String?
    var openedAt: UTCInstant?

    public init(_ configuration: EngineConfiguration) {
        self.configuration = configuration
        line = ReceiverLine(configuration)
    }

    /// Takes one input that is not the receiver's bytes.
    ///
    /// - Parameter outputs: What is to be done, in order; what it held before is forgotten.
    public mutating func handle(_ input: Input, at instant: MonotonicInstant, into outputs: inout Outputs) {
        outputs.removeAll()
        switch input {
        case .started: outputs.actions.append(.openDevice(baud: line.rate))
        case .deviceOpened(let hasRate, let time): opened(hasRate: hasRate, time: time, into: &outputs)
        case .deviceFailed(let absence, let detail): failed(absence, detail, at: instant, into: &outputs)
        case .deviceAppeared: if supervisor.appeared() { outputs.actions.append(.openDevice(baud: line.rate)) }
        case .clientConnected(let id, let kind): connected(id, kind, into: &outputs)
        case .clientRequest(let id, let request): serve(id, request, at: instant, into: &outputs)
        case .gpsdRequest(let id, let request): serve(id, request, into: &outputs)
        case .clientGone(let id): clients.remove(id)
        case .timePassed: timePassed(to: instant, into: &outputs)
        }
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
        if hadMessage, line.noteMessage(at: instant) {
            outputs.actions.append(.log(.receiving(path: configuration.device)))
        }
        passthrough.flush(to: clients, into: &outputs)
        outputs.wake = deadline
    }

    /// The next instant at which time alone changes something.
    private var deadline: MonotonicInstant? {
        earlier(of: supervisor.deadline, earlier(of: line.deadline, clients.deadline))
    }
}

/// The earlier of two instants, where nil is never.
private func earlier(of first: MonotonicInstant?, _ second: MonotonicInstant?) -> MonotonicInstant? {
    guard let first, let second else { return first ?? second }
    return min(first, second)
}

// MARK: The receiver

extension Engine {
    private mutating func opened(hasRate: Bool, time: UTCInstant?, into outputs: inout Outputs) {
        supervisor.opened()
        failure = nil
        openedAt = time
        line.opened(hasRate: hasRate)
        outputs.actions.append(.log(.deviceOpened(path: configuration.device, baud: line.rate)))
        announceDevice(into: &outputs)
    }

    private mutating func failed(
        _ absence: DeviceSupervisor.Absence, _ detail: String, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let wasOpen = line.isOpen
        if wasOpen { endBurst(at: instant, into: &outputs) }
        supervisor.failed(absence, at: instant)
        line.closed()
        // A retry that fails in the same way is no news.
        if failure != detail { outputs.actions.append(.log(.deviceFailed(detail: detail))) }
        failure = detail
        openedAt = nil
        if wasOpen { announceDevice(into: &outputs) }
    }

    private mutating func timePassed(to instant: MonotonicInstant, into outputs: inout Outputs) {
        if supervisor.timePassed(to: instant) { outputs.actions.append(.openDevice(baud: line.rate)) }
        if line.isSilenceOver(at: instant) { endBurst(at: instant, into: &outputs) }
        if let seconds = line.fellSilent(at: instant) {
            outputs.actions.append(.log(.silent(path: configuration.device, seconds: seconds)))
        }
        expireWaits(at: instant, into: &outputs)
        passthrough.flush(to: clients, into: &outputs)
    }

    /// The line was silent: what was begun will not go on.
    private mutating func endBurst(at instant: MonotonicInstant, into outputs: inout Outputs) {
        while line.decoder.abandonPartialMessage() { drain(at: instant, into: &outputs) }
        line.decoder.silence()
        publishClosedEpochs(at: instant, into: &outputs)
    }

    private mutating func drain(at instant: MonotonicInstant, into outputs: inout Outputs) {
        while Engine.advance(&line.decoder, &passthrough, clients, at: instant) {
            publishClosedEpochs(at: instant, into: &outputs)
        }
    }

    /// Decodes until an epoch closes, and has every message passed on to whom it concerns.
    private static func advance(
        _ decoder: inout EpochDecoder, _ passthrough: inout Passthrough, _ clients: borrowing ClientTable,
        at instant: MonotonicInstant
    ) -> Bool {
        guard !clients.gpsd.isEmpty else { return decoder.advance(at: instant) }
        return decoder.advance(at: instant) { message, bytes in passthrough.take(message, bytes, for: clients) }
    }

    private mutating func follow(_ advice: ReceiverLine.Advice, into outputs: inout Outputs) {
        switch advice.hunt {
        case .nothing: break
        case .found:
            if let rate = line.rate {
                outputs.actions.append(.log(.rateFound(rate)))
                outputs.actions.append(.remember(baud: rate))
            }
            announceDevice(into: &outputs)
        case .changed:
            if let rate = line.rate {
                outputs.actions.append(.log(.tryingRate(rate)))
                outputs.actions.append(.setBaud(rate))
            }
        case .unintelligible:
            outputs.actions.append(
                .log(.unintelligible(path: configuration.device, fixedBaud: configuration.fixedBaud)))
        }
        if let until = advice.restUntil { outputs.actions.append(.rest(until: until)) }
    }
}

// MARK: Epochs to clients

extension Engine {
    private mutating func publishClosedEpochs(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for index in line.decoder.closedEpochs { publish(line.decoder.closed(index), at: instant, into: &outputs) }
    }

    private mutating func publish(_ epoch: Epoch, at instant: MonotonicInstant, into outputs: inout Outputs) {
        epochCount += 1
        line.noteEpoch(epoch)
        lastEpoch.assign(epoch)
        lastEpochAt = instant
        publishToWatchers(epoch, into: &outputs)
        if epoch.fix.hasPosition { answerWaits(epoch, into: &outputs) }
        publishToGPSDClients(epoch, into: &outputs)
    }

    private mutating func publishToWatchers(_ epoch: Epoch, into outputs: inout Outputs) {
        publishToWatchers(epoch, hasSatellites: false, into: &outputs)
        publishToWatchers(epoch, hasSatellites: true, into: &outputs)
    }

    /// Writes one form of the epoch, if anybody wants it, and sends it to all who do.
    private func publishToWatchers(_ epoch: Epoch, hasSatellites: Bool, into outputs: inout Outputs) {
        var range: Range<Int>?
        for (id, session) in clients.local where session.watchesSatellites == hasSatellites {
            let written =
                range
                ?? outputs.line { text in
                    EpochObject.append(epoch, event: "epoch", hasSatellites: hasSatellites, to: &text)
                }
            range = written
            outputs.actions.append(.send(id, written))
        }
    }

    private mutating func publishToGPSDClients(_ epoch: Epoch, into outputs: inout Outputs) {
        guard !clients.gpsd.isEmpty else { return }
        var range: Range<Int>?
        for (id, session) in clients.gpsd where session.wantsReports && session.concerns(configuration.device) {
            if range == nil {
                let start = outputs.text.count
                gpsdReport.append(epoch, device: configuration.device, to: &outputs.text)
                range = start..<outputs.text.count
            }
            if let range { outputs.actions.append(.send(id, range)) }
        }
        if line.speaksUBX, clients.wantNMEA {
            let start = outputs.text.count
            PseudoNMEA.append(epoch, to: &outputs.text)
            for (id, session) in clients.gpsd where session.wantsNMEA {
                outputs.actions.append(.send(id, start..<outputs.text.count))
            }
        }
    }

    private mutating func answerWaits(_ epoch: Epoch, into outputs: inout Outputs) {
        for index in clients.local.indices where !clients.local[index].session.waits.isEmpty {
            let client = clients.local[index].id
            for wait in clients.local[index].session.takeWaits() {
                let range = outputs.line { text in
                    EpochObject.append(epoch, event: "location", id: wait.id, hasSatellites: false, to: &text)
                }
                outputs.actions.append(.send(client, range))
            }
        }
    }

    private mutating func expireWaits(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for index in clients.local.indices {
            let client = clients.local[index].id
            for wait in clients.local[index].session.takeExpired(at: instant) {
                outputs.send(client) { text in
                    ClientEvent.appendError("timeout", "no fix in the time given", id: wait.id, to: &text)
                }
            }
        }
    }
}

// MARK: Requests

extension Engine {
    private mutating func connected(_ id: ClientID, _ kind: ClientKind, into outputs: inout Outputs) {
        clients.add(id, kind)
        switch kind {
        case .local: outputs.send(id) { ClientEvent.appendHello(to: &$0) }
        case .gpsd: outputs.send(id) { GPSDReply.appendVersion(software: ProtocolVersion.software, to: &$0) }
        }
    }

    private mutating func serve(
        _ id: ClientID, _ request: Result<ClientRequest, RefusedRequest>, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        guard let place = clients.local.firstIndex(where: { $0.id == id }) else { return }
        switch request {
        case .failure(let refused):
            let problem = refused.problem
            outputs.send(id) { ClientEvent.appendError(problem.code, problem.message, id: refused.id, to: &$0) }
        case .success(let request):
            switch request.kind {
            case .watch(let satellites):
                clients.local[place].session.watchesSatellites = satellites
                outputs.send(id) { ClientEvent.appendWatching(true, id: request.id, to: &$0) }
            case .unwatch:
                clients.local[place].session.watchesSatellites = nil
                outputs.send(id) { ClientEvent.appendWatching(false, id: request.id, to: &$0) }
            case .locate(let seconds):
                let deadline = instant.advanced(byNanoseconds: Int64(seconds * 1e9))
                guard !clients.local[place].session.wait(until: deadline, id: request.id) else { return }
                outputs.send(id) {
                    ClientEvent.appendError(
                        "tooMany", "at most \(LocalSession.maximumWaits) positions can be waited for", id: request.id,
                        to: &$0)
                }
            case .status:
                let status = status(at: instant)
                outputs.send(id) { ClientEvent.appendStatus(status, id: request.id, to: &$0) }
            }
        }
    }

    private mutating func serve(
        _ id: ClientID, _ request: Result<GPSDRequest, GPSDRequestError>, into outputs: inout Outputs
    ) {
        guard let place = clients.gpsd.firstIndex(where: { $0.id == id }) else { return }
        switch request {
        case .failure(let problem): outputs.send(id) { GPSDReply.appendError(problem.message, to: &$0) }
        case .success(.nothing): break
        case .success(.version):
            outputs.send(id) { GPSDReply.appendVersion(software: ProtocolVersion.software, to: &$0) }
        case .success(.devices):
            let device = device
            outputs.send(id) { GPSDReply.appendDevices(device, to: &$0) }
        case .success(.device):
            let device = device
            outputs.send(id) { GPSDReply.appendDevice(device, to: &$0) }
        case .success(.watch(let policy)):
            if let policy { clients.gpsd[place].session.watch(policy) }
            let device = device
            let current = clients.gpsd[place].session.policy
            outputs.send(id) {
                GPSDReply.appendDevices(device, to: &$0)
                GPSDReply.appendWatch(current, to: &$0)
            }
        case .success(.poll): answerPoll(id, into: &outputs)
        }
    }

    private mutating func answerPoll(_ id: ClientID, into outputs: inout Outputs) {
        let start = outputs.text.count
        outputs.text.append("{\"class\":\"POLL\"," as StaticString)
        if lastEpoch.fix.isTimeValidated { outputs.text.member("\"time\":", lastEpoch.fix.time) }
        outputs.text.member("\"active\":", line.isOpen ? 1 : 0)
        outputs.text.beginArray("\"tpv\":")
        if lastEpochAt != nil {
            gpsdReport.appendObject(lastEpoch.fix, device: configuration.device, to: &outputs.text)
        }
        outputs.text.endArray()
        outputs.text.beginArray("\"gst\":")
        outputs.text.endArray()
        outputs.text.beginArray("\"sky\":")
        if lastEpochAt != nil {
            gpsdReport.appendSkyObject(lastEpoch, device: configuration.device, to: &outputs.text)
        }
        outputs.text.endArray()
        outputs.text.endObject()
        outputs.text.append("\r\n" as StaticString)
        outputs.actions.append(.send(id, start..<outputs.text.count))
    }

    /// Tells gpsd clients that watch in JSON that the device came or went.
    private mutating func announceDevice(into outputs: inout Outputs) {
        let device = device
        for (id, session) in clients.gpsd where session.wantsReports {
            outputs.send(id) { GPSDReply.appendDevice(device, to: &$0) }
        }
    }

    private var device: GPSDDevice {
        var device = GPSDDevice(path: configuration.device, isActive: line.isOpen)
        device.activated = openedAt
        device.isUBX = line.speaksUBX
        device.baud = line.rate
        device.cycleSeconds = line.cycleSeconds
        return device
    }

    private func status(at instant: MonotonicInstant) -> DaemonStatus {
        var status = DaemonStatus()
        status.clients = clients.local.count + clients.gpsd.count
        status.device = configuration.device
        status.state = line.state
        status.detail = failure
        status.baud = line.rate
        let counters = line.decoder.stream.counters
        status.bytes = counters.bytes
        status.sentences = counters.sentences
        status.frames = counters.frames
        status.checksumFailures = counters.checksumFailures
        status.skippedBytes = counters.skippedBytes
        status.epochs = epochCount
        status.secondsSinceEpoch = lastEpochAt.map { Double(instant.nanoseconds(since: $0)) * 1e-9 }
        status.time = lastEpochAt == nil ? nil : lastEpoch.fix.time
        return status
    }
}

extension Outputs {
    /// Writes a line for one client and sends it.
    mutating func send(_ client: ClientID, _ write: (inout TextBuffer) -> Void) {
        let start = text.count
        write(&text)
        actions.append(.send(client, start..<text.count))
    }

    /// Writes a line and says where it lies.
    mutating func line(_ write: (inout TextBuffer) -> Void) -> Range<Int> {
        let start = text.count
        write(&text)
        text.append(0x0A)
        return start..<text.count
    }
}
