public import HostSleep
public import SextantUnits

/// Why a host switch could not be used, in one line that names the mend.
public struct HostSwitchProblem: Error, Sendable, Equatable, CustomStringConvertible {
    public var description: String

    public init(_ description: String) { self.description = description }
}

/// Reads whether a host switch would wake the host as ordered.
public protocol AlarmReader {
    /// Reads the switch itself, and no copy of what was written; nil where all is as ordered.
    ///
    /// - Parameter now: The wall clock, asked right after each reading.
    func fault(in order: SwitchOrder, now: () -> UTCInstant) throws(HostSwitchProblem) -> SwitchFault?
}

/// A host switch as the hook at the end of a shutdown uses it, besides reading it.
public protocol SupplySwitch: AlarmReader {
    /// Has the switch cut the supply after its delay.
    func cut() throws(HostSwitchProblem)
    /// Takes away the alarm, the second way back and the wake by motion.
    func disarm() throws(HostSwitchProblem)
    /// Reads whether nothing stands in the switch that would wake the host.
    func isClear() throws(HostSwitchProblem) -> Bool
}
