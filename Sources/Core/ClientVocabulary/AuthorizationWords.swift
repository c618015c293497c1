/// A client's authorization: Core Location's five statuses (`CLAuthorizationStatus`).
public enum AuthorizationStatus: String, Sendable, Hashable, CaseIterable {
    /// No decision has been made yet; the client may ask.
    case notDetermined
    /// The operator's policy forbids locations, and the client cannot ask.
    case restricted
    /// Locations were refused, or the master switch is off.
    case denied
    /// Authorized whether in use or not; the daemon may start the client for an event.
    case authorizedAlways
    case authorizedWhenInUse

    public var isAuthorized: Bool {
        switch self {
        case .authorizedAlways, .authorizedWhenInUse: true
        case .notDetermined, .restricted, .denied: false
        }
    }

    /// Core Location's number of the status, which is stored too.
    public var number: UInt8 {
        switch self {
        case .notDetermined: 0
        case .restricted: 1
        case .denied: 2
        case .authorizedAlways: 3
        case .authorizedWhenInUse: 4
        }
    }

    /// The status that is stored as this number; nil for a number that no status has.
    public init?(number: UInt8) {
        guard let status = AuthorizationStatus.allCases.first(where: { $0.number == number }) else { return nil }
        self = status
    }
}

/// How exactly a client is allowed to know the board's position (`CLAccuracyAuthorization`).
public enum AccuracyAuthorization: String, Sendable, Hashable, CaseIterable {
    case full
    /// The client gets a coarse position a few times an hour, and no regions.
    case reduced

    /// Core Location's number of the accuracy, which is stored too.
    public var number: UInt8 { self == .full ? 0 : 1 }

    /// The accuracy that is stored as this number; nil for a number that neither has.
    public init?(number: UInt8) {
        guard number <= 1 else { return nil }
        self = number == 0 ? .full : .reduced
    }
}

/// The authorization that a client asks for.
public enum AuthorizationRequest: String, Sendable, Hashable, CaseIterable {
    case whenInUse, always
    /// Authorization while in use, for a service that the client starts before it asks; only from the foreground.
    ///
    /// On the wire it is `whenInUse` with the member `implicit`.
    case atStart
}

/// What the daemon asks the user about a client: an authorization, full accuracy for a while, or whether to switch
/// location services on.
public enum PromptKind: String, Sendable, Hashable, CaseIterable {
    case whenInUse, always, fullAccuracy, services
}

/// An operator's or agent's decision on a client: an answer to its waiting question, or a change of its authorization.
public enum OperatorAnswer: String, Sendable, Hashable, CaseIterable {
    /// Allow while the client is in use.
    case allow
    /// Allow for the use in progress only.
    case once
    /// Leave the client as it is: allowed while in use only.
    case keep
    case deny
    case always
    /// Switch location services on for all clients; only as the answer to a question of the kind `services`.
    case on
    /// Leave location services off; only as the answer to a question of the kind `services`.
    case off
    /// Forget every decision about the client.
    case reset
}
