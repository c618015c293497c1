internal import DaemonClient
internal import Foundation

/// An event made from a line of the daemon, for a manager, a loop over updates, a session or a `CLMonitor`.
enum ClientEvent: Sendable {
    case authorization(Authorization)
    /// Locations, oldest first, for the updates or the one-location request with this name; `isDeferred` for deferred
    /// updates.
    case locations([CLLocation], of: String, isDeferred: Bool)
    /// A failed request, by its name, with the reason that the daemon gave, if any.
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
    /// The answer to a request for a region's state; with a delivery ticket, the event that the state became known.
    case regionState(CLRegion, CLRegionState, DeliveryTicket? = nil)
    /// The answer to a request for points of the board's recorded track: locations, oldest first, or an error.
    case history([CLLocation], of: String, CLError.Code?)
    case locationPushesRefused(of: String)
    /// The beacons received in the last second, the nearest first, for the ranging request with this name.
    case beacons([CLBeacon], of: String)
    case rangingFailed(CLError.Code, of: String, reason: CLError.Reason?)
    /// A condition of a `CLMonitor` changed; the event is acknowledged to the daemon when the program takes it.
    case conditionChanged(DaemonLine)
    case conditionRefused(identifier: String, DiagnosticFlags)
    /// The daemon may accept a `CLMonitor` condition that it refused earlier, for example because there is room for it
    /// now.
    case roomMade
}

/// An object that takes events from the daemon; its `receive` returns at once and calls none of the program's code.
protocol EventSink: AnyObject, Sendable {
    func receive(_ event: ClientEvent)
    /// Calls `done` once every event received so far has been delivered to the program.
    func whenSettled(_ done: @escaping @Sendable () -> Void)
}

/// An event and the objects to which it goes.
struct EventDelivery: Sendable {
    var event: ClientEvent
    var sinks: [any EventSink]
}
