public import ClientVocabulary
public import GNSS
public import SextantUnits

/// What monitoring of regions, visits and significant changes makes the outbox (which keeps and delivers events) do.
public enum MonitoringEffect {
    /// Deliver an event to a client; if `isWanted` is false, only while the client is connected.
    case post(PendingEvent.Kind, for: String, isWanted: Bool = true)
    /// Do what the client's manifest says for an event of its region: start a systemd unit, or send the client the
    /// event.
    case cross(PendingEvent.RegionTransition, of: String)
    /// Forget a client's undelivered events of a service; where a region is given, only those of the region.
    case withdraw(MonitoredService, RegionKey? = nil, of: String)
    /// Tell a connected client, with Core Location's error code, that the events of its regions are delayed.
    case delayed(errorCode: FailureCode, of: String)
    /// Send a service's events to this connection of the client from now on.
    ///
    /// `known` is the location to send at once, if this is the connection's first request for the service and no event
    /// waits for the client.
    case want(MonitoredService, on: ClientID, known: (fix: Fix, since: MonotonicInstant)? = nil)
}
