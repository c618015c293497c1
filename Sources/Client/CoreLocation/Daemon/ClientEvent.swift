internal import DaemonClient
internal import Foundation

/// An event from the daemon, as a manager, a loop over updates, a session or a monitor understands it.
enum ClientEvent: Sendable {
    case authorization(Authorization)
    /// The locations for the updates or the request with this name, oldest first; `isDeferred` if they were held back.
    case locations([CLLocation], of: String, isDeferred: Bool)
    /// A failure, with the daemon's reason why no location is available, if it gives one.
    case failed(CLError.Code, of: String, reason: CLError.Reason? = nil)
    case paused(of: String, withoutFix: Bool)
    case resumed(of: String)
    case deferralFinished(CLError.Code?)
    case fullAccuracy(of: String, CLError.Code?)
    case heading(CLHeading, of: String)
    /// The compass needs calibration: the user should be asked to turn the device about.
    case headingCalibrationWanted(of: String)
    case diagnostics(DiagnosticFlags, isActive: Bool)
    case significantChange(CLLocation, DeliveryTicket?)
    case visit(ReportedVisit, DeliveryTicket?)
    case regionCrossed(CLRegion, isEntry: Bool, DeliveryTicket?)
    case monitoringStarted(CLRegion)
    case monitoringFailed(CLRegion?, CLError)
    /// The answer to a request for a region's state, or, with a ticket, the event that the state became known.
    case regionState(CLRegion, CLRegionState, DeliveryTicket? = nil)
    /// The answer to the track request with this name: locations, oldest first, or an error.
    case history([CLLocation], of: String, CLError.Code?)
    case locationPushesRefused(of: String)
    /// The beacons that were received in the last second for the ranging request with this name, the nearest first.
    case beacons([CLBeacon], of: String)
    case rangingFailed(CLError.Code, of: String, reason: CLError.Reason?)
    /// A changed condition of a monitor; its number is acknowledged when the program takes the event.
    case conditionChanged(DaemonLine)
    case conditionRefused(identifier: String, DiagnosticFlags)
    /// The daemon may accept a condition that it refused earlier, for example because there is room now.
    case roomMade
}

/// An object that takes events; its `receive` returns at once and does not call the program's code.
protocol EventSink: AnyObject, Sendable {
    func receive(_ event: ClientEvent)
    /// Calls `done` once every received event has been handed on.
    func whenSettled(_ done: @escaping @Sendable () -> Void)
}

/// An event and the objects that take it.
struct Delivery: Sendable {
    var event: ClientEvent
    var sinks: [any EventSink]
}
