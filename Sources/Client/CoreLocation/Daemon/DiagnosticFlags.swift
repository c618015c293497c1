/// The daemon's reasons why a session, location updates or a monitor deliver nothing.
struct DiagnosticFlags: OptionSet, Sendable, Hashable {
    let rawValue: Int

    static let authorizationDenied = DiagnosticFlags(rawValue: 1 << 0)
    static let authorizationDeniedGlobally = DiagnosticFlags(rawValue: 1 << 1)
    static let authorizationRestricted = DiagnosticFlags(rawValue: 1 << 2)
    static let authorizationRequestInProgress = DiagnosticFlags(rawValue: 1 << 3)
    static let insufficientlyInUse = DiagnosticFlags(rawValue: 1 << 4)
    static let serviceSessionRequired = DiagnosticFlags(rawValue: 1 << 5)
    static let accuracyLimited = DiagnosticFlags(rawValue: 1 << 6)
    static let alwaysAuthorizationDenied = DiagnosticFlags(rawValue: 1 << 7)
    static let fullAccuracyDenied = DiagnosticFlags(rawValue: 1 << 8)
    static let locationUnavailable = DiagnosticFlags(rawValue: 1 << 9)
    static let conditionLimitExceeded = DiagnosticFlags(rawValue: 1 << 10)
    static let conditionUnsupported = DiagnosticFlags(rawValue: 1 << 11)
    static let persistenceUnavailable = DiagnosticFlags(rawValue: 1 << 12)

    /// The names of the flags in the daemon's JSON lines.
    static let names: [(String, DiagnosticFlags)] = [
        ("authorizationDenied", .authorizationDenied),
        ("authorizationDeniedGlobally", .authorizationDeniedGlobally),
        ("authorizationRestricted", .authorizationRestricted),
        ("authorizationRequestInProgress", .authorizationRequestInProgress),
        ("insufficientlyInUse", .insufficientlyInUse),
        ("serviceSessionRequired", .serviceSessionRequired),
        ("accuracyLimited", .accuracyLimited),
        ("alwaysAuthorizationDenied", .alwaysAuthorizationDenied),
        ("fullAccuracyDenied", .fullAccuracyDenied),
        ("locationUnavailable", .locationUnavailable),
        ("persistenceUnavailable", .persistenceUnavailable),
    ]
}
