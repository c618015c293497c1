import Boards
import Doctor
import Testing

/// Each trap between a board's lines and sensors and the host is found, with file and line.
struct BoardTrapTests {
    private let configuration = "/boot/firmware/config.txt"

    // MARK: The board's file

    @Test func `a configuration that cannot be used is reported`() {
        var system = System.zero2W
        system.installation.board = nil
        system.installation.problem = "/etc/sextant/sextant.json5: baud: 5 must be bits per second from 4800 to 921600"
        #expect(
            system.troubles == [
                "configuration: the configuration cannot be used; "
                    + "/etc/sextant/sextant.json5: baud: 5 must be bits per second from 4800 to 921600"
            ])
    }

    @Test func `an invalid client manifest is reported as ignored`() {
        var system = System.zero2W
        let problem = "/etc/sextant/clients.d/boat.json5: porpose: unknown key; the keys here are unit, user"
        system.installation.clientProblems = [problem]
        #expect(system.troubles == ["configuration: a client's file or the policy is not used; \(problem)"])
    }

    @Test func `a board file for other hardware is reported`() {
        var system = System.zero2W
        system.installation.board?.hostModel = .fourB
        #expect(
            system.troubles == [
                "board-host: the board's file is for other hardware: its host is 4b, "
                    + "and this is a Raspberry Pi Zero 2 W Rev 1.0; /etc/sextant/sextant.json5: "
                    + "name a board whose host is \"zero-2w\", such as board: \"zero-2w+RECEIVER\""
            ])
    }

    @Test(arguments: [
        (
            "3 Model A Plus",
            "write a board's file with host: \"3a+\" (/usr/share/sextant/boards/README.md, "
                + "\"A board of your own\")"
        ),
        ("3 Model B", "name a board whose host is \"3b+\", such as board: \"3b-plus+RECEIVER\""),
        ("3 Model B Plus", "name a board whose host is \"3b+\", such as board: \"3b-plus+RECEIVER\""),
        ("5 Model B", "name a board whose host is \"5\", such as board: \"5+RECEIVER\""),
        ("Compute Module 4", "name a board whose host is \"cm4\", such as board: \"cm4+RECEIVER\""),
        ("400", "name a board whose host this is, or one with host: { idleMilliwatts, wakeMillijoules }"),
    ])
    func `the installed board folder that fits the host is suggested`(model: String, mend: String) {
        var system = System.zero2W
        system.tree["/sys/firmware/devicetree/base/model"] = "Raspberry Pi \(model) Rev 1.0\0"
        let findings = system.examination.findings.filter { $0.check == .boardHost }
        #expect(findings.map(\.mend.action) == [mend])
    }

    // MARK: I2C

    @Test(arguments: [System.zero2W, .threeBPlus, .fourB, .fiveB, .computeModule4])
    func `I2C left off as shipped is reported`(system: System) {
        var system = system
        system.tree.replace("dtparam=i2c_arm=on", with: "#dtparam=i2c_arm=on", in: configuration)
        system.switchI2COff()
        #expect(
            system.troubles == [
                "i2c: I2C is off; \(configuration):6: take the # away before dtparam=i2c_arm=on",
                "i2c-bus: the sensors' bus /dev/i2c-1 is not there; mend the findings about I2C",
            ])
    }

    @Test func `I2C that the kernel switches on by default, as in Debian's images, is not reported`() {
        var system = System.zero2W
        system.tree[configuration] = "enable_uart=1\n"
        #expect(system.troubles == [])
    }

    @Test func `I2C switched off again further down in config.txt is reported`() {
        var system = System.zero2W
        system.tree[configuration] = System.configuration("enable_uart=1", "dtparam=i2c_arm=off")
        #expect(
            system.troubles == ["i2c: I2C is off; \(configuration):41: change the line to dtparam=i2c_arm=on"])
    }

    @Test func `I2C that is off is reported when config.txt has no line for it`() {
        var system = System.olderThreeBPlus
        system.tree["/boot/config.txt"] = "enable_uart=1\ndtoverlay=pi3-disable-bt\n"
        system.switchI2COff()
        #expect(
            system.troubles == [
                "i2c: I2C is off; /boot/config.txt: add under [all], after line 2: dtparam=i2c_arm=on",
                "i2c-bus: the sensors' bus /dev/i2c-1 is not there; mend the findings about I2C",
            ])
    }

    @Test func `I2C switched on by an included file counts as on`() {
        var system = System.olderThreeBPlus
        system.tree["/boot/config.txt"] = "include usercfg.txt\nenable_uart=1\n"
        system.tree["/boot/usercfg.txt"] = "dtparam=i2c_arm=on,spi=off\ndtoverlay=disable-bt\n"
        for path in ["/proc", "/sys", "/dev"] { system.tree.remove(path) }
        #expect(!system.troubles.contains { $0.hasPrefix("i2c: ") })
        system.tree["/boot/usercfg.txt"] = "dtoverlay=disable-bt\n"
        #expect(system.troubles.contains { $0.hasPrefix("i2c: I2C is off") })
    }

    @Test func `a missing i2c-dev module is reported`() {
        var system = System.zero2W
        system.tree.remove("/dev/i2c-1")
        system.tree["/etc/modules"] = "# /etc/modules\n"
        #expect(
            system.troubles == [
                "i2c-module: the module i2c-dev is not loaded, so that I2C buses have no device nodes; "
                    + "/etc/modules: sudo modprobe i2c-dev, and add the line i2c-dev"
            ])
    }

    @Test func `I2C that is on in config.txt but not yet in the kernel needs a restart`() {
        var system = System.zero2W
        system.switchI2COff()
        #expect(
            system.troubles == [
                "i2c-bus: the sensors' bus /dev/i2c-1 is not there; restart, so that config.txt takes effect"
            ])
    }

    @Test func `the I2C link that the udev rules create counts as the header's bus`() {
        var system = System.zero2W
        system.installation.board?.sensors?.bus = "/dev/sextant/i2c"
        system.tree.link("/dev/sextant/i2c", to: "../i2c-1")
        #expect(system.troubles == [])
        system.tree.replace("dtparam=i2c_arm=on", with: "dtparam=i2c_arm=off", in: configuration)
        #expect(system.troubles.map { $0.prefix { $0 != ";" } } == ["i2c: I2C is off"])
    }

    @Test func `a missing overlay for a further I2C bus of a Raspberry Pi 4 or 5 is reported`() {
        for (base, number, line, overlay) in [(System.fourB, 4, 41, "i2c4"), (.fiveB, 3, 40, "i2c3-pi5")] {
            var system = base
            system.installation.board?.sensors?.bus = "/dev/i2c-\(number)"
            #expect(
                system.troubles == [
                    "i2c: I2C bus \(number) is off; "
                        + "\(configuration): add under [all], after line \(line): dtoverlay=\(overlay)",
                    "i2c-bus: the sensors' bus /dev/i2c-\(number) is not there; /etc/sextant/sextant.json5: "
                        + "name one of /dev/i2c-1 (bcm2835 (i2c@7e804000)) as bus in the board's file, "
                        + "or switch /dev/i2c-\(number) on",
                ])
        }
    }

    @Test func `no overlay is suggested for an I2C bus that the model does not have`() {
        for (base, number) in [(System.zero2W, 4), (.threeBPlus, 3), (.fiveB, 5)] {
            var system = base
            system.installation.board?.sensors?.bus = "/dev/i2c-\(number)"
            #expect(
                system.troubles == [
                    "i2c-bus: the sensors' bus /dev/i2c-\(number) is not there; /etc/sextant/sextant.json5: "
                        + "name one of /dev/i2c-1 (bcm2835 (i2c@7e804000)) as bus in the board's file, "
                        + "or switch /dev/i2c-\(number) on"
                ])
        }
    }

    @Test func `an I2C bus that no udev rule gives to the daemon is reported`() {
        var system = System.fourB
        system.installation.board?.sensors?.bus = "/dev/i2c-3"
        system.tree["/sys/bus/i2c/devices/i2c-3/name"] = "bcm2835 (i2c@7e205600)\n"
        system.tree.device("/dev/i2c-3", 89, 3, group: 998)
        #expect(
            system.troubles == [
                "i2c-permission: sextant may not open /dev/i2c-3; /etc/udev/rules.d/59-sextant-local.rules: "
                    + "add: SUBSYSTEM==\"i2c-dev\", KERNEL==\"i2c-3\", ENV{SEXTANT_DEVICE}=\"1\"; "
                    + "then: sudo udevadm control --reload && sudo udevadm trigger"
            ])
    }

    @Test func `a sensor that an overlay bound to a kernel driver is reported`() {
        var system = System.zero2W
        system.tree[configuration] = System.configuration("enable_uart=1", "dtoverlay=i2c-sensor,hmc5843")
        system.tree["/boot/firmware/overlays/i2c-sensor.dtbo"] = ""
        system.tree.link("/sys/bus/i2c/devices/1-000d/driver", to: "/sys/bus/i2c/drivers/hmc5843_i2c")
        system.tree["/sys/bus/i2c/drivers/hmc5843_i2c/bind"] = ""
        #expect(
            system.troubles == [
                "i2c-driver: the kernel's driver hmc5843_i2c has the sensor at 0x0d; "
                    + "\(configuration):41: remove dtoverlay=i2c-sensor, and restart"
            ])
    }

    @Test func `a sensor that does not answer is reported`() {
        var system = System.zero2W
        let problem = "/dev/i2c-1, address 0x0d: no device answers; check the chip's supply, its wiring and its address"
        system.live.sensors = [SensorAnswer(role: "magnetometer", problem: problem)]
        #expect(system.troubles == ["sensor: the magnetometer does not answer; \(problem)"])
    }
}
