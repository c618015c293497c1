/// The requests of clients, by the value of their member `request`.
public enum RequestName: String, Sendable, Hashable, CaseIterable {
    // Positions.
    case watch, change, unwatch, `defer`, undefer, flush, locate, locateOnce, release, status, energy, ping
    // Headings.
    case watchHeading, changeHeading, unwatchHeading, displayHeadingCalibration, dismissHeadingCalibration
    // The client's state, authorization and sessions.
    case state, authorize, authorizeFullAccuracy, holdSession, releaseSession, extendWake
    // Regions, visits and other registrations.
    case monitorSignificantChange, monitorVisits, monitorRegion, unmonitorRegion, regionState, registrations
    case acknowledge
    // The operator's.
    case clients, answer, services, agent, privacy, erase, history, eraseHistory, visits, eraseVisits
    case compassStatus, watchCompass, setCompassCalibration, eraseCompassCalibration
}
