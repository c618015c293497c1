/// What a gpsd client asks, after its text was decoded.
///
/// Source: gpsd_json(5).
public enum GPSDRequest: Sendable, Equatable {
    /// White space between two requests.
    case nothing
    case version
    case devices
    case device
    case poll
    /// Nil where the client only asks for its policy.
    case watch(GPSDPolicy?)

    /// The longest request, in bytes; gpsd's own bound is 80 for what clients send in practice, 1024 for its buffer.
    public static let maximumBytes = 1024
}

/// Members of a WATCH request; nil is "as it was".
public struct GPSDPolicy: Sendable, Equatable {
    public var enable: Bool?
    public var json: Bool?
    public var nmea: Bool?
    /// 0 none, 1 binary as hexadecimal, 2 as received.
    public var raw: Int?
    public var scaled: Bool?
    public var timing: Bool?
    public var split24: Bool?
    public var pps: Bool?
    public var device: String?

    public init() {}
}

/// Why a gpsd request was refused; `message` is the ERROR object's.
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
