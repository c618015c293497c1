struct Authorization: Sendable, Equatable {
    var status: CLAuthorizationStatus = .notDetermined
    var accuracy: CLAccuracyAuthorization = .fullAccuracy
    var servicesEnabled = true

    var isDenied: Bool { status == .denied || status == .restricted }

    /// Why a denied client gets no positions: location services are switched off for all programs, or this program is
    /// denied.
    var denialReason: CLError.Reason { servicesEnabled ? .denied : .servicesOff }

    var isGranted: Bool { status == .authorizedAlways || status == .authorizedWhenInUse }
}
