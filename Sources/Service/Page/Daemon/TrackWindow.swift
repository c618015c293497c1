internal import ClientVocabulary
internal import DaemonClient
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
    /// The time of the point that was taken last, which is newer than the next one; milliseconds since 1970.
    private var newer: Int64?
    /// Milliseconds between the two points that were taken last.
    private var rhythm: Int64?
    private var newerIsAfterSleep = false

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

    /// A point of the daemon's, given the newest first; nil outside the window.
    ///
    /// A gap is a sleep of the board, or more than 15 minutes without a point, and more than three times what lay between
    /// the two points after it: a board that is located each half an hour has none.
    mutating func point(_ bytes: [UInt8]) -> TrackPoint? {
        guard var point = TrackPoint(bytes) else { return nil }
        if let span { from = max(from ?? -.infinity, point.seconds - span) }
        span = nil
        guard point.seconds >= from ?? -.infinity else { return nil }
        let interval = newer.map { $0 - point.milliseconds }
        point.isBeforeGap = newerIsAfterSleep || interval.map { $0 > 900_000 && $0 > 3 * (rhythm ?? 0) } ?? false
        (newer, rhythm, newerIsAfterSleep) = (point.milliseconds, interval, point.isAfterSleep)
        return point
    }
}
