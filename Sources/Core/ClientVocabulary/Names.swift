/// The services that go on after a client's connection has ended; a client requests them anew each time it is started.
///
/// Raw values are stored, so they never change.
public enum MonitoredService: UInt8, Sendable, Hashable, CaseIterable {
    case significantChange = 1
    case regions = 2
    case visits = 3

    /// The service's name in requests and registrations, in the database, in logs, and among the capabilities.
    public var name: StaticString {
        switch self {
        case .significantChange: "significantChange"
        case .regions: "regions"
        case .visits: "visits"
        }
    }

    /// The services that a client switches on or off as a whole; regions are not among them, because each is registered
    /// by itself.
    public static var switched: [MonitoredService] { allCases.filter { $0 != .regions } }

    /// The service with this name, if clients can switch it on or off as a whole; nil for any other name.
    public init?(switched name: String) {
        guard let service = MonitoredService.switched.first(where: { $0.name.description == name }) else { return nil }
        self = service
    }
}

/// The kinds of lines (JSON objects) that the daemon sends; the raw value is the value of the line's member `event`.
public enum EventName: String, Sendable, Hashable {
    // The host.
    case hostWillSleep, hostStaysAwake, keepHostAwake, allowHostSleep, tryHostSleep
    // The connection.
    case hello, capabilities, pong, error
    // Positions.
    case watching, epoch, location, failed, paused, resumed, deferredFinished, flushed
    // Headings.
    case watchingHeading, heading, headingCalibration, calibrationDisplay
    // Authorization and sessions.
    case authorization, fullAccuracy, sessionDiagnostics, liveDiagnostics
    // Events about regions, visits and other registrations.
    case monitoring, monitoringFailed, regionEvent, regionState, registration, registrations, visit, forget
    // Beacons.
    case ranging, rangingFailed, beacons, advertising, displayed, knownBeacon, knownBeacons, beaconKept, beaconForgotten
    // The operator's view.
    case status, energy, energyRow, energyHistory, client, clients, services, agent, answered, prompt, promptWithdrawn,
        stored, privacy, erased
    case region, regions, regionChanged, trackPoint, history, pastVisit, visits, compass, watchingCompass, compassSample
}

/// Why a client gets no positions, headings, regions or beacons; the raw value is the value of the member `errorCode`.
///
/// Source: Core Location, `CLError.Code`, of which these are the codes that the daemon sends.
public enum FailureCode: Int, Sendable, Hashable, Comparable, CaseIterable {
    case locationUnknown = 0
    case denied = 1
    case headingFailure = 3
    case regionMonitoringDenied = 4
    case regionMonitoringFailure = 5
    /// Monitoring of a region begins late, because no position comes.
    case regionMonitoringSetupDelayed = 6
    /// The events of a region come late.
    case regionMonitoringResponseDelayed = 7
    case deferredFailed = 11
    case deferredNotUpdatingLocation = 12
    case deferredAccuracyTooLow = 13
    case deferredDistanceFiltered = 14
    case deferredCanceled = 15
    case rangingUnavailable = 16
    case rangingFailure = 17
    /// The user was not shown the question whether to grant the client full accuracy.
    case promptDeclined = 18

    public static func < (left: FailureCode, right: FailureCode) -> Bool { left.rawValue < right.rawValue }
}

/// What a region's event tells; the raw value is the value of the member `transition`.
public enum TransitionName: String, Sendable, Hashable, CaseIterable {
    case exit, enter
    /// The board stayed in the region for the region's dwell time.
    case dwell
    /// It became known, or unknown, whether the board is inside the region, without a crossing of the border.
    case determined

    /// The transition's number in the digests of recordings, which therefore never changes.
    public var number: UInt8 {
        switch self {
        case .exit: 0
        case .enter: 1
        case .dwell: 2
        case .determined: 3
        }
    }
}

/// Whether the board is inside a region; the raw value is the value of the member `state`.
public enum RegionStateName: String, Sendable, Hashable {
    case unknown, inside, outside

    /// - Parameter isInside: Nil if that is not known.
    public init(isInside: Bool?) {
        self = isInside.map { $0 ? .inside : .outside } ?? .unknown
    }
}

/// The state that a client assumes at first for a condition of a `CLMonitor`; the raw value is the value of the member
/// `assumed`.
public enum AssumedState: String, Sendable, Hashable, CaseIterable {
    case satisfied, unsatisfied
}

/// How near a beacon is; the raw value is the value of the member `proximity`.
public enum ProximityName: String, Sendable, Hashable {
    case unknown, immediate, near, far
}

