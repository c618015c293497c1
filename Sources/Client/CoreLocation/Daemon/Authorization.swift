/// What the daemon says the client may have.
struct Authorization: Sendable, Equatable {
    var status: CLAuthorizationStatus = .notDetermined
    var accuracy: CLAccuracyAuthorization = .fullAccuracy
    var servicesEnabled = true

    /// Whether a position may be shown at all.
    var isGranted: Bool { status == .authorizedAlways || status == .authorizedWhenInUse }
}
