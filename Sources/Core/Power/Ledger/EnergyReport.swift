/// The answer to the request `energy`: the three windows side by side.
public struct EnergyReport: Sendable, Equatable {
    public var lastHour: EnergySpent
    public var lastDay: EnergySpent
    public var sinceBoot: EnergySpent
}

extension EnergyLedger {
    /// The report up to the last event or `advance`.
    public var report: EnergyReport {
        EnergyReport(
            lastHour: spent(over: .lastHour), lastDay: spent(over: .lastDay), sinceBoot: spent(over: .sinceBoot))
    }
}
