internal import Foundation

extension CLLocationManager {
    public class func significantLocationChangeMonitoringAvailable() -> Bool {
        LocationClient.shared.awaitGreeting()
        return LocationClient.shared.has("significantChange", unlessKnown: true)
    }

    /// Tells a location now and after every move of 500 m or more, to every manager of the program.
    ///
    /// It goes on without the program, and starts it where it is always authorized, until it is stopped.
    public func startMonitoringSignificantLocationChanges() {
        let client = client
        client.update { state in
            guard !state.isMonitoringSignificantChange else { return ((), []) }
            state.isMonitoringSignificantChange = true
            state.lastSignificantChange = nil
            state.send(RequestLine("monitorSignificantChange").with("enabled", true))
            return ((), state.retell(client))
        }
    }

    public func stopMonitoringSignificantLocationChanges() {
        order(RequestLine("monitorSignificantChange").with("enabled", false)) {
            $0.isMonitoringSignificantChange = false
        }
    }

    /// Tells of stays, to every manager of the program, until it is stopped; it goes on without the program.
    public func startMonitoringVisits() {
        order(RequestLine("monitorVisits").with("enabled", true)) { $0.isMonitoringVisits = true }
    }

    public func stopMonitoringVisits() {
        order(RequestLine("monitorVisits").with("enabled", false)) { $0.isMonitoringVisits = false }
    }

    private func order(_ line: RequestLine, _ change: @Sendable (inout ClientState) -> Void) {
        client.update { state in
            change(&state)
            if !state.order(line) { state.complainOfOrders() }
            return ((), [])
        }
    }

    /// What came before a delegate was there is told to it.
    func tellWhatWasKept() {
        let client = client
        guard delegate != nil, client.read({ !$0.kept.isEmpty }) else { return }
        client.update { state in ((), state.retell(client)) }
    }
}

extension ClientState {
    /// The daemon reads nothing, and 64 KiB wait for it.
    mutating func complainOfOrders() {
        effects.append {
            Complaint.print("sextantd has read nothing for long; an order had no room. See that it runs.")
        }
    }
}
