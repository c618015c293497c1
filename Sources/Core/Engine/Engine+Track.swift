internal import ClientProtocol
internal import GNSS
internal import Monitors
internal import Power
internal import Sessions
internal import Units

/// The track: where the board was, for its operators.
extension Engine {
    /// Whether anybody asks where the board is, and may be told: of nothing else a trace is kept.
    var isSomebodyServed: Bool { authorization.servicesEnabled && demand.accuracy != nil }

    /// A location was found that somebody asked for.
    mutating func track(_ fix: Fix, at instant: MonotonicInstant, into outputs: inout Outputs) {
        track.follow(fix, at: instant)
        if track.isDue(at: instant) { writeTrack(into: &outputs) }
    }

    /// Writes what was gathered.
    mutating func writeTrack(into outputs: inout Outputs) {
        let places = track.take()
        if !places.isEmpty { outputs.actions.append(.keepTrack(places)) }
    }

    mutating func serve(
        _ request: TrackRequest, id: String?, to connection: ClientID, into outputs: inout Outputs
    ) {
        writeTrack(into: &outputs)
        outputs.actions.append(.serveTrack(connection, id: id, request))
        if case .erase = request { track.forget() }
    }
}
