public import Beacons
public import ClientVocabulary
public import Power

/// A decoded request of a client of the local socket.
public struct ClientRequest: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// Send every navigation epoch from now on, with or without its satellites.
        case watch(satellites: Bool)
        /// Send the epochs that other requests bring, at most one in `minimumInterval` seconds; nil sends each.
        case watchPassively(satellites: Bool, minimumInterval: Double? = nil)
        /// Report locations as the settings ask; deferred locations are held under the label.
        case watchLocations(LocationSettings, WatchOptions = WatchOptions(), label: String)
        /// Change the settings of the session's reports; a pause and a deferral go on.
        case change(LocationSettings, WatchOptions)
        case `defer`(Deferral, onlyInBackground: Bool)
        case undefer
        case unwatch
        /// Report one position; the daemon sets the deadline.
        case locateOnce(DesiredAccuracy)
        /// End the session with all that it asked for.
        case release
        /// The client says whether it is in the foreground.
        case state(isForeground: Bool)
        /// Ask the user for authorization; `purpose` is the program's own text, shown beside its manifest's text.
        ///
        /// The start of a service makes an implicit request, as before iOS 8; a manifest can keep it from asking the
        /// user.
        case authorize(always: Bool, purpose: String? = nil, isImplicit: Bool = false)
        case authorizeFullAccuracy(purposeKey: String)
        case holdSession(number: UInt32, SessionGoal)
        case releaseSession(number: UInt32)
        case monitoring(MonitoringRequest)
        case regionState(identifier: String, RegionRequest?)
        /// Report once a second which of these beacons are near; nil for all beacons, for operators only.
        case rangeBeacons(BeaconConstraint?)
        case stopRangingBeacons(BeaconConstraint?)
        /// The client has received the event with this number.
        case acknowledge(number: UInt64)
        case extendWake(seconds: Double)
        /// Keep the host awake for this many seconds more before it sleeps.
        case holdHost(seconds: Double)
        /// Report headings to the session from now on.
        case watchHeading(HeadingSettings)
        /// Change the settings of the session's headings, from the next heading on.
        case changeHeading(HeadingSettings)
        case unwatchHeading
        /// Ask the user to turn the device about.
        case displayHeadingCalibration
        case dismissHeadingCalibration
        case ping
        /// Deliver now the reports that were deferred so far.
        case flush
        /// Report one position: the next, or the next with the given accuracy in metres.
        ///
        /// After `timeoutSeconds` the best position so far is reported, or an error.
        case locate(timeoutSeconds: Double, accuracy: Double? = nil)
        case status
        /// Send the status whenever no positions come, and when the reason changes.
        case watchStatus(isEnabled: Bool)
        case energy
        case energyHistory(EnergyLedger.HistoryWindow)
        case `operator`(OperatorRequest)
    }

    public var kind: Kind
    /// The client's identifier for the request, which the answers repeat.
    public var id: String?
    /// The number of the client's session that the request is for.
    public var session: UInt8

    public init(_ kind: Kind, id: String? = nil, session: UInt8 = 0) {
        self.kind = kind
        self.id = id
        self.session = session
    }

    /// The largest number of sessions that one connection can have.
    public static let maximumSessions = 64
    /// The largest length of a region's identifier or a monitor's name, in UTF-8 bytes.
    public static let maximumIdentifierBytes = 256
    /// The largest length of the purpose text that a program can state for a question to the user, in UTF-8 bytes.
    public static let maximumPurposeBytes = 512
    /// The largest radius of a region, in metres.
    public static let maximumRadius = 1_000_000.0
    /// The largest number of ranging requests that one connection can have.
    public static let maximumRangings = 64
    /// The range of a region's `dwell`, in seconds.
    public static let dwellRange: ClosedRange<Double> = 1...31_536_000
    /// The range of `seconds` in a request for more time to run after a start for an event.
    public static let wakeRange: ClosedRange<Double> = 1...30
    /// The range of `seconds` in a request that puts off a sleep of the host.
    public static let hostHoldRange: ClosedRange<Double> = 1...60

    /// The largest length of a request line, in bytes, with its line end.
    public static let maximumLineBytes = 65_536
    /// The largest length of a request line from a process without a manifest, in bytes.
    public static let maximumStrangersLineBytes = 1024
    /// The largest length of a request's id, in UTF-8 bytes.
    public static let maximumIDBytes = 64
    /// The range of `timeoutSeconds`, and its default; seconds.
    public static let timeoutRange: ClosedRange<Double> = 0.1...86_400
    public static let defaultTimeout = 60.0
    /// The range of `accuracy` if it is a number; metres.
    public static let accuracyRange: ClosedRange<Double> = 1...100_000
    /// The range of `distanceFilter` and of a deferral's `distance`; metres.
    public static let distanceRange: ClosedRange<Double> = 0...40_000_000
    /// The range of `minimumInterval` and of a deferral's `timeout`; seconds.
    public static let intervalRange: ClosedRange<Double> = 0...31_536_000
    /// The largest length of the label of deferred reports, in UTF-8 bytes.
    public static let maximumLabelBytes = 64
}

extension ClientRequest.Kind {
    /// Whether the request is served without a manifest, because its answer does not reveal where the board is.
    public var needsNoManifest: Bool {
        switch self {
        case .status, .energy, .energyHistory, .ping, .operator: true
        default: false
        }
    }
}

/// A refused request line, with the request's id if it could be read.
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

    /// The member `code` of the error event.
    public var code: ErrorCode {
        switch self {
        case .tooLong: .tooLong
        case .notAnObject: .malformed
        case .unknownRequest: .unknownRequest
        case .unknownKey: .unknownKey
        case .badValue, .missing: .badValue
        }
    }

    /// A readable sentence that says what is wrong and how to correct it.
    public var message: String {
        switch self {
        case .tooLong: "a request is one line of at most \(ClientRequest.maximumLineBytes) bytes"
        case .notAnObject: "a request is a JSON object with the member \"request\", such as {\"request\":\"watch\"}"
        case .unknownRequest(let name):
            "\"\(name)\" is not a request; some requests are watch, unwatch, locate and status"
        case .unknownKey(let key): "\"\(key)\" is not a member of this request"
        case .badValue(let key, let expected): "\"\(key)\" must be \(expected)"
        case .missing(let key): "\"\(key)\" is missing from this request"
        }
    }
}
