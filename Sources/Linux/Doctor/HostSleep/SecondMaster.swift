internal import HostSleep

/// Finds out whether another program, or a kernel driver, controls the supply switch beside Sextant.
enum SecondMaster {
    static func answer(
        _ programs: RunningPrograms, _ hostSwitch: ExaminedSwitch, _ files: some SystemFiles
    ) -> ObstacleReport {
        var found = programs.rivals.map { rival in
            HostObstacle(
                .secondMaster, "\(rival.program.unit) (process \(rival.process)) works on the switch too",
                rival.program.stopping)
        }
        var unknown = programs.isWhole ? [] : [RunningPrograms.hidden("who else works on the switch")]
        if hostSwitch.address != nil {
            let bus = BusFacts(hostSwitch.bus, files)
            if bus.isKnownToKernel {
                found += KernelDriver.all(at: hostSwitch, on: bus, files).map(\.obstacle)
            } else {
                unknown.append(
                    HostObstacle(
                        .unanswered, "the switch's bus \(hostSwitch.bus) is not there",
                        "switch it on, or correct the bus in the board's file: sudo sextant doctor"))
            }
        }
        return ObstacleReport(found, unknown: unknown)
    }
}

/// A kernel driver that is bound to a chip on an I2C bus.
struct KernelDriver: Sendable, Equatable {
    /// The driver's name, such as `rtc-ds1307`; this driver supports a dozen models of chips.
    var name: String
    /// The model of the chip to which the driver was bound, such as `ds1339`.
    var chip: String
    /// The chip's name in sysfs, such as `1-0068`.
    var device: String
    var address: UInt8

    /// The kernel drivers that are bound to chips of this supply switch and disturb it.
    static func all(at hostSwitch: ExaminedSwitch, on bus: BusFacts, _ files: some SystemFiles) -> [KernelDriver] {
        [hostSwitch.address, hostSwitch.clockAddress].compactMap { $0 }.compactMap { address in
            guard let number = bus.number, let driver = bus.drivers[address] else { return nil }
            let hex = String(address, radix: 16)
            let device = "\(number)-\(String(repeating: "0", count: 4 - hex.count))\(hex)"
            let chip = files.value(of: "/sys/bus/i2c/devices/\(device)/name") ?? ""
            guard hostSwitch.isDisturbed(byDriverFor: chip, at: address) else { return nil }
            return KernelDriver(name: driver, chip: chip, device: device, address: address)
        }
    }

    var description: String {
        "the kernel's driver \(name)\(chip.isEmpty ? "" : " (\(chip))") works on the switch at 0x"
            + String(address, radix: 16)
    }

    var obstacle: HostObstacle {
        HostObstacle(.secondMaster, description, "\(Mend.unbinding(device, from: name)), or see sudo sextant doctor")
    }
}

extension Mend {
    /// The command that unbinds the driver from the chip; it is bound again at the next start.
    static func unbinding(_ device: String, from driver: String) -> Mend {
        Mend("echo \(device) | sudo tee /sys/bus/i2c/drivers/\(driver)/unbind")
    }
}
