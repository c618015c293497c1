internal import ClientProtocol
internal import JSONReading
internal import Power

/// Decodes the members of `watch` that ask for locations.
enum LocationSettingsDecoder {
    private static let keys = [
        "accuracy", "distanceFilter", "minimumInterval", "activityType", "pausesAutomatically", "deferral", "label",
    ]

    /// - Returns: Nil where the request has none of them: it asks for epochs.
    static func decode(
        _ request: inout RequestMembers
    ) throws(ClientRequestError) -> (settings: LocationSettings, label: String)? {
        guard keys.contains(where: request.contains) else { return nil }
        let settings = LocationSettings(
            accuracy: try accuracy(&request) ?? .best,
            distanceFilter: try request.number("distanceFilter", in: ClientRequest.distanceRange, "metres"),
            minimumInterval: try request.number("minimumInterval", in: ClientRequest.intervalRange, "seconds"),
            activity: try activity(&request) ?? .other,
            pausesAutomatically: try request.bool("pausesAutomatically") ?? true,
            deferral: try deferral(&request))
        let label = try request.text("label", maximumBytes: ClientRequest.maximumLabelBytes)
        return (settings, label ?? "")
    }

    private static func accuracy(_ request: inout RequestMembers) throws(ClientRequestError) -> DesiredAccuracy? {
        switch request.take("accuracy") {
        case nil: return nil
        case .string("best"): return .best
        case .string("bestForNavigation"): return .bestForNavigation
        case .number(let metres) where ClientRequest.accuracyRange.contains(metres): return .metres(metres)
        default:
            let metres = RequestMembers.expectation(ClientRequest.accuracyRange, "metres")
            throw .badValue(key: "accuracy", expected: "\(metres), \"best\" or \"bestForNavigation\"")
        }
    }

    private static func activity(_ request: inout RequestMembers) throws(ClientRequestError) -> ActivityType? {
        guard let value = request.take("activityType") else { return nil }
        guard case .string(let name) = value, let activity = ActivityType(name: name) else {
            let names = ActivityType.allCases.map { "\"\($0.name)\"" }.joined(separator: ", ")
            throw .badValue(key: "activityType", expected: "one of \(names)")
        }
        return activity
    }

    private static func deferral(_ request: inout RequestMembers) throws(ClientRequestError) -> Deferral? {
        guard var members = try request.object("deferral", holding: "\"distance\" and \"timeout\", or one of them")
        else { return nil }
        let deferral = Deferral(
            distance: try members.number("distance", in: ClientRequest.distanceRange, "metres"),
            timeout: try members.number("timeout", in: ClientRequest.intervalRange, "seconds"))
        try members.finish()
        return deferral
    }
}
