internal import Foundation

/// Everything that a location holds.
///
/// Units and invalid values are those of the properties of the same name of `CLLocation`.
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
    private enum Key {
        static let latitude = "CLLocation.latitude"
        static let longitude = "CLLocation.longitude"
        static let altitude = "CLLocation.altitude"
        static let ellipsoidalAltitude = "CLLocation.ellipsoidalAltitude"
        static let horizontalAccuracy = "CLLocation.horizontalAccuracy"
        static let verticalAccuracy = "CLLocation.verticalAccuracy"
        static let course = "CLLocation.course"
        static let courseAccuracy = "CLLocation.courseAccuracy"
        static let speed = "CLLocation.speed"
        static let speedAccuracy = "CLLocation.speedAccuracy"
        static let timestamp = "CLLocation.timestamp"
        static let floor = "CLLocation.floor"
        static let sourceInformation = "CLLocation.sourceInformation"
    }

    /// Reads an archive that `encode(with:)` wrote.
    init(coder: NSCoder) {
        coordinate = CLLocationCoordinate2D(
            latitude: coder.decodeDouble(forKey: Key.latitude), longitude: coder.decodeDouble(forKey: Key.longitude))
        altitude = coder.decodeDouble(forKey: Key.altitude)
        ellipsoidalAltitude = coder.decodeDouble(forKey: Key.ellipsoidalAltitude)
        horizontalAccuracy = coder.decodeDouble(forKey: Key.horizontalAccuracy)
        verticalAccuracy = coder.decodeDouble(forKey: Key.verticalAccuracy)
        course = coder.decodeDouble(forKey: Key.course)
        courseAccuracy = coder.decodeDouble(forKey: Key.courseAccuracy)
        speed = coder.decodeDouble(forKey: Key.speed)
        speedAccuracy = coder.decodeDouble(forKey: Key.speedAccuracy)
        timestamp = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: Key.timestamp))
        floor = coder.objectIfPresent(of: CLFloor.self, forKey: Key.floor)
        sourceInformation = coder.objectIfPresent(of: CLLocationSourceInformation.self, forKey: Key.sourceInformation)
    }

    func encode(with coder: NSCoder) {
        coder.encode(coordinate.latitude, forKey: Key.latitude)
        coder.encode(coordinate.longitude, forKey: Key.longitude)
        coder.encode(altitude, forKey: Key.altitude)
        coder.encode(ellipsoidalAltitude, forKey: Key.ellipsoidalAltitude)
        coder.encode(horizontalAccuracy, forKey: Key.horizontalAccuracy)
        coder.encode(verticalAccuracy, forKey: Key.verticalAccuracy)
        coder.encode(course, forKey: Key.course)
        coder.encode(courseAccuracy, forKey: Key.courseAccuracy)
        coder.encode(speed, forKey: Key.speed)
        coder.encode(speedAccuracy, forKey: Key.speedAccuracy)
        coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: Key.timestamp)
        coder.encode(floor, forKey: Key.floor)
        coder.encode(sourceInformation, forKey: Key.sourceInformation)
    }
}
