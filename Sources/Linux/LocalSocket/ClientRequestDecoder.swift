public import ClientProtocol
internal import JSONReading

/// Decodes a line of the local socket's protocol.
public enum ClientRequestDecoder {
    public static func decode(_ line: [UInt8]) -> Result<ClientRequest, RefusedRequest> {
        guard case .object(let members)? = try? JSONValue(parsing: line) else {
            return .failure(RefusedRequest(.notAnObject))
        }
        var request = RequestMembers(members)
        var id: String?
        do throws(ClientRequestError) {
            id = try request.text("id", maximumBytes: ClientRequest.maximumIDBytes)
            return .success(ClientRequest(try kind(&request), id: id))
        } catch {
            return .failure(RefusedRequest(error, id: id))
        }
    }

    private static func kind(_ request: inout RequestMembers) throws(ClientRequestError) -> ClientRequest.Kind {
        guard case .string(let name)? = request.take("request") else { throw .notAnObject }
        let kind = try kind(name, &request)
        try request.finish()
        return kind
    }

    private static func kind(
        _ name: String, _ request: inout RequestMembers
    ) throws(ClientRequestError) -> ClientRequest.Kind {
        switch name {
        case "watch":
            if let (settings, label) = try LocationSettingsDecoder.decode(&request) {
                return .watchLocations(settings, label: label)
            }
            return .watch(satellites: try request.bool("satellites") ?? false)
        case "unwatch": return .unwatch
        case "flush": return .flush
        case "locate":
            return .locate(
                timeoutSeconds: try request.number("timeout", in: ClientRequest.timeoutRange, "seconds")
                    ?? ClientRequest.defaultTimeout,
                accuracy: try request.number("accuracy", in: ClientRequest.accuracyRange, "metres"))
        case "status": return .status
        case "energy": return .energy
        default: throw .unknownRequest(String(name.prefix(64)))
        }
    }
}
