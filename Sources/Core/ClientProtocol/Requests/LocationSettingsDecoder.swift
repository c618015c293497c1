internal import ClientVocabulary
internal import Power
internal import SextantJSON

/// Decodes the members of `watch` and `change` requests that say which locations the client wants.
enum LocationSettingsDecoder {
    private static let keys: [MemberKey] = [
        .accuracy, .distanceFilter, .minimumInterval, .activityType, .pausesAutomatically, .deferral, .label,
        .live, .background, .indicator, .hostSleep,
    ]

    /// Whether a `watch` request asks for locations; if it has none of the members for locations, it asks for
    /// navigation epochs.
    static func asksForLocations(_ request: RequestMembers) -> Bool { keys.contains(where: request.contains) }

    static func settings(_ request: inout RequestMembers) throws(ClientRequestError) -> LocationSettings {
        LocationSettings(
            accuracy: try accuracy(&request) ?? .best,
            distanceFilter: try request.number(.distanceFilter, in: ClientRequest.distanceRange, "metres"),
            minimumInterval: try request.number(.minimumInterval, in: ClientRequest.intervalRange, "seconds"),
            activity: try activity(&request) ?? .other,
            pausesAutomatically: try request.bool(.pausesAutomatically) ?? true)
    }

    static func options(_ request: inout RequestMembers) throws(ClientRequestError) -> WatchOptions {
        WatchOptions(
            isLive: try request.bool(.live) ?? false, inBackground: try request.bool(.background) ?? false,
            showsIndicator: try request.bool(.indicator) ?? false,
            allowsHostSleep: try request.bool(.hostSleep) ?? false)
    }

    static func accuracy(_ request: inout RequestMembers) throws(ClientRequestError) -> DesiredAccuracy? {
        switch request.take(.accuracy) {
        case nil: return nil
        case .string("best"): return .best
        case .string("bestForNavigation"): return .bestForNavigation
        case .string("reduced"): return .reduced
        case .number(let metres) where ClientRequest.accuracyRange.contains(metres): return .metres(metres)
        default:
            let metres = RequestMembers.expectation(ClientRequest.accuracyRange, "metres")
            throw .badValue(
                key: MemberKey.accuracy.name, expected: "\(metres), \"best\", \"bestForNavigation\" or \"reduced\"")
        }
    }

    static func deferral(_ members: inout RequestMembers) throws(ClientRequestError) -> Deferral {
        Deferral(
            distance: try members.number(.distance, in: ClientRequest.distanceRange, "metres"),
            timeout: try members.number(.timeout, in: ClientRequest.intervalRange, "seconds"),
            from: try origin(&members))
    }

    /// The position from which a deferral's distance counts; nil if the request has neither a latitude nor a longitude.
    ///
    /// If only one of the two is there, an error is thrown.
    private static func origin(_ members: inout RequestMembers) throws(ClientRequestError) -> Deferral.Place? {
        guard members.contains(.latitude) || members.contains(.longitude) else { return nil }
        return Deferral.Place(
            latitude: try members.needed(.latitude, in: -90...90, "degrees"),
            longitude: try members.needed(.longitude, in: -180...180, "degrees"))
    }

    private static func activity(_ request: inout RequestMembers) throws(ClientRequestError) -> ActivityType? {
        guard let value = request.take(.activityType) else { return nil }
        guard case .string(let name) = value, let activity = ActivityType(name: name) else {
            let names = ActivityType.allCases.map { "\"\($0.name)\"" }.joined(separator: ", ")
            throw .badValue(key: MemberKey.activityType.name, expected: "one of \(names)")
        }
        return activity
    }
}
