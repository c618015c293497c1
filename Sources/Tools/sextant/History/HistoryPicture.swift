internal import ClientVocabulary
internal import DaemonClient
internal import Fusion
internal import Monitors
internal import Pictures
internal import SextantUnits

/// The SVG picture of a stored track and its visits.
struct HistoryPicture {
    private var picture = TrackPicture()
    private var first: UTCInstant?
    private var last: UTCInstant?
    private var (firstDay, lastDay) = ("", "")

    mutating func add(_ point: HistoryPoint) {
        lastDay = String((point.line.text(.time) ?? "").prefix(10))
        if first == nil { (first, firstDay) = (point.time, lastDay) }
        last = point.time
        let accuracy = point.line.number(.horizontalAccuracy) ?? 0
        picture.add(
            .location(
                FusedLocation(
                    instant: HistoryPicture.instant(point.time), latitude: point.latitude, longitude: point.longitude,
                    covariance: HorizontalCovariance(accuracy: accuracy))))
    }

    /// Draws the visits that overlap the track in time, and returns the SVG document.
    mutating func svg(with visits: [DaemonLine]) -> String {
        for visit in visits where isShown(visit) { add(visit) }
        let title = firstDay == lastDay ? firstDay : "\(firstDay) to \(lastDay)"
        return picture.svg(title: title, regions: [])
    }

    private func isShown(_ visit: DaemonLine) -> Bool {
        guard let first, let last else { return false }
        let (arrival, departure) = HistoryPicture.times(of: visit)
        return (departure ?? last) >= first && (arrival ?? first) <= last
    }

    private static func times(of visit: DaemonLine) -> (arrival: UTCInstant?, departure: UTCInstant?) {
        (
            visit.text(.arrival).flatMap(UTCInstant.init(iso8601:)),
            visit.text(.departure).flatMap(UTCInstant.init(iso8601:))
        )
    }

    private mutating func add(_ visit: DaemonLine) {
        guard let latitude = visit.number(.latitude), let longitude = visit.number(.longitude) else { return }
        let (arrival, departure) = HistoryPicture.times(of: visit)
        let since = HistoryPicture.instant(arrival ?? departure ?? UTCInstant(nanoseconds: 0))
        var event = VisitEvent(
            kind: .arrival, visit: UInt64(visit.number(.visit) ?? 0), place: UInt64(visit.number(.place) ?? 0),
            arrival: arrival.map(HistoryPicture.instant), since: since, departure: nil, confirmed: since,
            latitude: latitude, longitude: longitude, horizontalAccuracy: visit.number(.horizontalAccuracy) ?? 0,
            confidence: visit.number(.confidence) ?? 0)
        picture.add(.visit(event))
        guard let departure else { return }
        event.kind = .departure
        event.departure = HistoryPicture.instant(departure)
        picture.add(.visit(event))
    }

    /// An instant on the picture's time axis, which counts nanoseconds since 1970.
    private static func instant(_ time: UTCInstant) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: time.nanoseconds)
    }
}
