internal import ClientVocabulary

/// The reasons why a session is not in effect or live updates do not come: the flags of the protocol's event
/// `sessionDiagnostics`.
///
/// Source: Core Location, CLServiceSession.Diagnostic and CLLocationUpdate.
public struct SessionDiagnostics: OptionSet, Sendable, Hashable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let authorizationDenied = SessionDiagnostics(rawValue: 1 << 0)
    /// Location services are switched off for all clients; `authorizationDenied` is then set too.
    public static let authorizationDeniedGlobally = SessionDiagnostics(rawValue: 1 << 1)
    public static let authorizationRestricted = SessionDiagnostics(rawValue: 1 << 2)
    public static let authorizationRequestInProgress = SessionDiagnostics(rawValue: 1 << 3)
    /// The session began while the client was in the background, or the client needs to be in use and is not.
    public static let insufficientlyInUse = SessionDiagnostics(rawValue: 1 << 4)
    /// The manifest requires an explicit service session, and the client holds none.
    public static let serviceSessionRequired = SessionDiagnostics(rawValue: 1 << 5)
    public static let accuracyLimited = SessionDiagnostics(rawValue: 1 << 6)
    public static let alwaysAuthorizationDenied = SessionDiagnostics(rawValue: 1 << 7)
    public static let fullAccuracyDenied = SessionDiagnostics(rawValue: 1 << 8)

    /// Each flag with its name in the client protocol, in the protocol's order.
    public static let names: [(flag: SessionDiagnostics, name: StaticString)] = [
        (.authorizationDenied, "authorizationDenied"),
        (.authorizationDeniedGlobally, "authorizationDeniedGlobally"),
        (.authorizationRestricted, "authorizationRestricted"),
        (.authorizationRequestInProgress, "authorizationRequestInProgress"),
        (.insufficientlyInUse, "insufficientlyInUse"),
        (.serviceSessionRequired, "serviceSessionRequired"),
        (.accuracyLimited, "accuracyLimited"),
        (.alwaysAuthorizationDenied, "alwaysAuthorizationDenied"),
        (.fullAccuracyDenied, "fullAccuracyDenied"),
    ]
}

/// The state of a session, as it is reported to the client.
struct SessionReport: Sendable, Equatable {
    /// Whether the session is in effect; it can be so even if the user has not granted the Always authorization or full
    /// accuracy that it asked for.
    var isActive: Bool
    var diagnostics: SessionDiagnostics

    init(isActive: Bool, diagnostics: SessionDiagnostics) {
        self.isActive = isActive
        self.diagnostics = diagnostics
    }
}

/// The conditions on which a client's sessions and live updates depend.
struct ClientConditions: Sendable, Equatable {
    var status: AuthorizationStatus
    var accuracy: AccuracyAuthorization
    /// Whether the client is in the foreground or in an active background activity session, or was so less than 5 s
    /// ago.
    var isInUse: Bool
    var isForeground: Bool
    /// Whether a question about the client waits for the user's answer.
    var requestInProgress: Bool
    /// Whether location services are switched off for all clients.
    var isDeniedGlobally: Bool
    /// Whether the client's manifest allows it to receive locations in the background.
    var backgroundMode: Bool
    var requiresServiceSession: Bool
    /// Whether the client's manifest says what the locations are for; without such a text the user is never asked.
    var hasPurpose: Bool

    init(
        status: AuthorizationStatus, accuracy: AccuracyAuthorization, isInUse: Bool, isForeground: Bool,
        requestInProgress: Bool, isDeniedGlobally: Bool, backgroundMode: Bool, requiresServiceSession: Bool,
        hasPurpose: Bool
    ) {
        self.status = status
        self.accuracy = accuracy
        self.isInUse = isInUse
        self.isForeground = isForeground
        self.requestInProgress = requestInProgress
        self.isDeniedGlobally = isDeniedGlobally
        self.backgroundMode = backgroundMode
        self.requiresServiceSession = requiresServiceSession
        self.hasPurpose = hasPurpose
    }

    /// The reasons why the client gets no locations at all, as a set that can be empty; nil if the client is
    /// authorized.
    ///
    /// A client whose manifest has no purpose text counts as denied while its authorization is not determined: its
    /// request fails at once. Source: Core Location, "Requesting authorization to use location services".
    var refusal: SessionDiagnostics? {
        if isDeniedGlobally { return [.authorizationDenied, .authorizationDeniedGlobally] }
        switch status {
        case .restricted: return .authorizationRestricted
        case .denied: return .authorizationDenied
        case .notDetermined:
            guard hasPurpose else { return .authorizationDenied }
            return requestInProgress ? .authorizationRequestInProgress : []
        case .authorizedAlways, .authorizedWhenInUse: return nil
        }
    }

    /// The diagnostic flags that apply to an authorized client, whatever sessions it holds.
    var limits: SessionDiagnostics {
        var limits: SessionDiagnostics = accuracy == .reduced ? .accuracyLimited : []
        if requestInProgress { limits.insert(.authorizationRequestInProgress) }
        return limits
    }
}

extension SessionDiagnostics {
    /// The names of the flags that are set, as messages to clients have them.
    public var words: [StaticString] { SessionDiagnostics.names.filter { contains($0.flag) }.map { $0.name } }
}
