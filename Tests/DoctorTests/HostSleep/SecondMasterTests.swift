import Doctor
import HostSleep
import HostSwitches
import Testing

/// A vendor's program and a driver of the kernel's at the switch are found while they run.
struct SecondMasterTests {
    static let programs: [(String, [String], String?, String)] = [
        (
            "pijuice_sys.py", ["/usr/bin/python3", "/usr/bin/pijuice_sys.py", "daemon"], "pijuice.service",
            "pijuice.service"
        ),
        ("pijuice_sys", ["/usr/bin/pijuice_sys", "daemon"], nil, "pijuice.service"),
        ("python3", ["python3", "-u", "/opt/pijuice_sys.py"], nil, "pijuice.service"),
        ("daemon.sh", ["/bin/bash", "/home/pi/wittypi/daemon.sh"], nil, "wittypi.service"),
        ("sleep", ["sleep", "5"], "wittypi.service", "wittypi.service"),
        ("wittypid", ["/usr/sbin/wittypid"], nil, "wittypi.service"),
        ("wp5d", ["/usr/bin/wp5d"], "wp5d.service", "wp5d.service"),
        ("pisugar-server", ["/usr/bin/pisugar-server"], "pisugar-server.service", "pisugar-server.service"),
        ("lifepo4wered-da", ["/usr/local/sbin/lifepo4wered-daemon"], nil, "lifepo4wered-daemon.service"),
    ]

    @Test(arguments: programs) func `a vendor's program is known by its name, its script or its unit`(
        command: String, arguments: [String], unit: String?, named: String
    ) {
        var system = System.quiet
        system.program(640, command, arguments: arguments, unit: unit)
        #expect(
            system.obstacles == [
                "secondMaster: \(named) (process 640) works on the switch too; sudo systemctl disable --now \(named)"
            ])
        #expect(system.survey?.inspection.hasSecondMaster == true)
    }

    @Test func `two processes of one program are told once`() {
        var system = System.quiet
        system.program(640, "bash", unit: "wittypi.service")
        system.program(641, "gpio", unit: "wittypi.service")
        #expect(system.survey?.obstacles.count == 1)
    }

    @Test(arguments: [
        ("daemon.sh", ["/bin/bash", "/home/pi/other/daemon.sh"]), ("bash", ["bash", "/home/pi/my-wp5d"]),
        ("kthreadd", []), ("python3", ["python3", "-m", "http.server", "80", "wp5d"]),
    ]) func `another program with a name alike is none`(command: String, arguments: [String]) {
        var system = System.quiet
        system.program(640, command, arguments: arguments, unit: "my-pijuice.service")
        #expect(system.obstacles == [])
    }

    @Test func `a process that ends meanwhile is none`() {
        var system = System.quiet
        system.program(640, "wp5d")
        for name in ["", "/comm", "/cmdline", "/cgroup"] { system.tree.vanish("/proc/640\(name)") }
        #expect(system.obstacles == [])
    }

    @Test func `a running process whose name may not be read leaves the answer open`() {
        var system = System.quiet
        system.program(640, "secret")
        system.tree.close("/proc/640/comm")
        #expect(system.survey?.inspection.hasSecondMaster == nil)
        #expect(
            system.obstacles == [
                "unanswered: the processes of other users cannot be seen, so that nobody knows who else works on the "
                    + "switch; mount /proc without hidepid=, and leave ProtectProc= out of sextantd.service"
            ])
    }

    @Test func `where the processes of other users are hidden, three answers are open`() {
        var system = System.quiet
        system.tree.remove("/proc/1")
        system.tree.remove("/proc/301")
        let survey = system.survey
        #expect(survey?.inspection.isInhibited == nil && survey?.inspection.hasSession == nil)
        #expect(survey?.inspection.hasSecondMaster == nil)
        #expect(survey?.obstacles.map(\.reason) == [.unanswered, .unanswered, .unanswered])
    }

    // MARK: The kernel's drivers

    @Test func `a driver of the kernel's at the switch's clock counts`() {
        var system = System.quiet
        system.bind("rtc-ds1307", as: "ds1339", at: "1-0068")
        #expect(
            system.obstacles == [
                "secondMaster: the kernel's driver rtc-ds1307 (ds1339) works on the switch at 0x68; "
                    + "echo 1-0068 | sudo tee /sys/bus/i2c/drivers/rtc-ds1307/unbind, or see sudo sextant doctor"
            ])
    }

    @Test func `a driver of the kernel's at the switch itself counts`() {
        var system = System.quiet
        system.bind("dummy", as: "dummy", at: "1-0014")
        #expect(system.survey?.inspection.hasSecondMaster == true)
    }

    @Test func `a driver without alarms may work on the clock of a switch that has one apart`() {
        var system = System.quiet
        system.bind("rtc-ds1307", as: "ds1307", at: "1-0068")
        #expect(system.obstacles == [])
        system.installation.hostSwitch = examined(.latch, "/dev/i2c-1")
        #expect(system.survey?.inspection.hasSecondMaster == true)
    }

    @Test func `a driver at another address or bus does not count`() {
        var system = System.quiet
        system.bind("lis3lv02d_i2c", as: "lis3dh", at: "1-0018")
        system.bind("rtc-ds1307", as: "ds3231", at: "20-0068")
        #expect(system.obstacles == [])
    }

    @Test(arguments: HostSwitchModel.allCases) func `every switch on a bus is watched at its own address`(
        model: HostSwitchModel
    ) {
        var system = System.quiet
        let hostSwitch = examined(model, "/dev/i2c-1")
        system.installation.hostSwitch = hostSwitch
        #expect((hostSwitch.address == nil) == (model == .rtc))
        let addresses = [hostSwitch.address, hostSwitch.clockAddress].compactMap { $0 }
        for address in addresses {
            system.bind("anything", as: "anything", at: "1-00\(address < 16 ? "0" : "")\(String(address, radix: 16))")
        }
        #expect(system.survey?.obstacles.count == addresses.count)
    }

    @Test func `a switch whose bus is not there leaves the answer open`() {
        var system = System.quiet
        system.switchI2COff()
        #expect(
            system.obstacles == [
                "unanswered: the switch's bus /dev/i2c-1 is not there; "
                    + "switch it on, or correct the bus in the board's file: sudo sextant doctor"
            ])
        system.installation.hostSwitch = examined(.rtc, nil)
        #expect(system.obstacles == [])
    }
}

extension System {
    /// Binds a driver of the kernel's to a chip.
    mutating func bind(_ driver: String, as chip: String, at device: String) {
        let devices = "/sys/bus/i2c/devices/\(device)"
        tree["\(devices)/name"] = "\(chip)\n"
        tree["/sys/bus/i2c/drivers/\(driver)/uevent"] = ""
        tree.link("\(devices)/driver", to: "/sys/bus/i2c/drivers/\(driver)")
    }
}
