/// The kinds of lines that the daemon sends, by the value of their member `event`.
public enum EventName: String, Sendable, Hashable {
    // The connection.
    case hello, capabilities, pong, error
    // Positions.
    case watching, epoch, location, failed, paused, resumed, deferredFinished, flushed
    // Headings.
    case watchingHeading, heading, headingCalibration, calibrationDisplay
    // Authorization and sessions.
    case authorization, fullAccuracy, sessionDiagnostics, liveDiagnostics
    // Regions, visits and other registrations.
    case monitoring, monitoringFailed, regionEvent, regionState, registration, registrations, visit
    // The operator's view.
    case status, energy, client, clients, services, agent, answered, prompt, promptWithdrawn, stored, privacy, erased
    case trackPoint, history, pastVisit, visits, compass, watchingCompass, compassSample
}
