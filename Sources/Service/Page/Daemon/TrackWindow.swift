internal import ClientVocabulary
internal import DaemonClient
internal import SextantJSON
internal import SextantUnits

/// The part of the track that a viewer asks for, and the requests that get it from the daemon, the newest page first.
struct TrackWindow {
    /// Points in an answer of the daemon.
    private static let page = 256

    let id: String
    /// Seconds since 1970; nil for no bound.
    private(set) var from: Double?
    let to: Double?
    /// Seconds before the newest point, which the first one taken is; nil for no bound.
    private var span: Double?

    init(id: String, from: Double?, to: Double?, span: Double?) {
        (self.id, self.from, self.to, self.span) = (id, from, to, span)
    }

    /// The request for the newest points until an instant.
    func request(until instant: Double?) -> String {
        var text = "{\"request\":\"history\",\"id\":\"\(id)\",\"newest\":true"
        if let from { text += ",\"from\":\(from)" }
        if let instant { text += ",\"to\":\(instant)" }
        return text + ",\"limit\":\(TrackWindow.page)}"
    }

    /// The request for the page before the one that begins with a line; nil where the window begins with that page.
    func request(before first: [UInt8]?) -> String? {
        guard let time = first.flatMap(DaemonLine.init)?.instant(.time) else { return nil }
        let seconds = Double(time.nanoseconds) * 1e-9 - 0.001
        return seconds > from ?? -.infinity ? request(until: seconds) : nil
    }

    /// A point in a third of the daemon's bytes: seconds since 1970, latitude, longitude, speed; nil outside the window.
    mutating func point(_ bytes: [UInt8]) -> [UInt8]? {
        guard let line = DaemonLine(bytes), let time = line.instant(.time), let latitude = line.number(.latitude),
            let longitude = line.number(.longitude)
        else { return nil }
        let seconds = Double(time.nanoseconds) * 1e-9
        if let span { from = max(from ?? -.infinity, seconds - span) }
        span = nil
        guard seconds >= from ?? -.infinity else { return nil }
        return Array("[\(time.nanoseconds / 1_000_000_000),\(latitude),\(longitude),\(line.number(.speed) ?? 0)]".utf8)
    }
}
