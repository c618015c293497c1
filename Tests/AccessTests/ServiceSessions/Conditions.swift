import ClientProtocol
import ClientVocabulary

@testable import Access

extension ClientConditions {
    /// Those of a client in the foreground whose manifest has a background mode.
    static func foreground(
        _ status: AuthorizationStatus, _ accuracy: AccuracyAuthorization = .full
    ) -> ClientConditions {
        ClientConditions(
            status: status, accuracy: accuracy, isInUse: true, isForeground: true, requestInProgress: false,
            isDeniedGlobally: false, backgroundMode: true, requiresServiceSession: false, hasPurpose: true)
    }

    /// Those of a client in the background that is not in use.
    static func background(_ status: AuthorizationStatus) -> ClientConditions {
        var conditions = foreground(status)
        conditions.isInUse = false
        conditions.isForeground = false
        return conditions
    }

    func with(_ change: (inout ClientConditions) -> Void) -> ClientConditions {
        var changed = self
        change(&changed)
        return changed
    }
}

extension ServiceSessions {
    /// How the sessions stand under such conditions, as a connection that heard nothing yet would be told.
    mutating func reports(under conditions: ClientConditions) -> [SessionReport] {
        settle(under: conditions).compactMap { if case .report(let report, _, _) = $0 { report } else { nil } }
    }

    mutating func questions(under conditions: ClientConditions) -> [SessionRequest] {
        requests(under: conditions).map(\.request)
    }
}
