internal import ClientProtocol
public import Engine
public import FlightRecording
internal import GPSDProtocol
internal import GPSDServer
internal import LocalSocket
public import Units

/// Turns a record into the Engine's input: the one way in, for the daemon and for a replay.
public enum InputFeed {
    /// Gives the Engine one record; a `started` record has made the Engine already and starts it.
    public static func feed(
        _ record: FlightRecord, at instant: MonotonicInstant, to engine: inout Engine, into outputs: inout Outputs
    ) {
        switch record {
        case .started: engine.handle(.started, at: instant, into: &outputs)
        case .bytes(let bytes): engine.handle(bytes: bytes.span, at: instant, into: &outputs)
        case .deviceOpened(let link, let time):
            engine.handle(.deviceOpened(link, time: time), at: instant, into: &outputs)
        case .deviceFailed(let absence, let detail):
            engine.handle(.deviceFailed(absence, detail: detail), at: instant, into: &outputs)
        case .deviceAppeared: engine.handle(.deviceAppeared, at: instant, into: &outputs)
        case .admission(let admission): engine.handle(.admission(admission), at: instant, into: &outputs)
        case .clientConnected(let id, let kind, let identity):
            engine.handle(.clientConnected(id, kind, identity), at: instant, into: &outputs)
        case .clientLine(let id, .local, let line):
            engine.handle(.clientRequest(id, ClientRequestDecoder.decode(line)), at: instant, into: &outputs)
        case .clientLine(let id, .gpsd, let line):
            engine.handle(.gpsdRequest(id, GPSDRequestDecoder.decode(line)), at: instant, into: &outputs)
        case .clientLineTooLong(let id, .local):
            engine.handle(.clientRequest(id, .failure(.tooLong)), at: instant, into: &outputs)
        case .clientLineTooLong(let id, .gpsd):
            engine.handle(.gpsdRequest(id, .failure(.tooLong)), at: instant, into: &outputs)
        case .clientGone(let id): engine.handle(.clientGone(id), at: instant, into: &outputs)
        case .linesOpened(let lines, let problem):
            engine.handle(.linesOpened(lines, problem: problem), at: instant, into: &outputs)
        case .motion(let moves): engine.handle(.motion(moves), at: instant, into: &outputs)
        case .compassFound(let chips): engine.handle(.compassFound(chips), at: instant, into: &outputs)
        case .compassAbsent(let detail): engine.handle(.compassAbsent(detail: detail), at: instant, into: &outputs)
        case .compassFailed(let detail): engine.handle(.compassFailed(detail: detail), at: instant, into: &outputs)
        case .compassSampled(let sample): engine.handle(.compassSampled(sample), at: instant, into: &outputs)
        case .deferredFound(let record): engine.handle(.deferredFound(record), at: instant, into: &outputs)
        case .storeFound(let row): engine.handle(.storeFound(row), at: instant, into: &outputs)
        case .storeRead: engine.handle(.storeRead, at: instant, into: &outputs)
        case .wakeFailed(let client): engine.handle(.wakeFailed(client: client), at: instant, into: &outputs)
        case .timePassed: engine.handle(.timePassed, at: instant, into: &outputs)
        case .stopping: engine.handle(.stopping, at: instant, into: &outputs)
        }
    }
}
