/// The services that outlive a connection; a client that was started again requests them again.
///
/// Raw values are stored, so they never change.
public enum MonitoredService: UInt8, Sendable, Hashable, CaseIterable {
    case significantChange = 1
    case regions = 2
    case visits = 3

    /// The service's name in requests and registrations, in the store, in logs, and among the capabilities.
    public var name: StaticString {
        switch self {
        case .significantChange: "significantChange"
        case .regions: "regions"
        case .visits: "visits"
        }
    }

    /// The services that are switched on or off, in their listed order; regions are registered one by one instead.
    public static var switched: [MonitoredService] { allCases.filter { $0 != .regions } }

    /// The switched service of this name; nil for another name.
    public init?(switched name: String) {
        guard let service = MonitoredService.switched.first(where: { $0.name.description == name }) else { return nil }
        self = service
    }
}

/// The kinds of lines that the daemon sends, by the value of their member `event`.
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
    // Regions, visits and other registrations.
    case monitoring, monitoringFailed, regionEvent, regionState, registration, registrations, visit, forget
    // Beacons.
    case ranging, rangingFailed, beacons, advertising, displayed, knownBeacon, knownBeacons, beaconKept, beaconForgotten
    // The operator's view.
    case status, energy, energyRow, energyHistory, client, clients, services, agent, answered, prompt, promptWithdrawn,
        stored, privacy, erased
    case region, regions, regionChanged, trackPoint, history, pastVisit, visits, compass, watchingCompass, compassSample
}

/// The codes of the daemon's errors, by the value of the member `code` in an `error`.
public enum ErrorCode: String, Sendable, Hashable {
    /// No manifest names the program, so it is not served.
    case noManifest
    /// The program's manifest requires hardware that the board does not have, so it is not served.
    case unmetRequirement
    /// Only an operator may ask this.
    case notOperator
    /// No client of the requested name has a manifest.
    case noSuchClient
    /// The change is in effect, but was not written to the card.
    case notStored
    /// Too many changes wait for the card, or the stored track is still being checked after the start.
    case storeBusy
    /// No track is kept, or it cannot be read.
    case noTrack
    /// The line is not a JSON object with a request.
    case malformed
    /// No request has this name.
    case unknownRequest
    /// The request has no member of this name.
    case unknownKey
    /// A member's value is wrong, or a member is missing.
    case badValue
    /// The line is longer than a request may be.
    case tooLong
    /// The connection or the client asks for too many things of one kind at once.
    case tooMany
    /// As many beacons are ranged or kept as can be.
    case limit
    /// Another connection of the client defers locations under the same label.
    case labelInUse
    /// The client may not know what it asks for.
    case denied
    /// No position came in the time given.
    case timeout
    /// The board does not have what the request needs, or it fails.
    case unavailable
    /// A later request took the place of this one.
    case superseded
    /// Nothing is kept about this beacon.
    case unknownBeacon
    /// Another beacon has this name.
    case nameTaken
    /// All places for connections are taken; sent instead of `hello`, and the connection is closed.
    case tooManyConnections
    /// The connection asked for nothing and is closed, because another one needs its place.
    case idle
}

/// The requests of clients, by the value of their member `request`.
public enum RequestName: String, Sendable, Hashable, CaseIterable {
    // Positions.
    case watch, change, unwatch, `defer`, undefer, flush, locate, locateOnce, release, status, energy, ping
    case energyHistory, watchStatus
    // Headings.
    case watchHeading, changeHeading, unwatchHeading, displayHeadingCalibration, dismissHeadingCalibration
    // The client's state, authorization and sessions.
    case state, authorize, authorizeFullAccuracy, holdSession, releaseSession, extendWake
    // Regions, visits and other registrations.
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
