internal import Epochs
internal import GNSS
internal import GPSDProtocol
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
    var line: ReceiverLine
    var supervisor = DeviceSupervisor()
    var clients = ClientTable()
    var gpsdReport = GPSDReport()
    var passthrough = Passthrough()
    /// The last epoch, and when it closed.
    var lastEpoch = Epoch()
    var lastEpochAt: MonotonicInstant?
    var epochCount: UInt64 = 0
    var deferred = DeferredQueues()
    /// What the accelerometer said last; nil where there is none.
    var isMoving: Bool?
    /// What all clients together need of the receiver.
    public internal(set) var demand = Demand.none
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
        case .clientConnected(let id, let kind, let userID): connected(id, kind, userID: userID, into: &outputs)
        case .clientRequest(let id, let request): serve(id, request, at: instant, into: &outputs)
        case .gpsdRequest(let id, let request): serve(id, request, into: &outputs)
        case .clientGone(let id): gone(id)
        case .linesOpened: break
        case .motion(let moves): sensed(motion: moves, at: instant, into: &outputs)
        case .deferredFound(let record): restore(record, into: &outputs)
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
