internal import ClientVocabulary
internal import SextantJSON

/// Decodes a request, which is one line of JSON from the daemon's local socket.
public enum ClientRequestDecoder {
    public static func decode(_ line: [UInt8]) -> Result<ClientRequest, RefusedRequest> {
        guard case .object(let members)? = try? JSONValue(parsing: line) else {
            return .failure(RefusedRequest(.notAnObject))
        }
        var request = RequestMembers(members)
        var id: String?
        do throws(ClientRequestError) {
            id = try request.text(.id, maximumBytes: ClientRequest.maximumIDBytes)
            return .success(try ClientRequestDecoder.request(&request, id: id))
        } catch {
            return .failure(RefusedRequest(error, id: id))
        }
    }

    /// The requests that can have the member `session`, the number of one of the client's sessions.
    private static let ofSessions: Set<RequestName> = [
        .watch, .change, .defer, .undefer, .unwatch, .flush, .locateOnce, .release, .authorize,
        .authorizeFullAccuracy, .watchHeading, .changeHeading, .unwatchHeading, .displayHeadingCalibration,
        .dismissHeadingCalibration, .rangeBeacons, .stopRangingBeacons,
    ]

    private static func request(
        _ members: inout RequestMembers, id: String?
    ) throws(ClientRequestError) -> ClientRequest {
        guard case .string(let text)? = members.take(.request) else { throw .notAnObject }
        guard let name = RequestName(rawValue: text) else { throw .unknownRequest(String(text.prefix(64))) }
        var session: UInt8 = 0
        if ofSessions.contains(name) {
            let last = UInt64(ClientRequest.maximumSessions - 1)
            session = UInt8(try members.integer(.session, in: 0...last) ?? 0)
        }
        let kind = try kind(name, &members)
        try members.finish()
        return ClientRequest(kind, id: id, session: session)
    }

    private static func kind(
        _ name: RequestName, _ members: inout RequestMembers
    ) throws(ClientRequestError) -> ClientRequest.Kind {
        if let kind = try LocationRequestDecoder.kind(name, &members) { return kind }
        if let kind = try SessionRequestDecoder.kind(name, &members) { return kind }
        if let kind = try MonitoringRequest(name, &members) { return .monitoring(kind) }
        if let kind = try BeaconRequestDecoder.kind(name, &members) { return kind }
        if let kind = try HeadingRequestDecoder.kind(name, &members) { return kind }
        if let kind = try OperatorRequestDecoder.kind(name, &members) { return .operator(kind) }
        throw .unknownRequest(name.rawValue)
    }
}
