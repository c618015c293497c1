internal import Hardware
internal import HostHelper
internal import HostSleep
internal import HostSwitches
internal import LinuxHardware
internal import SextantReactor
internal import SextantUnits

/// Opens the host switch of a request.
enum SwitchDoor {
    static func open(_ place: HostSwitchPlace) throws(HostSwitchProblem) -> any SupplySwitch {
        guard let model = HostSwitchModel(rawValue: place.model) else {
            throw HostSwitchProblem("\"\(place.model)\" is no host switch; name the one in the board's file")
        }
        do throws(HostSwitchError) {
            guard let chip = model.chip(at: place.address.map { I2CAddress($0) }), let bus = place.bus else {
                return OpenSwitch(try clock())
            }
            do { return OpenSwitch(SwitchOnBus(chip, on: try LinuxI2CBus(bus))) } catch { throw .bus(error) }
        } catch {
            throw HostSwitchProblem("\(error)")
        }
    }

    private static func clock() throws(HostSwitchError) -> RaspberryPiClock<LinuxFirmwareMailbox, LinuxKernelAlarm> {
        do { return RaspberryPiClock(mailbox: try LinuxFirmwareMailbox(), alarm: LinuxKernelAlarm()) } catch {
            throw .firmware(error)
        }
    }
}

/// An open switch; a class, because the helper holds it behind a protocol and a switch cannot be copied.
private final class OpenSwitch<Switch: HostSwitch & ~Copyable>: SupplySwitch {
    private var device: Switch

    init(_ device: consuming Switch) { self.device = device }

    /// The switch is read twice, and both readings must be as ordered: some answer once with what they held before.
    func fault(in order: SwitchOrder) throws(HostSwitchProblem) -> SwitchFault? {
        for _ in 0..<2 {
            let fault = try attempt { device throws(HostSwitchError) in
                var reading = try device.reading()
                // The motion sensor is a chip of its own, which the daemon watches.
                reading.byMotion = order.byMotion
                return order.fault(in: reading, at: Clock.utc())
            }
            if let fault { return fault }
        }
        return nil
    }

    func cut() throws(HostSwitchProblem) {
        try attempt { device throws(HostSwitchError) in try device.cut(after: device.model.traits.cutDelay) }
    }

    func disarm() throws(HostSwitchProblem) {
        try attempt { device throws(HostSwitchError) in try device.disarm() }
    }

    func isClear() throws(HostSwitchProblem) -> Bool {
        try attempt { device throws(HostSwitchError) in
            let reading = try device.reading()
            return reading.alarm == nil && reading.backstop == nil
        }
    }

    private func attempt<Result>(
        _ work: (inout Switch) throws(HostSwitchError) -> Result
    ) throws(HostSwitchProblem) -> Result {
        do throws(HostSwitchError) { return try work(&device) } catch { throw HostSwitchProblem("\(error)") }
    }
}
