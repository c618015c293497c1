public import HostSleep
public import SextantUnits

/// Why a host switch could not be used: one line that also says what to do.
public struct HostSwitchProblem: Error, Sendable, Equatable, CustomStringConvertible {
    public var description: String

    public init(_ description: String) { self.description = description }
}

/// A host switch that can be checked: whether it would wake the host as ordered.
public protocol AlarmReader {
    /// Reads the switch itself, not a copy of what was written to it; nil if everything is as ordered.
    ///
    /// - Parameter now: Returns the wall clock's time; called right after each reading.
    func fault(in order: SwitchOrder, now: () -> UTCInstant) throws(HostSwitchProblem) -> SwitchFault?
}

/// A host switch with the functions that the hook at the end of a shutdown needs.
public protocol SupplySwitch: AlarmReader {
    /// Makes the switch cut the supply after its delay.
    func cut() throws(HostSwitchProblem)
    /// Clears the alarm, the second way to wake the host, and the wake by motion.
    func disarm() throws(HostSwitchProblem)
    /// Whether the switch holds no alarm and no second way to wake the host.
    func isClear() throws(HostSwitchProblem) -> Bool
}
