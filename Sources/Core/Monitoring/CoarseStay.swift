internal import ClientProtocol
internal import GNSS
internal import Parts
internal import SextantUnits

/// A visit as clients with reduced accuracy see it: a stay in one cell of a grid, found from the estimates (positions
/// rounded to a cell) that these clients get.
///
/// These visits follow from the estimates alone, so they do not reveal whether or when the board moved within the cell.
/// A stay becomes a visit when two consecutive estimates, which come at least 15 minutes apart, lie in the same cell.
struct CoarseStay: Sendable, Equatable {
    private var latitude: Double
    private var longitude: Double
    private var horizontalAccuracy: Double
    private var since: UTCInstant
    private var last: UTCInstant
    private var isVisit = false
}

extension CoarseStay {
    /// Begins with an estimate; nil where the estimate's time is not validated and so could give the visit a wrong
    /// date.
    init?(_ estimate: Fix) {
        guard let time = estimate.time, estimate.isTimeValidated, let latitude = estimate.latitude,
            let longitude = estimate.longitude
        else { return nil }
        (self.latitude, self.longitude) = (latitude, longitude)
        horizontalAccuracy = estimate.horizontalAccuracy ?? 0
        (since, last) = (time, time)
    }

    /// Takes the next estimate.
    ///
    /// - Returns: The visit with its departure, if the board has left the cell; the visit without a departure, if the
    ///   stay has just become a visit; otherwise nil. The times are rounded down to 15 minutes.
    mutating func found(_ estimate: Fix) -> VisitObject? {
        guard let next = CoarseStay(estimate), next.last > last else { return nil }
        guard (next.latitude, next.longitude) == (latitude, longitude) else {
            defer { self = next }
            return isVisit ? event(departure: last) : nil
        }
        last = next.last
        guard !isVisit else { return nil }
        isVisit = true
        return event(departure: nil)
    }

    private func event(departure: UTCInstant?) -> VisitObject {
        VisitObject(
            arrival: ReducedAccuracy.coarse(since), departure: departure.map { ReducedAccuracy.coarse($0) },
            latitude: latitude, longitude: longitude, horizontalAccuracy: horizontalAccuracy)
    }
}

/// The form in which the stay is stored: version (1 byte: 1), latitude, longitude, accuracy (8 each, IEEE 754), the
/// times of its first and last estimate in nanoseconds since 1970 (8 each), and whether the stay is a visit (1).
extension CoarseStay: Recorded {
    static let blank = CoarseStay(latitude: 0, longitude: 0, horizontalAccuracy: 0, since: .blank, last: .blank)

    mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.version(1)
        try record.code(latitude: &latitude, longitude: &longitude)
        try record.code(&horizontalAccuracy, in: -.greatestFiniteMagnitude ... .greatestFiniteMagnitude)
        try since.code(&record)
        try last.code(&record)
        try record.code(&isVisit)
    }
}
