/// The client's authorization, as the daemon last told it.
struct Authorization: Sendable, Equatable {
    var status: CLAuthorizationStatus = .notDetermined
    var accuracy: CLAccuracyAuthorization = .fullAccuracy
    var servicesEnabled = true

    /// Whether somebody has decided that the client may be told no position.
    var isDenied: Bool { status == .denied || status == .restricted }

    /// Why a denied client hears nothing: services are off for all, or it is itself denied.
    var denialReason: CLError.Reason { servicesEnabled ? .denied : .servicesOff }

    /// Whether the client may be told any position at all.
    var isGranted: Bool { status == .authorizedAlways || status == .authorizedWhenInUse }
}
