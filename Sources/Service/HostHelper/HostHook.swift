public import HostSleep

/// The end of a shutdown: cuts the supply, or has the host start again.
///
/// systemd runs it as root from its folder `system-shutdown`, after the file systems are unmounted or read-only, and
/// goes on with the shutdown whatever it returns: the script there reboots the host where it fails. Source: systemd-
/// shutdown(8).
public struct HostHook {
    /// The outcome of the hook.
    public enum Outcome: Sendable, Equatable {
        /// The host was to sleep, and the switch has been told to cut the supply.
        case cuts
        /// The host was to sleep, and would not be woken as ordered: it starts again instead.
        case reboots(String)
        /// The owner switched it off, and nothing of an earlier order will wake it.
        case isFinal
        /// The owner switched it off, and the switch could not be cleared.
        case isFinalUncleared(String)
        /// This shutdown is none of the hook's.
        case ignores
    }

    /// How often a switch is written that does not take it.
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

    /// Does what a shutdown wants.
    ///
    /// - Parameter action: systemd's word: poweroff, reboot, halt or kexec.
    public func run(_ action: String) -> Outcome {
        guard action == "poweroff" else { return .ignores }
        do {
            guard let bytes = try folders.readHelpers(folders.kept) else { return clear() }
            let request = try HostProblem.of(folders.kept) { try HostRequest(parsing: bytes) }
            let chip = try open(request.place)
            if let fault = try hookReads(request, from: chip) {
                return .reboots("the host switch \(request.place.model) \(fault.text)")
            }
            try cut(chip)
            return .cuts
        } catch {
            return .reboots("\(error)")
        }
    }

    /// Reads the alarm a third time, when nothing else runs any more.
    ///
    /// This is `hookReads` in the model hostsleep.pml.
    private func hookReads(_ request: HostRequest, from chip: any SupplySwitch) throws -> SwitchFault? {
        try clocks.fault(of: request, in: chip)
    }

    /// Tells the switch to cut the supply after its delay.
    ///
    /// This is `cut` in the model hostsleep.pml.
    private func cut(_ chip: any SupplySwitch) throws {
        try insist { try chip.cut() }
    }

    /// The owner's power-off: the board that was put away must not start by itself.
    private func clear() -> Outcome {
        do {
            guard let bytes = try folders.readDaemons(folders.place) else { return .isFinal }
            let place = try HostProblem.of(folders.place) { try HostSwitchAddress(parsing: bytes) }
            try disarm(try open(place), place.model)
            return .isFinal
        } catch {
            return .isFinalUncleared("\(error)")
        }
    }

    /// Clears the switch, and reads whether it is.
    ///
    /// This is `disarm` in the model hostsleep.pml.
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
