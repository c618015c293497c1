public import Power

/// What a client of the local socket asks, after its line was decoded.
public struct ClientRequest: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// Every epoch from now on, with or without its satellites.
        case watch(satellites: Bool)
        /// Reports of where the board is, as often and as accurate as the settings ask; deferred ones are kept under
        /// the label.
        case watchLocations(LocationSettings, label: String)
        case unwatch
        /// The deferred reports so far, now.
        case flush
        /// One position: the next one, or, where an accuracy in metres is given, the next that has it; after
        /// `timeoutSeconds` the best so far, or an error.
        case locate(timeoutSeconds: Double, accuracy: Double? = nil)
        case status
        case energy
    }

    public var kind: Kind
    /// What the client calls the request; its answers carry it back.
    public var id: String?

    public init(_ kind: Kind, id: String? = nil) {
        self.kind = kind
        self.id = id
    }

    /// The longest request line, in bytes with its line end.
    public static let maximumLineBytes = 4096
    /// The longest id, in UTF-8 bytes.
    public static let maximumIDBytes = 64
    /// Seconds; the range of `timeoutSeconds`, and what holds where none is given.
    public static let timeoutRange: ClosedRange<Double> = 0.1...86_400
    public static let defaultTimeout = 60.0
    /// Metres; the range of `accuracy`, where it is a number.
    public static let accuracyRange: ClosedRange<Double> = 1...100_000
    /// Metres; the range of `distanceFilter` and of a deferral's `distance`.
    public static let distanceRange: ClosedRange<Double> = 0...40_000_000
    /// Seconds; the range of `minimumInterval` and of a deferral's `timeout`.
    public static let intervalRange: ClosedRange<Double> = 0...31_536_000
    /// The longest label, in UTF-8 bytes.
    public static let maximumLabelBytes = 64
}

/// A request line that was refused, with what the client called it, where that could be read.
public struct RefusedRequest: Error, Sendable, Equatable {
    public var problem: ClientRequestError
    public var id: String?

    public init(_ problem: ClientRequestError, id: String? = nil) {
        self.problem = problem
        self.id = id
    }

    public static let tooLong = RefusedRequest(.tooLong)
}

/// Why a request line was refused.
public enum ClientRequestError: Error, Sendable, Equatable {
    case tooLong
    case notAnObject
    case unknownRequest(String)
    case unknownKey(String)
    case badValue(key: String, expected: String)

    /// The `code` of the error event.
    public var code: StaticString {
        switch self {
        case .tooLong: "tooLong"
        case .notAnObject: "malformed"
        case .unknownRequest: "unknownRequest"
        case .unknownKey: "unknownKey"
        case .badValue: "badValue"
        }
    }

    /// One sentence that names the thing and the mend.
    public var message: String {
        switch self {
        case .tooLong: "a request is one line of at most \(ClientRequest.maximumLineBytes) bytes"
        case .notAnObject: "a request is a JSON object with the member \"request\", such as {\"request\":\"watch\"}"
        case .unknownRequest(let name): "\"\(name)\" is no request; use watch, unwatch, locate, flush, status or energy"
        case .unknownKey(let key): "\"\(key)\" is no member of this request"
        case .badValue(let key, let expected): "\"\(key)\" must be \(expected)"
        }
    }
}
