public import Foundation

/// A visit: a stay at one place.
///
/// A stay that has not ended departs in `Date.distantFuture`; a stay that began before monitoring arrived in
/// `Date.distantPast`.
open class CLVisit: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Safety: the class is open as Apple's is; its only storage is constant.
    private let arrival: Date
    private let departure: Date
    private let place: CLLocationCoordinate2D
    private let radius: CLLocationAccuracy

    package init(
        arrivalDate: Date, departureDate: Date, coordinate: CLLocationCoordinate2D,
        horizontalAccuracy: CLLocationAccuracy
    ) {
        arrival = arrivalDate
        departure = departureDate
        place = coordinate
        radius = horizontalAccuracy
        super.init()
    }

    /// A stay without beginning or end, at an invalid place.
    public override init() {
        arrival = .distantPast
        departure = .distantFuture
        place = kCLLocationCoordinate2DInvalid
        radius = -1
        super.init()
    }

    open var arrivalDate: Date { arrival }

    open var departureDate: Date { departure }

    /// The centre of the place.
    open var coordinate: CLLocationCoordinate2D { place }

    /// The radius of the place.
    ///
    /// Unit: metre.
    open var horizontalAccuracy: CLLocationAccuracy { radius }

    public required init?(coder: NSCoder) {
        arrival = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "CLVisit.arrivalDate"))
        departure = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "CLVisit.departureDate"))
        place = CLLocationCoordinate2D(
            latitude: coder.decodeDouble(forKey: "CLVisit.latitude"),
            longitude: coder.decodeDouble(forKey: "CLVisit.longitude"))
        radius = coder.decodeDouble(forKey: "CLVisit.horizontalAccuracy")
        super.init()
    }

    open func encode(with coder: NSCoder) {
        coder.encode(arrivalDate.timeIntervalSinceReferenceDate, forKey: "CLVisit.arrivalDate")
        coder.encode(departureDate.timeIntervalSinceReferenceDate, forKey: "CLVisit.departureDate")
        coder.encode(coordinate.latitude, forKey: "CLVisit.latitude")
        coder.encode(coordinate.longitude, forKey: "CLVisit.longitude")
        coder.encode(horizontalAccuracy, forKey: "CLVisit.horizontalAccuracy")
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
