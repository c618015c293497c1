internal import ClientVocabulary
internal import DaemonClient
internal import Foundation

/// An event made from a line (one JSON object) of the daemon, for a manager, a loop over updates, a session or a
/// `CLMonitor`.
enum ClientEvent: Sendable {
    case authorization(Authorization)
    /// Locations, oldest first, for a request for updates or for one location; `of` is the request's name, and
    /// `isDeferred` is true if the daemon held them back.
    case locations([CLLocation], of: String, isDeferred: Bool)
    /// A request failed: `of` is its name, and `reason` is what the daemon gave as the reason, if anything.
    case failed(CLError.Code, of: String, reason: CLError.Reason? = nil)
    case paused(of: String, withoutFix: Bool)
    case resumed(of: String)
    case deferralFinished(CLError.Code?)
    case fullAccuracy(of: String, CLError.Code?)
    case heading(CLHeading, of: String)
    /// The compass needs calibration: the user should be asked to turn the device about.
    case headingCalibrationWanted(of: String)
    case diagnostics(SessionDiagnostics, isActive: Bool)
    case significantChange(CLLocation, DeliveryTicket?)
    case visit(ReportedVisit, DeliveryTicket?)
    case regionCrossed(CLRegion, isEntry: Bool, DeliveryTicket?)
    case monitoringStarted(CLRegion)
    case monitoringFailed(CLRegion?, CLError)
    /// The state of a region: with a delivery ticket, an event that the daemon sent when the state became known;
    /// without a ticket, the daemon's answer to a request for the state.
    case regionState(CLRegion, CLRegionState, DeliveryTicket? = nil)
    /// The answer to a request for points of the board's recorded track: locations, oldest first, or an error.
    case history([CLLocation], of: String, CLError.Code?)
    case locationPushesRefused(of: String)
    /// The beacons received in the last second, the nearest first, for the ranging request with this name.
    case beacons([CLBeacon], of: String)
    case rangingFailed(CLError.Code, of: String, reason: CLError.Reason?)
    /// A condition of a `CLMonitor` changed; the event is acknowledged to the daemon when the program takes it.
    case conditionChanged(DaemonLine)
    case conditionRefused(identifier: String, SessionDiagnostics)
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

struct EventDelivery: Sendable {
    var event: ClientEvent
    var sinks: [any EventSink]
}
