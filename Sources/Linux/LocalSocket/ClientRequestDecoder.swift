public import ClientProtocol
internal import JSONReading

/// Decodes a line of the local socket's protocol.
public enum ClientRequestDecoder {
    public static func decode(_ line: [UInt8]) -> Result<ClientRequest, RefusedRequest> {
        guard case .object(var members)? = try? JSONValue(parsing: line) else {
            return .failure(RefusedRequest(.notAnObject))
        }
        var id: String?
        do throws(ClientRequestError) {
            id = try identifier(members.removeValue(forKey: "id"))
            return .success(ClientRequest(try kind(&members), id: id))
        } catch {
            return .failure(RefusedRequest(error, id: id))
        }
    }

    private static func kind(_ members: inout [String: JSONValue]) throws(ClientRequestError) -> ClientRequest.Kind {
        guard case .string(let name)? = members.removeValue(forKey: "request") else { throw .notAnObject }
        let kind = try kind(name, &members)
        if let key = members.keys.sorted().first { throw .unknownKey(key) }
        return kind
    }

    private static func kind(
        _ name: String, _ members: inout [String: JSONValue]
    ) throws(ClientRequestError) -> ClientRequest.Kind {
        switch name {
        case "watch": return .watch(satellites: try bool("satellites", &members) ?? false)
        case "unwatch": return .unwatch
        case "locate": return .locate(timeoutSeconds: try timeout(&members))
        case "status": return .status
        case "energy": return .energy
        default: throw .unknownRequest(String(name.prefix(64)))
        }
    }

    private static func identifier(_ value: JSONValue?) throws(ClientRequestError) -> String? {
        guard let value else { return nil }
        guard case .string(let id) = value, id.utf8.count <= ClientRequest.maximumIDBytes else {
            throw .badValue(key: "id", expected: "a string of at most \(ClientRequest.maximumIDBytes) bytes")
        }
        return id
    }

    private static func bool(
        _ key: String, _ members: inout [String: JSONValue]
    ) throws(ClientRequestError) -> Bool? {
        guard let value = members.removeValue(forKey: key) else { return nil }
        guard case .bool(let bool) = value else { throw .badValue(key: key, expected: "true or false") }
        return bool
    }

    private static func timeout(_ members: inout [String: JSONValue]) throws(ClientRequestError) -> Double {
        guard let value = members.removeValue(forKey: "timeout") else { return ClientRequest.defaultTimeout }
        guard case .number(let seconds) = value, ClientRequest.timeoutRange.contains(seconds) else {
            throw .badValue(
                key: "timeout",
                expected: "seconds from \(ClientRequest.timeoutRange.lowerBound) to "
                    + "\(Int(ClientRequest.timeoutRange.upperBound))")
        }
        return seconds
    }
}
