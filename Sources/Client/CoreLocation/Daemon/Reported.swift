internal import Foundation

/// A circle that the daemon watches.
struct Circle: Sendable, Equatable {
    var latitude: CLLocationDegrees
    var longitude: CLLocationDegrees
    /// Unit: metre.
    var radius: CLLocationDistance
    var notifyOnEntry = true
    var notifyOnExit = true

    var center: CLLocationCoordinate2D { CLLocationCoordinate2D(latitude: latitude, longitude: longitude) }

    init(center: CLLocationCoordinate2D, radius: CLLocationDistance, notifyOnEntry: Bool, notifyOnExit: Bool) {
        latitude = center.latitude
        longitude = center.longitude
        self.radius = radius
        self.notifyOnEntry = notifyOnEntry
        self.notifyOnExit = notifyOnExit
    }

    init?(_ members: LineMembers) {
        guard let center = members.coordinate, let radius: Double = members[.radius] else { return nil }
        self.init(
            center: center, radius: radius, notifyOnEntry: members[.notifyOnEntry] ?? true,
            notifyOnExit: members[.notifyOnExit] ?? true)
    }
}

/// A visit, as the daemon reports it.
struct ReportedVisit: Sendable, Equatable {
    var arrival: Date?
    var departure: Date?
    var latitude: CLLocationDegrees
    var longitude: CLLocationDegrees
    /// Unit: metre.
    var radius: CLLocationAccuracy

    init?(_ members: LineMembers) {
        guard let center = members.coordinate, members[.event] == "visit" else { return nil }
        arrival = members.date(.arrival)
        departure = members.date(.departure)
        latitude = center.latitude
        longitude = center.longitude
        radius = members[.horizontalAccuracy] ?? -1
    }

    var visit: CLVisit {
        CLVisit(
            arrivalDate: arrival ?? .distantPast, departureDate: departure ?? .distantFuture,
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), horizontalAccuracy: radius)
    }
}

extension Authorization {
    /// The authorization that a line tells; nil where the line tells none.
    init?(_ members: LineMembers) {
        let status: String? = members[.status]
        let servicesEnabled: Bool? = members[.servicesEnabled]
        guard status != nil || servicesEnabled != nil else { return nil }
        self.status = status.flatMap { Self.statuses[$0] } ?? .notDetermined
        accuracy = members[.accuracyAuthorization] == "reduced" ? .reducedAccuracy : .fullAccuracy
        self.servicesEnabled = servicesEnabled ?? true
    }

    private static let statuses: [String: CLAuthorizationStatus] = [
        "notDetermined": .notDetermined, "restricted": .restricted, "denied": .denied,
        "authorizedAlways": .authorizedAlways, "authorizedWhenInUse": .authorizedWhenInUse,
    ]
}

extension CLLocation {
    /// The location that a line holds; nil without a place, or without a time that the daemon vouches for.
    ///
    /// A location is never dated by guess.
    convenience init?(reported members: LineMembers) {
        let isValidated: Bool? = members[.timeValidated]
        guard let coordinate = members.coordinate, let timestamp = members.date(.time), isValidated != false else {
            return nil
        }
        let altitude: Double? = members[.altitudeAboveMeanSeaLevel]
        let height: Double? = members[.heightAboveEllipsoid]
        let hasHeight = altitude != nil && members[.fixType] != "twoD"
        self.init(
            LocationMeasurement(
                coordinate: coordinate, altitude: altitude ?? 0, ellipsoidalAltitude: height ?? 0,
                horizontalAccuracy: members[.horizontalAccuracy] ?? -1,
                verticalAccuracy: hasHeight ? members[.verticalAccuracy] ?? -1 : -1,
                course: members[.course] ?? -1, courseAccuracy: members[.courseAccuracy] ?? -1,
                speed: members[.speed] ?? -1, speedAccuracy: members[.speedAccuracy] ?? -1, timestamp: timestamp,
                sourceInformation: CLLocationSourceInformation(
                    softwareSimulationState: members[.simulated] ?? false,
                    andExternalAccessoryState: members[.accessory] ?? false)))
    }
}
