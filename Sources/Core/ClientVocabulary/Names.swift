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
