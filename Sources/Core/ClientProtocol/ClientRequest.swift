public import Power

/// What a client of the local socket asks, after its line was decoded.
public struct ClientRequest: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// Every epoch from now on, with or without its satellites.
        case watch(satellites: Bool)
        /// Reports of where the board is, as often and as accurate as the settings ask; deferred ones are kept under
        /// the label.
        case watchLocations(LocationSettings, WatchOptions = WatchOptions(), label: String)
        /// Other settings for the session's reports; a pause and a deferral go on.
        case change(LocationSettings, WatchOptions)
        case `defer`(Deferral, onlyInBackground: Bool)
        case undefer
        case unwatch
        /// One position by a deadline of the daemon's own.
        case locateOnce(DesiredAccuracy)
        /// The session ends with all that it asked for.
        case release
        /// Whether the client is in the foreground.
        case state(isForeground: Bool)
        case authorize(always: Bool)
        case authorizeFullAccuracy(purposeKey: String)
        case holdSession(number: UInt32, SessionGoal)
        case releaseSession(number: UInt32)
        case monitorSignificantChange(Bool)
        case monitorVisits(Bool)
        case monitorRegion(RegionRequest)
        case unmonitorRegion(identifier: String, monitor: String?)
        case regionState(identifier: String, RegionRequest?)
        case registrations
        /// The event of that number was taken.
        case acknowledge(number: UInt64)
        case extendWake(seconds: Double)
        /// Headings of the session from now on.
        case watchHeading(HeadingSettings)
        /// Other settings for the session's headings, from the next on.
        case changeHeading(HeadingSettings)
        case unwatchHeading
        /// The user is to be asked to turn the device about.
        case displayHeadingCalibration
        case dismissHeadingCalibration
        case ping
        /// The deferred reports so far, now.
        case flush
        /// One position: the next one, or, where an accuracy in metres is given, the next that has it; after
        /// `timeoutSeconds` the best so far, or an error.
        case locate(timeoutSeconds: Double, accuracy: Double? = nil)
        case status
        case energy
        case `operator`(OperatorRequest)
    }

    public var kind: Kind
    /// What the client calls the request; its answers carry it back.
    public var id: String?
    /// Which of the client's sessions asks.
    public var session: UInt8

    public init(_ kind: Kind, id: String? = nil, session: UInt8 = 0) {
        self.kind = kind
        self.id = id
        self.session = session
    }

    /// Sessions that one connection may have.
    public static let maximumSessions = 64
    /// The longest identifier of a region, or name of a monitor, in UTF-8 bytes.
    public static let maximumIdentifierBytes = 256
    /// Metres; the largest radius that is monitored.
    public static let maximumRadius = 1_000_000.0
    /// Seconds; the range of a region's `dwell`.
    public static let dwellRange: ClosedRange<Double> = 1...31_536_000
    /// Seconds by which a client may ask to stay awake.
    public static let wakeRange: ClosedRange<Double> = 1...30

    /// The longest request line, in bytes with its line end.
    public static let maximumLineBytes = 65_536
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

extension ClientRequest.Kind {
    /// Whether it is answered to everybody: it tells nothing of where the board is.
    public var needsNoManifest: Bool {
        switch self {
        case .status, .energy, .ping, .operator: true
        default: false
        }
    }
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
    case missing(key: String)

    /// The `code` of the error event.
    public var code: StaticString {
        switch self {
        case .tooLong: "tooLong"
        case .notAnObject: "malformed"
        case .unknownRequest: "unknownRequest"
        case .unknownKey: "unknownKey"
        case .badValue, .missing: "badValue"
        }
    }

    /// One sentence that names the thing and the mend.
    public var message: String {
        switch self {
        case .tooLong: "a request is one line of at most \(ClientRequest.maximumLineBytes) bytes"
        case .notAnObject: "a request is a JSON object with the member \"request\", such as {\"request\":\"watch\"}"
        case .unknownRequest(let name):
            "\"\(name)\" is no request; watch, unwatch, locate and status are some of those that are"
        case .unknownKey(let key): "\"\(key)\" is no member of this request"
        case .badValue(let key, let expected): "\"\(key)\" must be \(expected)"
        case .missing(let key): "\"\(key)\" is missing from this request"
        }
    }
}
