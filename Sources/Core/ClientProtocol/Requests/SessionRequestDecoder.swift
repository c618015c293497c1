internal import ClientVocabulary

/// Decodes the requests about a client's state, its authorization, its sessions and its events.
enum SessionRequestDecoder {
    /// - Returns: Nil if no request about the client's state, authorization, sessions or events has this name.
    static func kind(
        _ name: RequestName, _ request: inout RequestMembers
    ) throws(ClientRequestError) -> ClientRequest.Kind? {
        switch name {
        case .state:
            .state(isForeground: try request.needed(.state, word: ["foreground", "background"]) == "foreground")
        case .authorize:
            .authorize(
                always: try request.needed(.authorization, word: ["whenInUse", "always"]) == "always",
                purpose: try request.line(.purpose, maximumBytes: ClientRequest.maximumPurposeBytes),
                isImplicit: try request.bool(.implicit) ?? false)
        case .authorizeFullAccuracy: .authorizeFullAccuracy(purposeKey: try purposeKey(&request) ?? "")
        case .holdSession: .holdSession(number: try number(&request), try goal(&request))
        case .releaseSession: .releaseSession(number: try number(&request))
        case .regionState: try regionState(&request)
        case .acknowledge:
            .acknowledge(number: try request.needed(.number, in: 1...(1 << 53)))
        case .extendWake:
            .extendWake(
                seconds: try request.number(.seconds, in: ClientRequest.wakeRange, "seconds")
                    ?? ClientRequest.wakeRange.lowerBound)
        case .holdHost:
            .holdHost(
                seconds: try request.number(.seconds, in: ClientRequest.hostHoldRange, "seconds")
                    ?? ClientRequest.hostHoldRange.upperBound)
        default: nil
        }
    }

    private static func number(_ request: inout RequestMembers) throws(ClientRequestError) -> UInt32 {
        UInt32(try request.needed(.number, in: 0...UInt64(UInt32.max)))
    }

    private static func purposeKey(_ request: inout RequestMembers) throws(ClientRequestError) -> String? {
        try request.text(.purposeKey, maximumBytes: ClientRequest.maximumIdentifierBytes)
    }

    private static func goal(_ request: inout RequestMembers) throws(ClientRequestError) -> SessionGoal {
        let kind = try request.word(.kind, of: ["service", "backgroundActivity"])
        let authorization: SessionGoal.Authorization =
            switch try request.word(.authorization, of: ["none", "whenInUse", "always"]) {
            case "whenInUse": .whenInUse
            case "always": .always
            default: .none
            }
        return SessionGoal(
            kind: kind == "backgroundActivity" ? .backgroundActivity : .service, authorization: authorization,
            fullAccuracyPurposeKey: try request.text(
                .fullAccuracyPurposeKey, maximumBytes: ClientRequest.maximumIdentifierBytes),
            isImplicit: try request.bool(.implicit) ?? false,
            allowsHostSleep: try request.bool(.hostSleep) ?? false)
    }

    private static func regionState(_ request: inout RequestMembers) throws(ClientRequestError) -> ClientRequest.Kind {
        let identifier = try RegionMembers.identifier(&request)
        let condition = try RegionMembers.condition(&request)
        return .regionState(
            identifier: identifier, condition.map { RegionRequest(identifier: identifier, $0) })
    }
}
