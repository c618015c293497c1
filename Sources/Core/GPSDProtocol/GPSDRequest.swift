/// A decoded request of a gpsd client.
///
/// Source: gpsd_json(5).
public enum GPSDRequest: Sendable, Equatable {
    /// Nothing to do: only white space between two requests.
    case nothing
    case version
    case devices
    case device
    case poll
    /// Changes the client's WATCH policy; with nil, the client only asks what the policy is.
    case watch(GPSDPolicy?)

    /// The largest length of a request, in bytes: the size of gpsd's own buffer; in practice, requests fit in 80 bytes.
    public static let maximumBytes = 1024
}

/// The members of a WATCH request; a member that is nil leaves its setting unchanged.
public struct GPSDPolicy: Sendable, Equatable {
    public var enable: Bool?
    public var json: Bool?
    public var nmea: Bool?
    /// The form of raw messages: 0 none, 1 binary messages in hexadecimal, 2 all messages as received.
    public var raw: Int?
    public var scaled: Bool?
    public var timing: Bool?
    public var split24: Bool?
    public var pps: Bool?
    public var device: String?

    public init() {}
}

/// Why a gpsd request was refused; `message` is a member of the ERROR object.
public enum GPSDRequestError: Error, Sendable, Equatable {
    case tooLong
    case unrecognized(String)
    case badValue(key: String, expected: String)

    public var message: String {
        switch self {
        case .tooLong: "Request longer than \(GPSDRequest.maximumBytes) bytes"
        case .unrecognized(let text): "Unrecognized request '\(text)'"
        case .badValue(let key, let expected): "Invalid WATCH: '\(key)' must be \(expected)"
        }
    }
}
