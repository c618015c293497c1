/// What a client may have; Core Location's five statuses with their numbers (`CLAuthorizationStatus`).
public enum AuthorizationStatus: UInt8, Sendable, Equatable, CaseIterable {
    case notDetermined, restricted, denied, authorizedAlways, authorizedWhenInUse
}

/// How exactly a client may know where it is (`CLAccuracyAuthorization`).
public enum AccuracyAuthorization: UInt8, Sendable, Equatable {
    case full, reduced
}
