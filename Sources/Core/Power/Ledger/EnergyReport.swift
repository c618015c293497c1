/// The answer to the request `energy`: the three windows side by side.
public struct EnergyReport: Sendable, Equatable {
    public var lastHour: EnergySpent
    public var lastDay: EnergySpent
    public var sinceBoot: EnergySpent
}

extension EnergyReport {
    /// The report for a client that is not an operator: the energy of all other clients is one sum without names.
    ///
    /// - Parameter label: The label of the client's own account.
    public func seen(as label: String) -> EnergyReport {
        EnergyReport(
            lastHour: lastHour.seen(as: label), lastDay: lastDay.seen(as: label), sinceBoot: sinceBoot.seen(as: label))
    }
}

extension EnergyLedger {
    /// The report up to the last event or `advance`.
    public var report: EnergyReport {
        EnergyReport(
            lastHour: spent(over: .lastHour), lastDay: spent(over: .lastDay), sinceBoot: spent(over: .sinceBoot))
    }
}
