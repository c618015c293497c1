public import HostSleep
public import SextantUnits

/// Why a host switch (the chip that cuts the board's supply and restores it at an alarm) could not be used: one line
/// that also says what to do.
public struct HostSwitchProblem: Error, Sendable, Equatable, CustomStringConvertible {
    public var description: String

    public init(_ description: String) { self.description = description }
}

/// A host switch (the chip that cuts the board's supply and restores it at an alarm) whose registers can be checked
/// against an order.
public protocol AlarmReader {
    /// Reads the host switch itself, not a copy of what was written to it, and returns how its alarms differ from those
    /// that were ordered; nil if they do not.
    ///
    /// - Parameter now: Returns the wall clock's time; called right after each reading.
    func fault(in order: SwitchOrder, now: () -> UTCInstant) throws(HostSwitchProblem) -> SwitchFault?
}

/// A host switch (the chip that cuts the board's supply) with the functions that the hook at the end of a shutdown
/// needs.
public protocol SupplySwitch: AlarmReader {
    /// Makes the host switch cut the board's supply after the delay that its model needs.
    func cut() throws(HostSwitchProblem)
    /// Clears everything by which the host switch would wake the host: its alarm, its backstop (a second alarm or
    /// timer), and the wake by motion.
    func disarm() throws(HostSwitchProblem)
    /// Whether the host switch holds no alarm and no backstop (a second alarm or timer that would wake the host).
    func isClear() throws(HostSwitchProblem) -> Bool
}
