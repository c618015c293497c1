public import HostSleep

/// The hook at the end of a shutdown: cuts the host's supply, or makes the host restart.
///
/// systemd runs the hook as root from its folder `system-shutdown`, after the file systems are unmounted or read-only.
/// systemd continues the shutdown whatever the hook returns, so the script in that folder reboots the host if the hook
/// fails. Source: systemd-shutdown(8).
public struct HostHook {
    /// The outcome of the hook.
    public enum Outcome: Sendable, Equatable {
        /// The host was to sleep, and the host switch got the order to cut the supply.
        case cuts
        /// The host was to sleep, but the host switch would not wake it as ordered, so the host restarts.
        case reboots(String)
        /// The owner powered the host off, and nothing from an earlier order will wake it.
        case isFinal
        /// The owner powered the host off, but the host switch could not be cleared, so an earlier alarm may wake the
        /// host.
        case isFinalUncleared(String)
        /// The hook has nothing to do in this shutdown.
        case ignores
    }

    /// The number of attempts to write to a host switch that does not accept the write.
    private static let tries = 3

    private let folders: HostFolders
    private let clocks: HostClocks
    private let open: (HostSwitchAddress) throws(HostSwitchProblem) -> any SupplySwitch

    public init(
        folders: HostFolders, clocks: HostClocks,
        open: @escaping (HostSwitchAddress) throws(HostSwitchProblem) -> any SupplySwitch
    ) {
        self.folders = folders
        self.clocks = clocks
        self.open = open
    }

    /// Cuts the supply if the host is to sleep, clears the host switch if the owner powers the host off, and does
    /// nothing in any other shutdown.
    ///
    /// - Parameter action: The kind of shutdown in systemd's words: poweroff, reboot, halt or kexec.
    public func run(_ action: String) -> Outcome {
        guard action == "poweroff" else { return .ignores }
        do {
            guard let bytes = try folders.readHelpers(folders.kept) else { return clear() }
            let request = try HostProblem.of(folders.kept) { try HostRequest(parsing: bytes) }
            let chip = try open(request.hostSwitch)
            if let fault = try hookReads(request, from: chip) {
                return .reboots("the host switch \(request.hostSwitch.model) \(fault.text)")
            }
            try cut(chip)
            return .cuts
        } catch {
            return .reboots("\(error)")
        }
    }

    /// Checks the host switch's alarm a last time, after the daemon and the helper, when no other process runs any
    /// more.
    ///
    /// This is `hookReads` in the Promela model hostsleep.pml.
    private func hookReads(_ request: HostRequest, from chip: any SupplySwitch) throws -> SwitchFault? {
        try clocks.fault(of: request, in: chip)
    }

    /// Tells the host switch to cut the supply after its delay.
    ///
    /// This is `cut` in the Promela model hostsleep.pml.
    private func cut(_ chip: any SupplySwitch) throws {
        try insist { try chip.cut() }
    }

    /// Clears the host switch's alarm after the owner's power-off: a board that was put away must not start by itself.
    private func clear() -> Outcome {
        do {
            guard let bytes = try folders.readDaemons(folders.hostSwitch) else { return .isFinal }
            let hostSwitch = try HostProblem.of(folders.hostSwitch) { try HostSwitchAddress(parsing: bytes) }
            try disarm(try open(hostSwitch), hostSwitch.model)
            return .isFinal
        } catch {
            return .isFinalUncleared("\(error)")
        }
    }

    /// Clears the host switch's alarms, and checks by reading that they are gone.
    ///
    /// This is `disarm` in the Promela model hostsleep.pml.
    private func disarm(_ chip: any SupplySwitch, _ model: String) throws {
        try insist {
            try chip.disarm()
            guard try !chip.isClear() else { return }
            throw HostSwitchProblem("the host switch \(model) does not forget its alarm; it may start the board")
        }
    }

    private func insist(_ body: () throws -> Void) throws {
        for _ in 1..<HostHook.tries {
            if (try? body()) != nil { return }
        }
        try body()
    }
}
