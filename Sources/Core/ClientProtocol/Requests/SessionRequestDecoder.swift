internal import ClientVocabulary

/// Decodes the requests about a client's state, its authorization, its sessions and its monitoring.
enum SessionRequestDecoder {
    /// - Returns: Nil where the name is not one of these requests.
    static func kind(
        _ name: RequestName, _ request: inout RequestMembers
    ) throws(ClientRequestError) -> ClientRequest.Kind? {
        switch name {
        case .state:
            .state(isForeground: try request.needed("state", word: ["foreground", "background"]) == "foreground")
        case .authorize:
            .authorize(always: try request.needed("authorization", word: ["whenInUse", "always"]) == "always")
        case .authorizeFullAccuracy: .authorizeFullAccuracy(purposeKey: try purposeKey(&request) ?? "")
        case .holdSession: .holdSession(number: try number(&request), try goal(&request))
        case .releaseSession: .releaseSession(number: try number(&request))
        case .monitorSignificantChange: .monitorSignificantChange(try request.needed("enabled"))
        case .monitorVisits: .monitorVisits(try request.needed("enabled"))
        case .monitorRegion: .monitorRegion(try region(&request))
        case .unmonitorRegion:
            .unmonitorRegion(identifier: try identifier(&request), monitor: try monitor(&request))
        case .regionState: try regionState(&request)
        case .registrations: .registrations
        case .acknowledge:
            .acknowledge(number: try request.needed("number", in: 1...(1 << 53)))
        case .extendWake:
            .extendWake(
                seconds: try request.number("seconds", in: ClientRequest.wakeRange, "seconds")
                    ?? ClientRequest.wakeRange.lowerBound)
        default: nil
        }
    }

    private static func number(_ request: inout RequestMembers) throws(ClientRequestError) -> UInt32 {
        UInt32(try request.needed("number", in: 0...UInt64(UInt32.max)))
    }

    private static func purposeKey(_ request: inout RequestMembers) throws(ClientRequestError) -> String? {
        try request.text("purposeKey", maximumBytes: ClientRequest.maximumIdentifierBytes)
    }

    private static func goal(_ request: inout RequestMembers) throws(ClientRequestError) -> SessionGoal {
        let kind = try request.word("kind", of: ["service", "backgroundActivity"])
        let authorization: SessionGoal.Authorization =
            switch try request.word("authorization", of: ["none", "whenInUse", "always"]) {
            case "whenInUse": .whenInUse
            case "always": .always
            default: .none
            }
        return SessionGoal(
            kind: kind == "backgroundActivity" ? .backgroundActivity : .service, authorization: authorization,
            fullAccuracyPurposeKey: try request.text(
                "fullAccuracyPurposeKey", maximumBytes: ClientRequest.maximumIdentifierBytes),
            isImplicit: try request.bool("implicit") ?? false)
    }

    private static func identifier(_ request: inout RequestMembers) throws(ClientRequestError) -> String {
        try request.needed("identifier", maximumBytes: ClientRequest.maximumIdentifierBytes)
    }

    private static func monitor(_ request: inout RequestMembers) throws(ClientRequestError) -> String? {
        try request.text("monitor", maximumBytes: ClientRequest.maximumIdentifierBytes)
    }

    private static func regionState(_ request: inout RequestMembers) throws(ClientRequestError) -> ClientRequest.Kind {
        let identifier = try identifier(&request)
        guard let shape = try RegionMembers.shape(&request) else { return .regionState(identifier: identifier, nil) }
        return .regionState(identifier: identifier, RegionRequest(identifier: identifier, shape))
    }

    private static func region(_ request: inout RequestMembers) throws(ClientRequestError) -> RegionRequest {
        let identifier = try identifier(&request)
        guard let shape = try RegionMembers.shape(&request) else { throw .missing(key: "latitude") }
        var region = RegionRequest(identifier: identifier, shape)
        region.notifyOnEntry = try request.bool("notifyOnEntry") ?? true
        region.notifyOnExit = try request.bool("notifyOnExit") ?? true
        region.dwell = try request.number("dwell", in: ClientRequest.dwellRange, "seconds")
        region.cushion = try request.number("cushion", in: ClientRequest.distanceRange, "metres")
        region.monitor = try monitor(&request)
        region.assumed = try request.word("assumed", of: ["satisfied", "unsatisfied"]).map { $0 == "satisfied" }
        return region
    }
}
