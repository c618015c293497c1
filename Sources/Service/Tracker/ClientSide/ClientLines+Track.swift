internal import ClientProtocol
internal import ClientVocabulary
internal import Monitors
internal import Parts
internal import SextantJSON
internal import SextantUnits
internal import Store

/// The stored track, for the clients that are allowed to see it.
extension ClientLines {
    func serveTrack(_ client: ClientID, id: String?, _ request: TrackRequest) {
        switch request {
        case .erase:
            store.eraseTrack { [unowned self] in
                answer(client, id: id, $0) { count, text in
                    ClientEvent.appendErased(count: count, id: id, to: &text)
                }
            }
        case .read(let from, let to, let limit, let newest):
            store.readTrack(from: from, to: to, limit: limit, newest: newest) { [unowned self] in
                answer(client, id: id, $0) { page, text in
                    for place in page.places { ClientEvent.append(place, id: id, to: &text) }
                    ClientEvent.appendHistory(
                        count: page.places.count, total: page.total, hasMore: page.hasMore, id: id, to: &text)
                }
            }
        }
    }

    private func answer<Answer>(
        _ client: ClientID, id: String?, _ result: Result<Answer, TrackRefusal>,
        _ write: (Answer, inout TextBuffer) -> Void
    ) {
        var text = TextBuffer(capacity: 1024)
        switch result {
        case .success(let answer): write(answer, &text)
        case .failure(let error): ClientEvent.appendError(error.code, "\(error)", id: id, to: &text)
        }
        send(text, 0..<text.count, to: client)
    }
}

/// The reason why the track cannot be kept, read or erased.
enum TrackRefusal: Error, CustomStringConvertible {
    /// The daemon has no folder for its state, or could not open it, so there is no track.
    case nothingIsKept
    case store(StoreError)
    /// The stored track is still being checked for damage after the daemon's start.
    case notChecked
    /// Too many requests to read or erase the stored track are waiting already.
    case tooMany

    /// The code of this error in the protocol between the daemon and its clients.
    var code: ErrorCode {
        switch self {
        case .notChecked: .storeBusy
        case .nothingIsKept, .store, .tooMany: .noTrack
        }
    }

    var description: String {
        switch self {
        case .nothingIsKept:
            "no track is kept without a state directory that can be written; name one as stateDirectory in "
                + "sextant.json5 or with --state-directory, and see sextantd's log"
        case .store(let error): error.description
        case .notChecked: "the stored track is still being checked for damage; ask again later"
        case .tooMany: "too many requests for the track wait for the card; ask again when some are answered"
        }
    }
}

/// One page of the stored track.
struct TrackPage: Sendable {
    var places: [TrackedPlace]
    /// The number of points in the whole stored track.
    var total: Int
    var hasMore: Bool
}

extension TrackPoint {
    init(_ place: TrackedPlace) {
        self.init(
            time: place.time.nanoseconds, latitude: place.latitude, longitude: place.longitude,
            altitude: place.altitude, horizontalAccuracy: place.horizontalAccuracy, speed: place.speed,
            course: place.course, steady: place.steady, isAfterSleep: place.isAfterSleep)
    }
}

extension TrackedPlace {
    init(_ point: TrackPoint) {
        self.init(
            time: UTCInstant(nanoseconds: point.time), latitude: point.latitude, longitude: point.longitude)
        altitude = point.altitude
        horizontalAccuracy = point.horizontalAccuracy
        speed = point.speed
        course = point.course
        isAfterSleep = point.isAfterSleep
    }
}
