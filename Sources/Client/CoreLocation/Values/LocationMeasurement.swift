internal import Foundation

/// All values of one `CLLocation`.
///
/// Units and invalid values are those of the `CLLocation` properties with the same names.
package struct LocationMeasurement: Sendable {
    package var coordinate: CLLocationCoordinate2D
    package var altitude: CLLocationDistance = 0
    package var ellipsoidalAltitude: CLLocationDistance = 0
    package var horizontalAccuracy: CLLocationAccuracy = 0
    package var verticalAccuracy: CLLocationAccuracy = -1
    package var course: CLLocationDirection = -1
    package var courseAccuracy: CLLocationDirectionAccuracy = -1
    package var speed: CLLocationSpeed = -1
    package var speedAccuracy: CLLocationSpeedAccuracy = -1
    package var timestamp = Date()
    package var floor: CLFloor?
    package var sourceInformation: CLLocationSourceInformation?

    package init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance = 0,
        ellipsoidalAltitude: CLLocationDistance = 0, horizontalAccuracy: CLLocationAccuracy = 0,
        verticalAccuracy: CLLocationAccuracy = -1, course: CLLocationDirection = -1,
        courseAccuracy: CLLocationDirectionAccuracy = -1, speed: CLLocationSpeed = -1,
        speedAccuracy: CLLocationSpeedAccuracy = -1, timestamp: Date = Date(), floor: CLFloor? = nil,
        sourceInformation: CLLocationSourceInformation? = nil
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.ellipsoidalAltitude = ellipsoidalAltitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.courseAccuracy = courseAccuracy
        self.speed = speed
        self.speedAccuracy = speedAccuracy
        self.timestamp = timestamp
        self.floor = floor
        self.sourceInformation = sourceInformation
    }
}

extension LocationMeasurement: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        left.numbers == right.numbers && left.timestamp == right.timestamp && left.floor == right.floor
            && left.sourceInformation == right.sourceInformation
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(numbers)
        hasher.combine(timestamp)
    }

    private var numbers: [Double] {
        [
            coordinate.latitude, coordinate.longitude, altitude, ellipsoidalAltitude, horizontalAccuracy,
            verticalAccuracy, course, courseAccuracy, speed, speedAccuracy,
        ]
    }
}

extension LocationMeasurement: CustomStringConvertible {
    package var description: String {
        let place = String(
            format: "<%+.8f,%+.8f> +/- %.2fm", coordinate.latitude, coordinate.longitude, horizontalAccuracy)
        let motion = String(format: "(speed %.2f mps / course %.2f)", speed, course)
        return "\(place) \(motion) @ \(timestamp)"
    }
}

extension LocationMeasurement {
    /// A location with an invalid coordinate, for a subclass's archive that lacks the values of `CLLocation`.
    static var nowhere: LocationMeasurement {
        LocationMeasurement(coordinate: kCLLocationCoordinate2DInvalid, horizontalAccuracy: -1)
    }

    private enum Key {
        static let latitude = ArchiveKey(own: "CLLocation.latitude", apple: "kCLLocationCodingKeyCoordinateLatitude")
        static let longitude = ArchiveKey(own: "CLLocation.longitude", apple: "kCLLocationCodingKeyCoordinateLongitude")
        static let altitude = ArchiveKey(own: "CLLocation.altitude", apple: "kCLLocationCodingKeyAltitude")
        static let ellipsoidalAltitude = ArchiveKey(
            own: "CLLocation.ellipsoidalAltitude", apple: "kCLLocationCodingKeyEllipsoidalAltitude")
        static let horizontalAccuracy = ArchiveKey(
            own: "CLLocation.horizontalAccuracy", apple: "kCLLocationCodingKeyHorizontalAccuracy")
        static let verticalAccuracy = ArchiveKey(
            own: "CLLocation.verticalAccuracy", apple: "kCLLocationCodingKeyVerticalAccuracy")
        static let course = ArchiveKey(own: "CLLocation.course", apple: "kCLLocationCodingKeyCourse")
        static let courseAccuracy = ArchiveKey(
            own: "CLLocation.courseAccuracy", apple: "kCLLocationCodingKeyCourseAccuracy")
        static let speed = ArchiveKey(own: "CLLocation.speed", apple: "kCLLocationCodingKeySpeed")
        static let speedAccuracy = ArchiveKey(
            own: "CLLocation.speedAccuracy", apple: "kCLLocationCodingKeySpeedAccuracy")
        static let timestamp = ArchiveKey(own: "CLLocation.timestamp", apple: "kCLLocationCodingKeyTimestamp")
        static let floor = "CLLocation.floor"
        static let sourceInformation = "CLLocation.sourceInformation"
    }

    /// Reads an archive that `encode(with:)` or Apple's class wrote; nil without a coordinate, its accuracy or a time.
    ///
    /// The storey and the kind of source are read from this module's archives alone, because their form in Apple's
    /// archives is not known for certain.
    init?(coder: NSCoder) {
        guard let coordinate = coder.coordinate(Key.latitude, Key.longitude),
            let horizontalAccuracy = coder.double(Key.horizontalAccuracy), let time = coder.double(Key.timestamp)
        else { return nil }
        self.init(
            coordinate: coordinate, altitude: coder.double(Key.altitude) ?? 0,
            ellipsoidalAltitude: coder.double(Key.ellipsoidalAltitude) ?? 0, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: coder.double(Key.verticalAccuracy) ?? -1, course: coder.double(Key.course) ?? -1,
            courseAccuracy: coder.double(Key.courseAccuracy) ?? -1, speed: coder.double(Key.speed) ?? -1,
            speedAccuracy: coder.double(Key.speedAccuracy) ?? -1,
            timestamp: Date(timeIntervalSinceReferenceDate: time),
            floor: coder.objectIfPresent(of: CLFloor.self, forKey: Key.floor),
            sourceInformation: coder.objectIfPresent(
                of: CLLocationSourceInformation.self, forKey: Key.sourceInformation))
    }

    func encode(with coder: NSCoder) {
        coder.encode(coordinate.latitude, forKey: Key.latitude.own)
        coder.encode(coordinate.longitude, forKey: Key.longitude.own)
        coder.encode(altitude, forKey: Key.altitude.own)
        coder.encode(ellipsoidalAltitude, forKey: Key.ellipsoidalAltitude.own)
        coder.encode(horizontalAccuracy, forKey: Key.horizontalAccuracy.own)
        coder.encode(verticalAccuracy, forKey: Key.verticalAccuracy.own)
        coder.encode(course, forKey: Key.course.own)
        coder.encode(courseAccuracy, forKey: Key.courseAccuracy.own)
        coder.encode(speed, forKey: Key.speed.own)
        coder.encode(speedAccuracy, forKey: Key.speedAccuracy.own)
        coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: Key.timestamp.own)
        coder.encode(floor, forKey: Key.floor)
        coder.encode(sourceInformation, forKey: Key.sourceInformation)
    }
}
