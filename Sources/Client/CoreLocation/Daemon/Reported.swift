internal import ClientVocabulary
internal import DaemonClient
internal import Foundation

struct ReportedVisit: Sendable, Equatable {
    var arrival: Date?
    var departure: Date?
    var latitude: CLLocationDegrees
    var longitude: CLLocationDegrees
    /// Unit: metre.
    var radius: CLLocationAccuracy
    var arrivalRange: ClosedRange<Date>?
    var departureRange: ClosedRange<Date>?

    init?(_ line: DaemonLine) {
        guard let center = line.coordinate, line.event == .visit else { return nil }
        arrival = line.date(.arrival)
        departure = line.date(.departure)
        latitude = center.latitude
        longitude = center.longitude
        radius = line.number(.horizontalAccuracy) ?? -1
        arrivalRange = line.range(.arrivalNotBefore, .arrivalNotAfter)
        departureRange = line.range(.departureNotBefore, .departureNotAfter)
    }

    var visit: CLVisit {
        CLVisit(
            arrivalDate: arrival ?? .distantPast, departureDate: departure ?? .distantFuture,
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), horizontalAccuracy: radius,
            unfollowed: (arrivalRange, departureRange))
    }
}

extension Authorization {
    /// The program's authorization in a line (one JSON object) from the daemon; nil if the line has none.
    init?(_ line: DaemonLine) {
        guard line.text(.status) != nil || line.flag(.servicesEnabled) != nil else { return nil }
        let number = line.word(.status, as: AuthorizationStatus.self)?.number
        status = number.flatMap { CLAuthorizationStatus(rawValue: Int32($0)) } ?? .notDetermined
        accuracy = line.word(.accuracyAuthorization) == AccuracyAuthorization.reduced ? .reducedAccuracy : .fullAccuracy
        servicesEnabled = line.flag(.servicesEnabled) ?? true
    }
}

extension CLLocation {
    /// The location in a line from the daemon; nil without a coordinate, or without a time that the daemon has
    /// validated.
    ///
    /// A location never gets a guessed time.
    convenience init?(reported line: DaemonLine) {
        guard let coordinate = line.coordinate, let timestamp = line.date(.time), line.flag(.timeValidated) != false
        else { return nil }
        let altitude = line.number(.altitudeAboveMeanSeaLevel)
        let height = line.number(.heightAboveEllipsoid)
        let hasHeight = altitude != nil && line.text(.fixType) != "twoD"
        self.init(
            LocationMeasurement(
                coordinate: coordinate, altitude: altitude ?? 0, ellipsoidalAltitude: height ?? 0,
                horizontalAccuracy: line.number(.horizontalAccuracy) ?? -1,
                verticalAccuracy: hasHeight ? line.number(.verticalAccuracy) ?? -1 : -1,
                course: line.number(.course) ?? -1, courseAccuracy: line.number(.courseAccuracy) ?? -1,
                speed: line.number(.speed) ?? -1, speedAccuracy: line.number(.speedAccuracy) ?? -1,
                timestamp: timestamp,
                sourceInformation: CLLocationSourceInformation(
                    softwareSimulationState: line.flag(.simulated) ?? false,
                    andExternalAccessoryState: line.flag(.accessory) ?? false)))
    }
}
