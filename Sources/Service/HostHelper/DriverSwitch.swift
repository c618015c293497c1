public import HostSleep
public import HostSwitches
public import SextantUnits

/// A host switch (the chip that cuts the board's supply) accessed through its driver, for the helper and the shutdown
/// hook.
///
/// A class, since a driver owns its I2C bus.
public final class DriverSwitch<Chip: HostSwitch & ~Copyable>: SupplySwitch {
    private var chip: Chip
    private let pulse: () throws(HostSwitchProblem) -> Void

    /// - Parameter pulse: Pulses the GPIO line, for a switch that cuts the supply only after a pulse.
    public init(_ chip: consuming Chip, pulse: @escaping () throws(HostSwitchProblem) -> Void = {}) {
        self.chip = chip
        self.pulse = pulse
    }

    /// Reads the host switch twice, and both readings must be as ordered: some switches answer the first time with old
    /// content.
    public func fault(in order: SwitchOrder, now: () -> UTCInstant) throws(HostSwitchProblem) -> SwitchFault? {
        for _ in 0..<2 {
            var reading = try reading()
            // The setting to wake by motion is not read here: the motion sensor is a separate chip, which the daemon
            // watches.
            reading.byMotion = order.byMotion
            if let fault = order.fault(in: reading, at: now()) { return fault }
        }
        return nil
    }

    public func isClear() throws(HostSwitchProblem) -> Bool {
        let reading = try reading()
        return reading.alarm == nil && reading.backstop == nil
    }

    public func cut() throws(HostSwitchProblem) {
        let traits = chip.model.traits
        guard traits.cutTrigger != .halt else { return }
        do {
            try chip.cut(after: traits.cutDelay)
        } catch {
            throw HostSwitchProblem(error.description)
        }
        if traits.cutTrigger == .pulse { try pulse() }
    }

    public func disarm() throws(HostSwitchProblem) {
        do {
            try chip.disarm()
        } catch {
            throw HostSwitchProblem(error.description)
        }
    }

    private func reading() throws(HostSwitchProblem) -> SwitchReading {
        do {
            return try chip.reading()
        } catch {
            throw HostSwitchProblem(error.description)
        }
    }
}
