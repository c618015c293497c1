/// The reasons why a session is not in effect or live updates do not come: the flags of the protocol's events
/// `sessionDiagnostics` and `liveDiagnostics`.
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

    /// The names of the flags that are set, as messages to clients have them.
    public var words: [StaticString] { SessionDiagnostics.names.filter { contains($0.flag) }.map { $0.name } }
}
