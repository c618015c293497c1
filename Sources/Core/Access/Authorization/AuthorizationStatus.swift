/// A client's authorization: Core Location's five statuses with their numbers (`CLAuthorizationStatus`).
public enum AuthorizationStatus: UInt8, Sendable, Hashable, CaseIterable {
    /// No decision has been made yet; the client may ask.
    case notDetermined = 0
    /// The operator's policy forbids locations, and the client cannot ask.
    case restricted = 1
    /// Locations were refused, or the master switch is off.
    case denied = 2
    /// Authorized whether in use or not; the daemon may start the client for an event.
    case authorizedAlways = 3
    case authorizedWhenInUse = 4

    public var isAuthorized: Bool {
        switch self {
        case .authorizedAlways, .authorizedWhenInUse: true
        case .notDetermined, .restricted, .denied: false
        }
    }

    /// The name of the status in the client protocol.
    public var name: StaticString {
        switch self {
        case .notDetermined: "notDetermined"
        case .restricted: "restricted"
        case .denied: "denied"
        case .authorizedAlways: "authorizedAlways"
        case .authorizedWhenInUse: "authorizedWhenInUse"
        }
    }
}

/// How exactly a client is allowed to know the board's position (`CLAccuracyAuthorization`).
public enum AccuracyAuthorization: UInt8, Sendable, Hashable, CaseIterable {
    case full = 0
    /// The client gets a coarse position a few times an hour, and no regions.
    case reduced = 1

    /// The name of the accuracy in the client protocol.
    public var name: StaticString {
        switch self {
        case .full: "full"
        case .reduced: "reduced"
        }
    }
}

/// The authorization that a client asks for.
public enum AuthorizationRequest: String, Sendable, Hashable, CaseIterable {
    case whenInUse, always
    /// Authorization while in use, for a service that the client starts before it asks; only from the foreground.
    case atStart
}
