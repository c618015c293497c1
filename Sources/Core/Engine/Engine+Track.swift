internal import ClientProtocol
internal import GNSS
internal import Monitors
internal import Power
internal import Sessions
internal import Units

/// The track: where the board was, for its operators.
extension Engine {
    /// A location was found that somebody asked for: the track is made of such alone.
    mutating func track(_ fix: Fix, at instant: MonotonicInstant, into outputs: inout Outputs) {
        guard authorization.servicesEnabled, demand.accuracy != nil else { return }
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
