internal import ClientVocabulary

/// Reasons, found by the client and not sent by the daemon, why location updates or a monitor deliver nothing.
extension SessionDiagnostics {
    static let locationUnavailable = SessionDiagnostics(rawValue: 1 << 9)
    static let conditionLimitExceeded = SessionDiagnostics(rawValue: 1 << 10)
    static let conditionUnsupported = SessionDiagnostics(rawValue: 1 << 11)
    static let persistenceUnavailable = SessionDiagnostics(rawValue: 1 << 12)
}
