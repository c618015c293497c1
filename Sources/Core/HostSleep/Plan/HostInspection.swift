public import SextantUnits

/// Facts about the system right before a sleep; a fact that could not be determined is nil, which prevents the sleep.
public struct HostInspection: Sendable, Equatable {
    /// Whether a program holds a `block` lock on shutdown.
    public var isInhibited: Bool?
    /// Whether anybody is logged in.
    public var hasSession: Bool?
    /// Whether another program, or a kernel driver, accesses the switch.
    public var hasSecondMaster: Bool?
    public var isPackageManagerBusy: Bool?
    public var isStoreSound: Bool?
    /// Whether the file by which the owner keeps the host on exists on the boot partition.
    public var isStayAwakeFileThere: Bool?
    public var hasExternalPower: Bool?
    /// The battery's charge in per cent; nil where no gauge answers, which does not prevent the sleep.
    public var batteryPercent: Double?
    /// The host's wall clock; nil unless a receiver, the network or the switch confirms it.
    public var wall: UTCInstant?
    /// The switch's clock.
    public var switchClock: UTCInstant?

    public init() {}

    /// The reasons, found in this inspection, for which the host must stay on.
    func reasons(under settings: HostSleepSettings) -> StayAwakeReasons {
        var reasons = StayAwakeReasons()
        let answers = [
            isInhibited, hasSession, hasSecondMaster, isPackageManagerBusy, isStoreSound, isStayAwakeFileThere,
        ]
        reasons.insert(.unanswered, where: answers.contains(nil))
        reasons.insert(.inhibitor, where: isInhibited == true)
        reasons.insert(.session, where: hasSession == true)
        reasons.insert(.secondMaster, where: hasSecondMaster == true)
        reasons.insert(.packageManager, where: isPackageManagerBusy == true)
        reasons.insert(.storeFails, where: isStoreSound == false)
        reasons.insert(.stayAwake, where: isStayAwakeFileThere == true)
        if !settings.sleepsOnExternalPower {
            reasons.insert(.externalPower, where: hasExternalPower == true)
            reasons.insert(.unanswered, where: hasExternalPower == nil)
        }
        guard let wall, let switchClock,
            switchClock.nanoseconds(since: wall).magnitude <= UInt64(SwitchOrder.clockTolerance * 1e9)
        else {
            reasons.insert(.clock)
            return reasons
        }
        return reasons
    }
}
