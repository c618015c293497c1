/// Why a session is not in effect, or a live watch silent; the members of the wire's `sessionDiagnostics`.
///
/// Source: Core Location, CLServiceSession.Diagnostic and CLLocationUpdate.
public struct SessionDiagnostics: OptionSet, Sendable, Hashable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let authorizationDenied = SessionDiagnostics(rawValue: 1 << 0)
    /// The master switch is off; `authorizationDenied` is true then too.
    public static let authorizationDeniedGlobally = SessionDiagnostics(rawValue: 1 << 1)
    public static let authorizationRestricted = SessionDiagnostics(rawValue: 1 << 2)
    public static let authorizationRequestInProgress = SessionDiagnostics(rawValue: 1 << 3)
    /// It began in the background, or what it needs takes the client to be in use.
    public static let insufficientlyInUse = SessionDiagnostics(rawValue: 1 << 4)
    /// The manifest wants an explicit session, and the client holds none.
    public static let serviceSessionRequired = SessionDiagnostics(rawValue: 1 << 5)
    public static let accuracyLimited = SessionDiagnostics(rawValue: 1 << 6)
    public static let alwaysAuthorizationDenied = SessionDiagnostics(rawValue: 1 << 7)
    public static let fullAccuracyDenied = SessionDiagnostics(rawValue: 1 << 8)

    /// Each with its word of the wire, in the wire's order.
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

/// How a session stands.
public struct SessionReport: Sendable, Equatable {
    /// Whether it is in effect, if only in part: without Always or full accuracy it still is.
    public var isActive: Bool
    public var diagnostics: SessionDiagnostics

    public init(isActive: Bool, diagnostics: SessionDiagnostics) {
        self.isActive = isActive
        self.diagnostics = diagnostics
    }
}

/// What a client's sessions and live watches depend on.
public struct ClientConditions: Sendable, Equatable {
    public var status: AuthorizationStatus
    public var accuracy: AccuracyAuthorization
    /// In the foreground, with an active background activity session, or within the grace after either.
    public var isInUse: Bool
    public var isForeground: Bool
    /// Whether a question about the client waits for its answer.
    public var requestInProgress: Bool
    /// The master switch is off.
    public var isDeniedGlobally: Bool
    /// Of the manifest.
    public var backgroundMode: Bool
    /// Of the manifest.
    public var requiresServiceSession: Bool

    public init(
        status: AuthorizationStatus, accuracy: AccuracyAuthorization, isInUse: Bool, isForeground: Bool,
        requestInProgress: Bool, isDeniedGlobally: Bool, backgroundMode: Bool, requiresServiceSession: Bool
    ) {
        self.status = status
        self.accuracy = accuracy
        self.isInUse = isInUse
        self.isForeground = isForeground
        self.requestInProgress = requestInProgress
        self.isDeniedGlobally = isDeniedGlobally
        self.backgroundMode = backgroundMode
        self.requiresServiceSession = requiresServiceSession
    }

    /// What keeps everything back; nil where the client is authorized.
    var refusal: SessionDiagnostics? {
        if isDeniedGlobally { return [.authorizationDenied, .authorizationDeniedGlobally] }
        switch status {
        case .restricted: return .authorizationRestricted
        case .denied: return .authorizationDenied
        case .notDetermined: return requestInProgress ? .authorizationRequestInProgress : []
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
