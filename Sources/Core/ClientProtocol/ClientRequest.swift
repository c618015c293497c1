public import Beacons
public import ClientVocabulary
public import Power

/// A decoded request from a client of the daemon's local socket.
public struct ClientRequest: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// Send every navigation epoch from now on; `satellites` tells whether an epoch includes the satellites in
        /// view.
        case watch(satellites: Bool)
        /// Send only the epochs that the GNSS receiver gives because of other requests, at least `minimumInterval`
        /// seconds apart; nil sends each of them.
        case watchPassively(satellites: Bool, minimumInterval: Double? = nil)
        /// Report locations by these settings; `label` is the name under which the daemon keeps deferred locations.
        case watchLocations(LocationSettings, WatchOptions = WatchOptions(), label: String)
        /// Change the settings of the session's location reports; a pause or a deferral of the reports continues.
        case change(LocationSettings, WatchOptions)
        case `defer`(Deferral, onlyInBackground: Bool)
        case undefer
        case unwatch
        /// Report one position; the daemon decides how long it waits for a position of the desired accuracy.
        case locateOnce(DesiredAccuracy)
        /// End the session, and with it everything that the session requested.
        case release
        /// The client says whether it is in the foreground.
        case state(isForeground: Bool)
        /// Ask the user to authorize the client; `purpose` is the program's own text, shown beside the text of the
        /// client's manifest.
        ///
        /// The request is implicit if the program only started a service and did not ask for authorization, as was
        /// usual before iOS 8; the manifest can forbid that an implicit request asks the user.
        case authorize(always: Bool, purpose: String? = nil, isImplicit: Bool = false)
        case authorizeFullAccuracy(purposeKey: String)
        case holdSession(number: UInt32, SessionGoal)
        case releaseSession(number: UInt32)
        case monitoring(MonitoringRequest)
        case regionState(identifier: String, RegionRequest?)
        /// Report once per second the near beacons that match the constraint; nil, which only operators may use,
        /// matches all beacons.
        case rangeBeacons(BeaconConstraint?)
        case stopRangingBeacons(BeaconConstraint?)
        /// The client has received the event with this number.
        case acknowledge(number: UInt64)
        case extendWake(seconds: Double)
        /// Put off a sleep of the host, which the daemon has announced, by this many seconds.
        case holdHost(seconds: Double)
        /// Report headings to the session from now on.
        case watchHeading(HeadingSettings)
        /// Change the settings of the session's headings; they apply from the next measured heading.
        case changeHeading(HeadingSettings)
        case unwatchHeading
        /// Ask the user to turn the device about, so that the compass is calibrated.
        case displayHeadingCalibration
        case dismissHeadingCalibration
        case ping
        /// Deliver at once the locations that have been held back by a deferral.
        case flush
        /// Report one position: the next one with at least the given accuracy in metres; without `accuracy`, simply the
        /// next one.
        ///
        /// After `timeoutSeconds` without such a position, the best position so far is reported or, if there is none,
        /// an error.
        case locate(timeoutSeconds: Double, accuracy: Double? = nil)
        case status
        /// Send the status when positions stop coming, and whenever the reason for their absence changes.
        case watchStatus(isEnabled: Bool)
        case energy
        case energyHistory(EnergyLedger.HistoryWindow)
        case `operator`(OperatorRequest)
    }

    public var kind: Kind
    /// The identifier that the client gave the request; the answers repeat it.
    public var id: String?
    /// The number of the client's session to which the request belongs.
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
    /// The largest length of the text in which a program says what it uses locations for, in UTF-8 bytes.
    public static let maximumPurposeBytes = 512
    /// The largest radius of a region, in metres.
    public static let maximumRadius = 1_000_000.0
    /// The largest number of beacon ranging requests that one connection can have.
    public static let maximumRangings = 64
    /// The accepted values of a region's member `dwell`: the seconds of a stay inside after which a dwell event is
    /// sent.
    public static let dwellRange: ClosedRange<Double> = 1...31_536_000
    /// The accepted values of the member `seconds` by which a client that was started for an event asks for more time
    /// to run.
    public static let wakeRange: ClosedRange<Double> = 1...30
    /// The accepted values of the member `seconds` by which a client puts off a sleep of the host.
    public static let hostHoldRange: ClosedRange<Double> = 1...60

    /// The largest length of a request line in bytes, the line end included.
    public static let maximumLineBytes = 65_536
    /// The largest length, in bytes, of a request line from a process without a manifest.
    public static let maximumStrangersLineBytes = 1024
    /// The largest length of a request's id, in UTF-8 bytes.
    public static let maximumIDBytes = 64
    /// The accepted values of the `locate` request's `timeoutSeconds`, in seconds; `defaultTimeout` is used if a
    /// request has no such member.
    public static let timeoutRange: ClosedRange<Double> = 0.1...86_400
    public static let defaultTimeout = 60.0
    /// The accepted values of a request's member `accuracy`, if it is a number; metres.
    public static let accuracyRange: ClosedRange<Double> = 1...100_000
    /// The accepted values of a request's `distanceFilter` and of a deferral's `distance`; metres.
    public static let distanceRange: ClosedRange<Double> = 0...40_000_000
    /// The accepted values of a request's `minimumInterval` and of a deferral's `timeout`; seconds.
    public static let intervalRange: ClosedRange<Double> = 0...31_536_000
    /// The largest length, in UTF-8 bytes, of the name under which the daemon keeps deferred locations.
    public static let maximumLabelBytes = 64
}

extension ClientRequest.Kind {
    /// Whether the request is served even for a client without a manifest; it is if the answer does not reveal where
    /// the board is.
    public var needsNoManifest: Bool {
        switch self {
        case .status, .energy, .energyHistory, .ping, .operator: true
        default: false
        }
    }
}

/// The refusal of a request line; it has the request's id, if the id could be read.
public struct RefusedRequest: Error, Sendable, Equatable {
    public var problem: ClientRequestError
    public var id: String?

    public init(_ problem: ClientRequestError, id: String? = nil) {
        self.problem = problem
        self.id = id
    }

    public static let tooLong = RefusedRequest(.tooLong)
}

/// The reason why a request line was refused.
public enum ClientRequestError: Error, Sendable, Equatable {
    case tooLong
    case notAnObject
    case unknownRequest(String)
    case unknownKey(String)
    case badValue(key: String, expected: String)
    case missing(key: String)

    /// The value of the member `code` in the error event for this reason.
    public var code: ErrorCode {
        switch self {
        case .tooLong: .tooLong
        case .notAnObject: .malformed
        case .unknownRequest: .unknownRequest
        case .unknownKey: .unknownKey
        case .badValue, .missing: .badValue
        }
    }

    /// A sentence for people that tells what is wrong with the request and what would be right.
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
