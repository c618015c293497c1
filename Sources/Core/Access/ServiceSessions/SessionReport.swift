internal import ClientVocabulary

/// The state of a session, as it is reported to the client.
struct SessionReport: Sendable, Equatable {
    /// Whether the session is in effect; it can be so even if the user has not granted the Always authorization or full
    /// accuracy that it asked for.
    var isActive: Bool
    var diagnostics: SessionDiagnostics
}
