internal import Foundation

/// What the daemon's lines mean to a manager, a loop over updates, a session or a monitor.
enum ClientEvent: Sendable {
    case authorization(Authorization)
    /// The locations of the watch or the request of this name, oldest first; `isDeferred` where they were held back.
    case locations([CLLocation], of: String, isDeferred: Bool)
    /// With why no location can be had, where the daemon says it.
    case failed(CLError.Code, of: String, reason: CLError.Reason? = nil)
    case paused(of: String, withoutFix: Bool)
    case resumed(of: String)
    case deferralFinished(CLError.Code?)
    case fullAccuracy(of: String, CLError.Code?)
    case heading(CLHeading, of: String)
    /// The user should be asked to turn the device about.
    case headingCalibrationWanted(of: String)
    case diagnostics(DiagnosticFlags, isActive: Bool)
    case significantChange(CLLocation, DeliveryTicket?)
    case visit(ReportedVisit, DeliveryTicket?)
    case regionCrossed(CLCircularRegion, isEntry: Bool, DeliveryTicket?)
    case monitoringStarted(CLCircularRegion)
    case monitoringFailed(CLRegion?, CLError.Code)
    case regionState(CLRegion, CLRegionState)
    case rangingFailed(CLBeaconIdentityConstraint)
    case oldRangingFailed(CLBeaconRegion)
    /// A condition of a monitor changed; the number is acknowledged when the program takes the event.
    case conditionChanged(DaemonLine)
    case conditionRefused(identifier: String, CLError.Code)
    /// A region or a condition of the client is watched no more: another may be.
    case roomMade
}

/// A receiver of events; `receive` returns at once, and does not call the program's code.
protocol EventSink: AnyObject, Sendable {
    func receive(_ event: ClientEvent)
    /// Whether everything received has been handed on; calls back once it has.
    func whenSettled(_ done: @escaping @Sendable () -> Void)
}

/// An event and who is to hear it.
struct Delivery: Sendable {
    var event: ClientEvent
    var sinks: [any EventSink]
}
