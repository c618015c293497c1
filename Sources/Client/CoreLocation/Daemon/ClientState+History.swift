internal import ClientVocabulary
internal import DaemonClient

/// The requests for points of the board's track, the daemon's record of locations.
extension ClientState {
    /// A request for the newest points of the board's track.
    struct HistoryQuestion: Sendable {
        weak var sink: (any EventSink)?
        /// The largest number of locations wanted.
        var count: Int
        var locations: [CLLocation] = []
    }

    private static let maximumHistoryQuestions = 16
    /// The largest number of track points that the daemon sends in answer to one request.
    private static let maximumPoints = 256

    /// Requests the newest points of the board's track and returns the request's name; nil if 16 such requests are open
    /// already.
    mutating func askHistory(_ sink: any EventSink, count: Int) -> String? {
        guard histories.count < Self.maximumHistoryQuestions else { return nil }
        let name = newName("history")
        histories[name] = HistoryQuestion(sink: sink, count: min(count, Self.maximumPoints))
        sayHistoryQuestion(name)
        return name
    }

    /// Sends a request for track points, and discards the points that came in answer to it on an earlier connection.
    mutating func sayHistoryQuestion(_ name: String) {
        guard let question = histories[name] else { return }
        histories[name]?.locations = []
        send(DaemonRequest(.history).with(.id, name).with(.limit, question.count).with(.newest, true))
    }

    /// Handles a line with one point of the board's track, or the line that ends the answer to a request for points.
    mutating func takeHistory(_ line: DaemonLine) -> [EventDelivery] {
        guard let name = line.id else { return [] }
        guard line.event == .trackPoint else { return endHistory(name, nil) }
        if let location = CLLocation(tracked: line) { histories[name]?.locations.append(location) }
        return []
    }

    /// Ends a request for track points with the locations that came, or with an error and no locations.
    mutating func endHistory(_ name: String, _ code: CLError.Code?) -> [EventDelivery] {
        guard let question = histories.removeValue(forKey: name), let sink = question.sink else { return [] }
        let locations = code == nil ? question.locations : []
        return [EventDelivery(event: .history(locations, of: name, code), sinks: [sink])]
    }
}

extension CLLocation {
    /// The location at a point of the board's track; nil if the daemon's line has no coordinate or no time.
    fileprivate convenience init?(tracked line: DaemonLine) {
        guard let coordinate = line.coordinate, let timestamp = line.date(.time) else { return nil }
        self.init(
            LocationMeasurement(
                coordinate: coordinate, altitude: line.number(.altitude) ?? 0,
                horizontalAccuracy: line.number(.horizontalAccuracy) ?? -1, course: line.number(.course) ?? -1,
                speed: line.number(.speed) ?? -1, timestamp: timestamp))
    }
}
