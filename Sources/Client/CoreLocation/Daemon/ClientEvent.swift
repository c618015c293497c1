internal import DaemonClient
internal import Foundation

/// An event from the daemon, as a manager, a loop over updates, a session or a monitor understands it.
enum ClientEvent: Sendable {
    case authorization(Authorization)
    /// The locations of the watch or request with this name, oldest first; `isDeferred` where they were held back.
    case locations([CLLocation], of: String, isDeferred: Bool)
    /// A failure, with the reason why no location can be had where the daemon gives one.
    case failed(CLError.Code, of: String, reason: CLError.Reason? = nil)
    case paused(of: String, withoutFix: Bool)
    case resumed(of: String)
    case deferralFinished(CLError.Code?)
    case fullAccuracy(of: String, CLError.Code?)
    case heading(CLHeading, of: String)
    /// A wish that the user be asked to turn the device about, to calibrate the compass.
    case headingCalibrationWanted(of: String)
    case diagnostics(DiagnosticFlags, isActive: Bool)
    case significantChange(CLLocation, DeliveryTicket?)
    case visit(ReportedVisit, DeliveryTicket?)
    case regionCrossed(CLRegion, isEntry: Bool, DeliveryTicket?)
    case monitoringStarted(CLRegion)
    case monitoringFailed(CLRegion?, CLError)
    /// The answer to a question about a region's state, or with a ticket the news that the state became known.
    case regionState(CLRegion, CLRegionState, DeliveryTicket? = nil)
    /// The answer to a question about the track with this name: locations, oldest first, or an error.
    case history([CLLocation], of: String, CLError.Code?)
    case locationPushesRefused(of: String)
    /// The beacons that the ranging with this name heard in the last second, the nearest first.
    case beacons([CLBeacon], of: String)
    case rangingFailed(CLError.Code, of: String, reason: CLError.Reason?)
    /// A changed condition of a monitor; its number is acknowledged when the program takes the event.
    case conditionChanged(DaemonLine)
    case conditionRefused(identifier: String, DiagnosticFlags)
    /// Room for another region or condition: the daemon watches one fewer of this client.
    case roomMade
}

/// A receiver of events, whose `receive` returns at once and does not call the program's code.
protocol EventSink: AnyObject, Sendable {
    func receive(_ event: ClientEvent)
    /// Calls `done` once every received event has been handed on.
    func whenSettled(_ done: @escaping @Sendable () -> Void)
}

/// An event and its receivers.
struct Delivery: Sendable {
    var event: ClientEvent
    var sinks: [any EventSink]
}