/// Why a client gets no position, or a region is not or not well monitored; the raw value is the value of the member
/// `reason` beside a `FailureCode`.
public enum FailureReason: String, Sendable, Hashable {
    /// The GNSS receiver searches for satellites and finds none.
    case noSky
    /// The GNSS receiver does not answer, or its serial port is gone.
    case receiverUnreachable
    /// The client's manifest has no purpose text, so the user cannot be asked for authorization.
    case noPurpose
    /// The client's authorization is not determined, and nobody was asked for it.
    case notAsked
    /// Nobody answered the request to authorize the client.
    case noAnswer
    /// An operator has forbidden the daemon to start the client and to send it events.
    case wakeOff
    /// The client has as many regions as it may have.
    case limit
    /// The region's radius is 0, or larger than the largest radius that can be monitored.
    case impossible
    /// The region's radius is smaller than the error of the positions, so crossings of its border come late.
    case smallRadius
    /// The board has no Bluetooth radio that can receive beacons.
    case noRadio
}

/// How a device is held; the cases have Core Location's names, and the raw value is the value of the member
/// `orientation`.
public enum DeviceOrientation: String, Sendable, Hashable, CaseIterable {
    case unknown
    case portrait
    case portraitUpsideDown
    case landscapeLeft
    case landscapeRight
    case faceUp
    case faceDown
}

/// The codes of the daemon's errors; the raw value is the value of the member `code` in an `error` event.
public enum ErrorCode: String, Sendable, Hashable {
    /// No manifest names the program, so it is not served.
    case noManifest
    /// The program's manifest requires hardware that the board does not have, so it is not served.
    case unmetRequirement
    /// Only an operator may make this request.
    case notOperator
    /// No client of the requested name has a manifest.
    case noSuchClient
    /// The requested change is in effect, but it was not written to the SD card.
    case notStored
    /// Too many changes wait to be written to the SD card, or the stored track is still being checked after the
    /// daemon's start.
    case storeBusy
    /// The daemon keeps no track (record of locations), or cannot read it.
    case noTrack
    /// The received line is not a JSON object with the member `request`.
    case malformed
    /// No request has this name.
    case unknownRequest
    /// The request has a member that requests of its kind do not have.
    case unknownKey
    /// A member of the request has a wrong value, or is missing.
    case badValue
    /// The received line exceeds the largest length of a request line.
    case tooLong
    /// The connection or the client has more requests of one kind at once than are allowed.
    case tooMany
    /// The number of beacons that can be ranged, or stored with a name, would exceed its limit.
    case limit
    /// Another connection of the client defers locations under this `label`, the name under which the daemon keeps
    /// them.
    case labelInUse
    /// The client is not allowed to know what it requests.
    case denied
    /// No position came within the time that the request allowed.
    case timeout
    /// The board lacks the hardware or service that the request needs, or this hardware or service fails.
    case unavailable
    /// A later request of the client has replaced this one.
    case superseded
    /// The daemon has stored neither a name nor a calibration for this beacon.
    case unknownBeacon
    /// Another beacon has this name.
    case nameTaken
    /// The largest number of connections is reached; the error is sent instead of `hello`, and the connection is
    /// closed.
    case tooManyConnections
    /// The connection has made no request and is closed to make room for another one.
    case idle
}

/// The kinds of requests that clients make; the raw value is the value of the member `request`.
public enum RequestName: String, Sendable, Hashable, CaseIterable {
    // Positions.
    case watch, change, unwatch, `defer`, undefer, flush, locate, locateOnce, release, status, energy, ping
    case energyHistory, watchStatus
    // Headings.
    case watchHeading, changeHeading, unwatchHeading, displayHeadingCalibration, dismissHeadingCalibration
    // Requests about the client's state, authorization and sessions.
    case state, authorize, authorizeFullAccuracy, holdSession, releaseSession, extendWake
    // Requests about regions, visits and other registrations.
    case monitor, monitorSignificantChange, monitorVisits, monitorRegion, unmonitorRegion, regionState, registrations
    case acknowledge
    // The host.
    case holdHost, keepHostAwake, allowHostSleep, tryHostSleep
    // Beacons.
    case rangeBeacons, stopRangingBeacons
    // The operator's.
    case clients, answer, services, agent, privacy, erase, history, eraseHistory, visits, eraseVisits, regions
    case advertise, stopAdvertising, display, knownBeacons, keepBeacon, forgetBeacon, setBeaconGain
    case compassStatus, watchCompass, setCompassCalibration, eraseCompassCalibration
}
