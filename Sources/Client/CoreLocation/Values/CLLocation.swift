public import Foundation

/// A position with its accuracy, its motion and the time of its measurement.
///
/// A negative accuracy means that the value to which it belongs is not valid; an accuracy of 0 is valid, except
/// `verticalAccuracy`.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Safety: `Sendable` is unchecked because the class is open, as Apple's is; its only stored property is constant.
    let measured: LocationMeasurement

    package init(_ measured: LocationMeasurement) {
        self.measured = measured
        super.init()
    }

    /// A location measured now at latitude 0 and longitude 0, with everything else unknown.
    public override init() {
        measured = LocationMeasurement(coordinate: CLLocationCoordinate2D())
        super.init()
    }

    /// A location measured now at this latitude and longitude, with everything else unknown.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        measured = LocationMeasurement(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude))
        super.init()
    }

    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy, verticalAccuracy vAccuracy: CLLocationAccuracy,
        timestamp: Date
    ) {
        measured = LocationMeasurement(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
            timestamp: timestamp)
        super.init()
    }

    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy, verticalAccuracy vAccuracy: CLLocationAccuracy,
        course: CLLocationDirection, speed: CLLocationSpeed,
        timestamp: Date
    ) {
        measured = LocationMeasurement(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
            course: course, speed: speed, timestamp: timestamp)
        super.init()
    }

    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy, verticalAccuracy vAccuracy: CLLocationAccuracy,
        course: CLLocationDirection,
        courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy,
        timestamp: Date
    ) {
        measured = LocationMeasurement(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
            course: course, courseAccuracy: courseAccuracy, speed: speed, speedAccuracy: speedAccuracy,
            timestamp: timestamp)
        super.init()
    }

    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy, verticalAccuracy vAccuracy: CLLocationAccuracy,
        course: CLLocationDirection,
        courseAccuracy: CLLocationDirectionAccuracy, speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy,
        timestamp: Date, sourceInfo: CLLocationSourceInformation
    ) {
        measured = LocationMeasurement(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
            course: course, courseAccuracy: courseAccuracy, speed: speed, speedAccuracy: speedAccuracy,
            timestamp: timestamp, sourceInformation: sourceInfo)
        super.init()
    }

    /// Reads an archive; all its keys begin with the class's name, so that a subclass can use the same property names.
    ///
    /// Archives of Apple's Core Location are read too, after a call of `SextantArchives.acceptAppleClassNames()`. If
    /// the coordinate, its accuracy or the time is missing, the result is nil; for a subclass, which can archive only
    /// its own values, it is a location with an invalid coordinate.
    public required init?(coder: NSCoder) {
        guard let measured = LocationMeasurement(coder: coder) ?? (Self.self == CLLocation.self ? nil : .nowhere)
        else { return nil }
        self.measured = measured
        super.init()
    }

    open func encode(with coder: NSCoder) {
        measured.encode(with: coder)
    }

    open class var supportsSecureCoding: Bool { true }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The place, on WGS84.
    open var coordinate: CLLocationCoordinate2D { measured.coordinate }

    /// Height above mean sea level; valid if `verticalAccuracy` is positive.
    ///
    /// Unit: metre.
    open var altitude: CLLocationDistance { measured.altitude }

    /// Height above the WGS84 ellipsoid; valid if `verticalAccuracy` is positive.
    ///
    /// Unit: metre. It is 0 in a location that a program makes, because no initializer has a parameter for it.
    open var ellipsoidalAltitude: CLLocationDistance { measured.ellipsoidalAltitude }

    /// The radius about `coordinate` that holds 68 % of horizontal errors; negative if `coordinate` is not valid.
    ///
    /// Unit: metre.
    open var horizontalAccuracy: CLLocationAccuracy { measured.horizontalAccuracy }

    /// The standard deviation (one sigma) of the error of both altitudes; 0 or negative if they are not valid.
    ///
    /// Unit: metre.
    open var verticalAccuracy: CLLocationAccuracy { measured.verticalAccuracy }

    /// The direction of travel from true north; negative if not known.
    ///
    /// Unit: degree, 0 to below 360.
    open var course: CLLocationDirection { measured.course }

    /// The standard deviation (one sigma) of the error of `course`; negative if not known.
    ///
    /// Unit: degree.
    open var courseAccuracy: CLLocationDirectionAccuracy { measured.courseAccuracy }

    /// The speed over ground; negative if not known.
    ///
    /// Unit: metre per second.
    open var speed: CLLocationSpeed { measured.speed }

    /// The standard deviation (one sigma) of the error of `speed`; negative if not known.
    ///
    /// Unit: metre per second.
    open var speedAccuracy: CLLocationSpeedAccuracy { measured.speedAccuracy }

    /// When the location was measured, which may be well before it was delivered.
    open var timestamp: Date { measured.timestamp }

    /// The storey of a building; nil in every location from the daemon, because no GNSS receiver or sensor of a board
    /// can tell the storey.
    open var floor: CLFloor? { measured.floor }

    /// The kind of source that measured or simulated the location; nil if unknown.
    open var sourceInformation: CLLocationSourceInformation? { measured.sourceInformation }

    /// The length of the shortest line over the ellipsoid between two locations, without regard to altitude.
    ///
    /// Unit: metre; exact to some nanometres, and NaN if a latitude is beyond ±90°.
    open func distance(from location: CLLocation) -> CLLocationDistance {
        location.coordinate.distance(to: coordinate)
    }

    @available(*, deprecated, renamed: "distance(from:)")
    open func getDistanceFrom(_ location: CLLocation) -> CLLocationDistance {
        distance(from: location)
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CLLocation else { return false }
        return measured == other.measured
    }

    open override var hash: Int { measured.hashValue }

    open override var description: String { measured.description }
}
