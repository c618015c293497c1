/// A client's authorization, one of Core Location's five statuses (`CLAuthorizationStatus`).
public enum AuthorizationStatus: String, Sendable, Hashable, CaseIterable {
    /// No decision has been made yet; the client may request authorization.
    case notDetermined
    /// The operator's policy forbids locations to the client, and the client cannot request authorization.
    case restricted
    /// Locations were refused to the client, or location services are switched off for all clients.
    case denied
    /// The client may get locations whether or not it is in use, and the daemon may start it for an event.
    case authorizedAlways
    case authorizedWhenInUse

    public var isAuthorized: Bool {
        switch self {
        case .authorizedAlways, .authorizedWhenInUse: true
        case .notDetermined, .restricted, .denied: false
        }
    }

    /// The number that Core Location gives the status; it is also stored.
    public var number: UInt8 {
        switch self {
        case .notDetermined: 0
        case .restricted: 1
        case .denied: 2
        case .authorizedAlways: 3
        case .authorizedWhenInUse: 4
        }
    }

    /// The status with this stored number; nil if no status has the number.
    public init?(number: UInt8) {
        guard let status = AuthorizationStatus.allCases.first(where: { $0.number == number }) else { return nil }
        self = status
    }
}

/// How exactly a client is allowed to know the board's position (`CLAccuracyAuthorization`).
public enum AccuracyAuthorization: String, Sendable, Hashable, CaseIterable {
    case full
    /// The client gets a coarse position a few times per hour, and no events about regions.
    case reduced

    /// The number that Core Location gives this accuracy authorization; it is also stored.
    public var number: UInt8 { self == .full ? 0 : 1 }

    /// The accuracy authorization with this stored number; nil if the number is neither 0 nor 1.
    public init?(number: UInt8) {
        guard number <= 1 else { return nil }
        self = number == 0 ? .full : .reduced
    }
}

/// The authorization that a client requests.
public enum AuthorizationRequest: String, Sendable, Hashable, CaseIterable {
    case whenInUse, always
    /// When-in-use authorization, requested because the client, in the foreground, starts a service without having
    /// asked for authorization.
    ///
    /// In the JSON request it is `whenInUse` with the member `implicit`.
    case atStart
}

/// What the user is asked about a client: an authorization, full accuracy for a while, or whether to switch location
/// services on.
public enum PromptKind: String, Sendable, Hashable, CaseIterable {
    case whenInUse, always, fullAccuracy, services
}

/// A decision about a client, by an operator or by the user through an agent (a program that asks the user): the answer
/// to a question, or a change of authorization.
public enum OperatorAnswer: String, Sendable, Hashable, CaseIterable {
    /// Allow locations while the client is in use.
    case allow
    /// Allow locations while the client is in use, but only until its present use ends.
    case once
    /// Refuse `always` authorization: the client stays authorized only while it is in use.
    case keep
    case deny
    case always
    /// Switch location services on for all clients; only as the answer to a question of the kind `services`.
    case on
    /// Leave location services off; only as the answer to a question of the kind `services`.
    case off
    /// Delete every decision about the client.
    case reset
}
