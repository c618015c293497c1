internal import ClientVocabulary
internal import Parts

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

    /// The reasons why the client gets no locations; nil if the client is authorized, empty if its authorization is not
    /// determined and the user is not being asked.
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
