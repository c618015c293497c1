internal import ClientVocabulary
internal import DaemonClient
internal import Foundation

extension CLLocationManager {
    func monitorSignificantChanges() {
        let (client, core) = (client, core)
        askAtStart()
        client.update { state in
            guard state.services.insert(.significantChange).inserted else { return ((), []) }
            state.lastSignificantChange = nil
            state.send(ClientState.monitor(.significantChange, true))
            let failures = state.serviceFailure.map { [EventDelivery(event: $0, sinks: [core])] } ?? []
            return ((), state.retell(client) + failures)
        }
    }

    func endSignificantChanges() { client.update { ($0.order(.significantChange, false), []) } }

    func monitorVisits(_ isEnabled: Bool) {
        if isEnabled { askAtStart() }
        client.update { ($0.order(.visits, isEnabled), []) }
        if isEnabled, let failure = client.read({ $0.serviceFailure }) { core.receive(failure) }
    }

    /// Delivers the events that no delegate took to the delegate that has been set.
    func tellWhatWasKept() {
        let client = client
        guard delegate != nil, client.read({ !$0.numbered.kept.isEmpty }) else { return }
        client.update { state in ((), state.retell(client)) }
    }
}

extension ClientState {
    /// The request that switches a service on or off for the whole program; the request's id is the service's name.
    static func monitor(_ service: MonitoredService, _ isEnabled: Bool) -> DaemonRequest {
        let name = service.name.description
        return DaemonRequest(.monitor).with(.id, name).with(.service, name).with(.enabled, isEnabled)
    }

    /// Switches a service on or off for the program, by a request that is kept until the daemon has read it.
    mutating func order(_ service: MonitoredService, _ isEnabled: Bool) {
        if isEnabled { services.insert(service) } else { services.remove(service) }
        if !order(Self.monitor(service, isEnabled)) { complainOfOrders() }
    }

    /// Prints a warning that a request was dropped, because the daemon reads nothing and 256 KiB of requests wait
    /// already.
    mutating func complainOfOrders() {
        handOver.effects.append {
            Complaint.print("sextantd has read nothing for long; an order had no room. See that it runs.")
        }
    }
}
