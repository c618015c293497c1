internal import Glibc
internal import Hardware
internal import HostHelper
internal import HostSleep
internal import HostSwitches
internal import LinuxHardware
internal import SextantReactor

/// Opens the host switch of a request: the one place where drivers are plugged in.
enum SwitchDoor {
    static func open(_ place: HostSwitchAddress) throws(HostSwitchProblem) -> any SupplySwitch {
        guard let model = HostSwitchModel(rawValue: place.model) else {
            throw HostSwitchProblem("the host switch \(place.model): no such model; update the package sextant-host")
        }
        guard let chip = HostSwitchCatalogue.chip(model, at: place.address.map { I2CAddress($0) }) else {
            return try clock()
        }
        guard let bus = place.bus else {
            throw HostSwitchProblem("the host switch \(place.model): name its bus in the board's file")
        }
        do {
            return DriverSwitch(SwitchOnBus(chip, on: try LinuxI2CBus(bus)), pulse: pulseSystemUp)
        } catch {
            throw HostSwitchProblem(error.description)
        }
    }

    /// The line on which a Witty Pi 4 is told that the system is up, and for how many microseconds.
    ///
    /// After the pulse it watches the host's UART. Source: UUGear, Witty-Pi-4, Software/wittypi/daemon.sh; by reading, not
    /// tried on hardware.
    private static let systemUp = (line: "GPIO17", microseconds: UInt32(100_000))

    /// Only the hook comes here, as root, at the very end: the host's UART falls silent next.
    private static func pulseSystemUp() throws(HostSwitchProblem) {
        do {
            var line = try GPIOOutputLine(name: systemUp.line, active: true)
            _ = usleep(systemUp.microseconds)
            try line.set(active: false)
        } catch {
            throw HostSwitchProblem(
                "the host switch wittyPi4: \(error); its pulse on \(systemUp.line) is needed to cut")
        }
    }

    /// The Raspberry Pi's own clock.
    private static func clock() throws(HostSwitchProblem) -> any SupplySwitch {
        do {
            return DriverSwitch(RaspberryPiClock(mailbox: try LinuxFirmwareMailbox(), alarm: LinuxKernelAlarm()))
        } catch {
            throw HostSwitchProblem(error.description)
        }
    }
}
