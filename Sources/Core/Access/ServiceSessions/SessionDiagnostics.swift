internal import ClientVocabulary

/// Why a session is not in effect, or live updates do not come; the members of `sessionDiagnostics` in the protocol.
///
/// Source: Core Location, CLServiceSession.Diagnostic and CLLocationUpdate.
public struct SessionDiagnostics: OptionSet, Sendable, Hashable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let authorizationDenied = SessionDiagnostics(rawValue: 1 << 0)
    /// The master switch is off; `authorizationDenied` is then set too.
    public static let authorizationDeniedGlobally = SessionDiagnostics(rawValue: 1 << 1)
    public static let authorizationRestricted = SessionDiagnostics(rawValue: 1 << 2)
    public static let authorizationRequestInProgress = SessionDiagnostics(rawValue: 1 << 3)
    /// The session began in the background, or needs the client to be in use.
    public static let insufficientlyInUse = SessionDiagnostics(rawValue: 1 << 4)
    /// The manifest requires an explicit session, and the client holds none.
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

/// The state of a session, as reported to its client.
struct SessionReport: Sendable, Equatable {
    /// Whether the session is in effect; it can be, even if the Always or full accuracy that it asked for was not
    /// granted.
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
    /// Whether the client is in the foreground or in an active background activity session, or was within the last 5 s.
    var isInUse: Bool
    var isForeground: Bool
    /// Whether a question about the client waits for the user's answer.
    var requestInProgress: Bool
    /// Whether the master switch is off.
    var isDeniedGlobally: Bool
    /// Whether the manifest lets the client receive locations in the background.
    var backgroundMode: Bool
    /// Whether the manifest requires an explicit session.
    var requiresServiceSession: Bool
    /// Whether the manifest says what the location is for; without that the user is never asked.
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

    /// The reasons why the client gets no locations at all; nil where the client is authorized.
    ///
    /// A client whose manifest has no purpose text counts as denied while it is undecided: its request fails at once.
    /// Source: Core Location, "Requesting authorization to use location services".
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

    /// The diagnostics that apply to an authorized client, independent of its sessions.
    var limits: SessionDiagnostics {
        var limits: SessionDiagnostics = accuracy == .reduced ? .accuracyLimited : []
        if requestInProgress { limits.insert(.authorizationRequestInProgress) }
        return limits
    }
}

extension SessionDiagnostics {
    /// The diagnostics' names in messages to clients.
    public var words: [StaticString] { SessionDiagnostics.names.filter { contains($0.flag) }.map { $0.name } }
}
