/// The client's authorization, as the daemon last reported it.
struct Authorization: Sendable, Equatable {
    var status: CLAuthorizationStatus = .notDetermined
    var accuracy: CLAccuracyAuthorization = .fullAccuracy
    var servicesEnabled = true

    /// Whether the client is allowed no positions at all.
    var isDenied: Bool { status == .denied || status == .restricted }

    /// Why a denied client gets no positions: location services are switched off for all programs, or this program is
    /// denied.
    var denialReason: CLError.Reason { servicesEnabled ? .denied : .servicesOff }

    /// Whether the client is allowed positions, of full or of reduced accuracy.
    var isGranted: Bool { status == .authorizedAlways || status == .authorizedWhenInUse }
}
