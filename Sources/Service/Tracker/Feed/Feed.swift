internal import Engine
internal import Parts
internal import SextantReactor
internal import SextantUnits

/// The only way to the Engine (the daemon's logic): it puts the inputs in order, records them, and keeps the instant of
/// the next wake-up.
///
/// Called as a function, it gives the Engine an input. A class, because the parts of the tracker share it.
final class Feed {
    let reactor: Reactor
    private let configuration: EngineConfiguration
    private let engine: Engine
    private let journal: Journal
    private var recorder: FlightRecorder?
    private var turn = Turn()
    /// Inputs for the Engine (the daemon's logic) that came while the outputs of an earlier input were carried out.
    private var waiting: [Input] = []
    private var isCarryingOut = false
    /// When the Engine (the daemon's logic) must next be told that time has passed.
    private(set) var engineWake: MonotonicInstant?
    /// Carries out the outputs that the Engine returned for one input.
    var carryOut: (borrowing Turn) -> Void = { _ in }
    /// Called when the instant of the daemon's next wake-up must be computed anew.
    var planWake: () -> Void = {}

    init(_ configuration: EngineConfiguration, recorder: FlightRecorder?, reactor: Reactor, journal: Journal) {
        self.configuration = configuration
        self.recorder = recorder
        self.reactor = reactor
        self.journal = journal
        engine = Engine(configuration)
    }

    /// Gives the Engine (the daemon's logic) its first input.
    func begin() { self(.started(configuration)) }

    /// Gives the Engine (the daemon's logic) one input, and then those that came while its outputs were carried out.
    func callAsFunction(_ input: Input) {
        add(input)
        catchUp()
    }

    /// Gives the Engine (the daemon's logic) the first `count` bytes of a buffer, which came from the receiver.
    func callAsFunction(bytes count: Int, of buffer: [UInt8]) {
        let instant = reactor.now
        isCarryingOut = true
        engine.handle(bytes: buffer.span.extracting(first: count), at: instant, into: &turn)
        if recorder != nil { record(.bytes(Array(buffer[..<count])), at: instant) }
        carryOutTurn()
        feedWaiting()
    }

    /// Adds an input for the Engine to the end of the queue, for a caller that must finish its own work first.
    func add(_ input: Input) { waiting.append(input) }

    /// Gives the Engine (the daemon's logic) the queued inputs, unless this is already in progress.
    func catchUp() {
        if !isCarryingOut { feedWaiting() }
    }

    /// The name of the client behind a connection; nil if the client has none.
    func client(of connection: ClientID) -> String? { engine.client(of: connection) }

    private func feedWaiting() {
        isCarryingOut = true
        while !waiting.isEmpty {
            let next = waiting.removeFirst()
            let instant = reactor.now
            engine.handle(next, at: instant, into: &turn)
            record(next, at: instant)
            carryOutTurn()
        }
        isCarryingOut = false
    }

    private func carryOutTurn() {
        engineWake = turn.wake
        carryOut(turn)
    }

    private func record(_ input: Input, at instant: MonotonicInstant) {
        do {
            try recorder?.record(input, in: turn)
        } catch {
            // A recording with a gap could not be replayed, so the recording ends at the first failure to write.
            recorder = nil
            journal.error("\(error); the recording ends here")
        }
    }
}
