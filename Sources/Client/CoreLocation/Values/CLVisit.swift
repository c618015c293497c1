public import Foundation

/// A visit: a stay at one place.
///
/// If the stay has not ended, the departure is `Date.distantFuture`; if it began before visits were monitored, the
/// arrival is `Date.distantPast`.
open class CLVisit: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Safety: `Sendable` is unchecked because the class is open, as Apple's is; its only storage is constant.
    private let arrival: Date
    private let departure: Date
    private let place: CLLocationCoordinate2D
    private let radius: CLLocationAccuracy
    /// The ranges of the possible dates of arrival and departure; each range is nil if the date is exact or not known.
    let unfollowed: (arrival: ClosedRange<Date>?, departure: ClosedRange<Date>?)

    package init(
        arrivalDate: Date, departureDate: Date, coordinate: CLLocationCoordinate2D,
        horizontalAccuracy: CLLocationAccuracy,
        unfollowed: (arrival: ClosedRange<Date>?, departure: ClosedRange<Date>?) = (nil, nil)
    ) {
        arrival = arrivalDate
        departure = departureDate
        place = coordinate
        radius = horizontalAccuracy
        self.unfollowed = unfollowed
        super.init()
    }

    /// A visit without arrival or departure, with an invalid coordinate.
    public override init() {
        arrival = .distantPast
        departure = .distantFuture
        place = kCLLocationCoordinate2DInvalid
        radius = -1
        unfollowed = (nil, nil)
        super.init()
    }

    open var arrivalDate: Date { arrival }

    open var departureDate: Date { departure }

    /// The centre of the place.
    open var coordinate: CLLocationCoordinate2D { place }

    /// The radius of the visited place about `coordinate`.
    ///
    /// Unit: metre.
    open var horizontalAccuracy: CLLocationAccuracy { radius }

    private enum Key {
        static let arrival = ArchiveKey(own: "CLVisit.arrivalDate", apple: "kCLVisitCodingKeyArrivalDate")
        static let departure = ArchiveKey(own: "CLVisit.departureDate", apple: "kCLVisitCodingKeyDepartureDate")
        static let latitude = ArchiveKey(own: "CLVisit.latitude", apple: "kCLVisitCodingKeyLatitude")
        static let longitude = ArchiveKey(own: "CLVisit.longitude", apple: "kCLVisitCodingKeyLongitude")
        static let radius = ArchiveKey(
            own: "CLVisit.horizontalAccuracy", apple: "kCLVisitCodingKeyHorizontalAccuracy")
    }

    /// Reads an archive of this class or of Apple's; nil if a value is missing.
    ///
    /// A subclass can archive only its own values; in its archive, a missing value counts as unknown: no arrival, no
    /// departure, or an invalid coordinate.
    public required init?(coder: NSCoder) {
        let place = coder.coordinate(Key.latitude, Key.longitude)
        let (arrival, departure) = (coder.date(Key.arrival), coder.date(Key.departure))
        let radius = coder.double(Key.radius)
        let isWhole = place != nil && arrival != nil && departure != nil && radius != nil
        guard isWhole || Self.self != CLVisit.self else { return nil }
        self.arrival = arrival ?? .distantPast
        self.departure = departure ?? .distantFuture
        self.place = place ?? kCLLocationCoordinate2DInvalid
        self.radius = radius ?? -1
        unfollowed = (nil, nil)
        super.init()
    }

    open func encode(with coder: NSCoder) {
        coder.encode(arrivalDate.timeIntervalSinceReferenceDate, forKey: Key.arrival.own)
        coder.encode(departureDate.timeIntervalSinceReferenceDate, forKey: Key.departure.own)
        coder.encode(coordinate.latitude, forKey: Key.latitude.own)
        coder.encode(coordinate.longitude, forKey: Key.longitude.own)
        coder.encode(horizontalAccuracy, forKey: Key.radius.own)
    }

    open class var supportsSecureCoding: Bool { true }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLVisit else { return false }
        return other.arrivalDate == arrivalDate && other.departureDate == departureDate
            && other.coordinate.latitude == coordinate.latitude && other.coordinate.longitude == coordinate.longitude
            && other.horizontalAccuracy == horizontalAccuracy
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(arrivalDate)
        hasher.combine(departureDate)
        return hasher.finalize()
    }

    open override var description: String {
        let place = String(
            format: "<%+.8f,%+.8f> +/- %.2fm", coordinate.latitude, coordinate.longitude, horizontalAccuracy)
        return "\(place) from \(arrivalDate) to \(departureDate)"
    }
}
