public import ClientVocabulary
public import GNSS
public import SextantUnits

/// A consequence of monitoring that the outbox carries out.
public enum MonitoringEffect {
    /// Deliver an event; where `isWanted` is false, only if its client is connected.
    case post(PendingEvent.Kind, for: String, isWanted: Bool = true)
    /// Do what the client's manifest says for an event of its region: start a unit, tell the client.
    case cross(PendingEvent.RegionTransition, of: String)
    /// Forget undelivered events of a service: of one region, or all.
    case withdraw(MonitoredService, RegionKey? = nil, of: String)
    /// Tell a client that runs that the events of its regions are delayed, with Core Location's error code.
    case delayed(errorCode: Int, of: String)
    /// Let a connection have the events of a service.
    ///
    /// `known` is the location that it is told where it asks for the first time and no event waits.
    case want(MonitoredService, on: ClientID, known: (fix: Fix, since: MonotonicInstant)? = nil)
}
