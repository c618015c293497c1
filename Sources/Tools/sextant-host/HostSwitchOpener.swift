internal import Glibc
internal import Hardware
internal import HostHelper
internal import HostSleep
internal import HostSwitches
internal import LinuxHardware
internal import SextantReactor

/// Opens the host switch (a module that can cut the board's supply) that a request names; no other part of sextant-host
/// knows the switches' drivers.
enum HostSwitchOpener {
    static func open(_ hostSwitch: HostSwitchAddress) throws(HostSwitchProblem) -> any SupplySwitch {
        guard let model = HostSwitchModel(rawValue: hostSwitch.model) else {
            throw HostSwitchProblem(
                "the host switch \(hostSwitch.model): no such model; update the package sextant-host")
        }
        guard let chip = HostSwitchCatalogue.chip(model, at: hostSwitch.address.map { I2CAddress($0) }) else {
            return try clock()
        }
        guard let bus = hostSwitch.bus else {
            throw HostSwitchProblem("the host switch \(hostSwitch.model): name its bus in the board's file")
        }
        do {
            return DriverSwitch(SwitchOnBus(chip, on: try LinuxI2CBus(bus)), pulse: pulseSystemUp)
        } catch {
            throw HostSwitchProblem(error.description)
        }
    }

    /// The GPIO line on which a pulse tells a Witty Pi 4 that the system is up, and the pulse's length in microseconds.
    ///
    /// After the pulse the Witty Pi watches the host's UART, to see when the host is off. Source: UUGear, Witty-Pi-4,
    /// Software/wittypi/daemon.sh, as read; it has not been tried on hardware.
    private static let systemUp = (line: "GPIO17", microseconds: UInt32(100_000))

    /// Sends the pulse that tells a Witty Pi 4 that the system is up; only the shutdown hook calls this function, as
    /// root, because the host's UART falls silent after it.
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

    /// The Raspberry Pi's own real-time clock as a host switch: it starts the halted board at an alarm.
    private static func clock() throws(HostSwitchProblem) -> any SupplySwitch {
        do {
            return DriverSwitch(RaspberryPiClock(mailbox: try LinuxFirmwareMailbox(), alarm: LinuxKernelAlarm()))
        } catch {
            throw HostSwitchProblem(error.description)
        }
    }
}
