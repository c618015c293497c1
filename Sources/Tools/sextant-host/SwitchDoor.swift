internal import Hardware
internal import HostHelper
internal import HostSleep
internal import HostSwitches
internal import LinuxHardware
internal import SextantReactor

/// Opens the host switch of a request: the one place where drivers are plugged in.
enum SwitchDoor {
    static func open(_ place: HostSwitchPlace) throws(HostSwitchProblem) -> any SupplySwitch {
        guard let model = HostSwitchModel(rawValue: place.model) else {
            throw HostSwitchProblem("the host switch \(place.model): no such model; update the package sextant-host")
        }
        // Its supply is cut only after a pulse on a line, which this program does not give.
        guard model.traits.cutTrigger != .pulse else {
            throw HostSwitchProblem(
                "the host switch \(place.model) cannot be told to cut yet; remove hostSwitch from the board's file")
        }
        guard let chip = HostSwitchCatalogue.chip(model, at: place.address.map { I2CAddress($0) }) else {
            return try clock()
        }
        guard let bus = place.bus else {
            throw HostSwitchProblem("the host switch \(place.model): name its bus in the board's file")
        }
        do {
            return DriverSwitch(SwitchOnBus(chip, on: try LinuxI2CBus(bus)), now: Clock.utc)
        } catch {
            throw HostSwitchProblem(error.description)
        }
    }

    /// The Raspberry Pi's own clock.
    private static func clock() throws(HostSwitchProblem) -> any SupplySwitch {
        do {
            let chip = RaspberryPiClock(mailbox: try LinuxFirmwareMailbox(), alarm: LinuxKernelAlarm())
            return DriverSwitch(chip, now: Clock.utc)
        } catch {
            throw HostSwitchProblem(error.description)
        }
    }
}
