internal import ClientVocabulary
internal import DaemonClient
internal import SextantUnits

/// The part of the track that a viewer asks for, and the requests that get it from the daemon, the newest points first.
struct TrackWindow {
    /// The largest number of points that the daemon sends in one answer.
    private static let page = 256

    let id: String
    /// The beginning and the end of the requested time window, in seconds since 1970; nil for no bound.
    private(set) var from: Double?
    let to: Double?
    /// The length of the window in seconds, counted back from the track's newest point; nil if the window has no such
    /// length, and once that point has come.
    private var span: Double?
    /// The time of the last received point, in milliseconds since 1970; the points come from the newest to the oldest.
    private var newer: Int64?
    /// Milliseconds between the two points that were received last.
    private var rhythm: Int64?
    private var newerIsAfterSleep = false

    init(id: String, from: Double?, to: Double?, span: Double?) {
        (self.id, self.from, self.to, self.span) = (id, from, to, span)
    }

    /// The request for the newest points that are not later than an instant.
    func request(until instant: Double?) -> DaemonRequest {
        DaemonRequest(.history).with(.id, id).with(.newest, true).with(.from, from).with(.to, instant)
            .with(.limit, TrackWindow.page)
    }

    /// The request for the points before those of one answer (a page); nil if that page already reaches the beginning
    /// of the window.
    ///
    /// - Parameter first: The JSON object of the page's oldest point.
    func request(before first: [UInt8]?) -> DaemonRequest? {
        guard let time = first.flatMap(DaemonLine.init)?.instant(.time) else { return nil }
        let seconds = Double(time.nanoseconds) * 1e-9 - 0.001
        return seconds > from ?? -.infinity ? request(until: seconds) : nil
    }

    /// Decodes the next point from the daemon, which is older than the one received before; nil if it is outside the
    /// window.
    ///
    /// A gap is a sleep of the board, or an interval of more than 15 minutes that is also more than three times as long
    /// as the interval that follows it in time. So a board that gets a fix every half hour has no gaps.
    mutating func point(_ bytes: [UInt8]) -> DrawnPoint? {
        guard var point = DrawnPoint(bytes) else { return nil }
        if let span { from = max(from ?? -.infinity, point.seconds - span) }
        span = nil
        guard point.seconds >= from ?? -.infinity else { return nil }
        let interval = newer.map { $0 - point.milliseconds }
        point.isBeforeGap = newerIsAfterSleep || interval.map { $0 > 900_000 && $0 > 3 * (rhythm ?? 0) } ?? false
        (newer, rhythm, newerIsAfterSleep) = (point.milliseconds, interval, point.isAfterSleep)
        return point
    }
}
