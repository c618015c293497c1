internal import ClientVocabulary
internal import DaemonClient
internal import Foundation

extension CLLocationManager {
    func monitorSignificantChanges() {
        let (client, core) = (client, core)
        askAtStart()
        client.update { state in
            guard !state.isMonitoringSignificantChange else { return ((), []) }
            state.isMonitoringSignificantChange = true
            state.lastSignificantChange = nil
            state.send(ClientState.monitorSignificantChange(true))
            let failures = state.serviceFailure.map { [Delivery(event: $0, sinks: [core])] } ?? []
            return ((), state.retell(client) + failures)
        }
    }

    func endSignificantChanges() {
        order(ClientState.monitorSignificantChange(false)) {
            $0.isMonitoringSignificantChange = false
        }
    }

    func monitorVisits(_ isEnabled: Bool) {
        if isEnabled { askAtStart() }
        order(ClientState.monitorVisits(isEnabled)) { $0.isMonitoringVisits = isEnabled }
        if isEnabled, let failure = client.read({ $0.serviceFailure }) { core.receive(failure) }
    }

    private func order(_ line: DaemonRequest, _ change: @Sendable (inout ClientState) -> Void) {
        client.update { state in
            change(&state)
            if !state.order(line) { state.complainOfOrders() }
            return ((), [])
        }
    }

    /// Tells a new delegate the events that came before it was set.
    func tellWhatWasKept() {
        let client = client
        guard delegate != nil, client.read({ !$0.kept.isEmpty }) else { return }
        client.update { state in ((), state.retell(client)) }
    }
}

extension ClientState {
    /// The names of the requests for services that no manager has for itself.
    static let (significantChange, visits) = ("significantChange", "visits")

    static func monitorSignificantChange(_ isEnabled: Bool) -> DaemonRequest {
        DaemonRequest(.monitorSignificantChange).with(.id, significantChange).with(.enabled, isEnabled)
    }

    static func monitorVisits(_ isEnabled: Bool) -> DaemonRequest {
        DaemonRequest(.monitorVisits).with(.id, visits).with(.enabled, isEnabled)
    }

    /// Complains that an order had no room, because 256 KiB of orders wait and the daemon reads nothing.
    mutating func complainOfOrders() {
        effects.append {
            Complaint.print("sextantd has read nothing for long; an order had no room. See that it runs.")
        }
    }
}
