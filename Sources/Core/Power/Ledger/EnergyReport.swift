/// The answer to the request `energy`: the energy spent in the last hour, in the last day and since the daemon started.
public struct EnergyReport: Sendable, Equatable {
    public var lastHour: EnergySpent
    public var lastDay: EnergySpent
    public var sinceBoot: EnergySpent
}

extension EnergyReport {
    /// The report for a client that is not an operator: the energy of all other clients is one sum without names.
    ///
    /// - Parameter label: The name of the client's own account, which stays visible.
    public func seen(as label: String) -> EnergyReport {
        EnergyReport(
            lastHour: lastHour.seen(as: label), lastDay: lastDay.seen(as: label), sinceBoot: sinceBoot.seen(as: label))
    }
}

extension EnergyLedger {
    /// The report of the energy spent up to the last event or call of `advance`.
    public var report: EnergyReport {
        EnergyReport(
            lastHour: spent(over: .lastHour), lastDay: spent(over: .lastDay), sinceBoot: spent(over: .sinceBoot))
    }
}
