import Boards
import Doctor
import Hardware
import Receivers
import Testing

/// Each trap between a board's lines and sensors and the host is found, with file and line.
struct BoardTrapTests {
    private let configuration = "/boot/firmware/config.txt"

    // MARK: The board's file

    @Test func `a configuration that cannot be used`() {
        var system = System.zero2W
        system.installation.board = nil
        system.installation.problem = "/etc/sextant/sextant.json5: baud: 5 must be bits per second from 4800 to 921600"
        #expect(
            system.troubles == [
                "configuration: the configuration cannot be used; "
                    + "/etc/sextant/sextant.json5: baud: 5 must be bits per second from 4800 to 921600"
            ])
    }

    @Test func `a client's file that is not heard`() {
        var system = System.zero2W
        let problem = "/etc/sextant/clients.d/boat.json5: porpose: unknown key; the keys here are unit, user"
        system.installation.clientProblems = [problem]
        #expect(system.troubles == ["configuration: a client's file or the policy is not heard; \(problem)"])
    }

    @Test func `a board's file for other hardware`() {
        var system = System.zero2W
        system.installation.board?.hostModel = .fourB
        #expect(
            system.troubles == [
                "board-host: the board's file is for other hardware: its host is 4b, "
                    + "and this is a Raspberry Pi Zero 2 W Rev 1.0; /etc/sextant/sextant.json5: "
                    + "name a board whose host is \"zero-2w\", such as board: \"zero-2w+RECEIVER\""
            ])
    }

    @Test func `settings in the config.txt that nobody reads any more`() {
        var system = System.zero2W
        system.tree["/boot/config.txt"] = "# mine\ndtoverlay=disable-bt\n"
        #expect(
            system.troubles == [
                "boot-file: nobody reads this config.txt; "
                    + "/boot/config.txt:2: move its settings to \(configuration), which the firmware reads"
            ])
    }

    @Test func `an overlay that does not exist`() {
        var system = System.threeBPlus
        system.tree[configuration] = System.configuration("enable_uart=1", "dtoverlay=disable-bt", "dtoverlay=pps_gpio")
        #expect(
            system.troubles == [
                "overlay-file: there is no overlay pps_gpio, so the line does nothing; "
                    + "\(configuration):42: correct its name; /boot/firmware/overlays/README lists those there are"
            ])
    }

    // MARK: I2C

    @Test(arguments: [System.zero2W, .threeBPlus, .fourB, .fiveB, .computeModule4])
    func `I2C that is off as it is shipped`(system: System) {
        var system = system
        system.tree.replace("dtparam=i2c_arm=on", with: "#dtparam=i2c_arm=on", in: configuration)
        #expect(
            system.troubles == [
                "i2c: I2C is off; \(configuration):6: take the # away before dtparam=i2c_arm=on"
            ])
    }

    @Test func `I2C that is switched off again further down`() {
        var system = System.zero2W
        system.tree[configuration] = System.configuration("enable_uart=1", "dtparam=i2c_arm=off")
        #expect(
            system.troubles == ["i2c: I2C is off; \(configuration):41: change the line to dtparam=i2c_arm=on"])
    }

    @Test func `I2C that is off on a system without the line`() {
        var system = System.olderThreeBPlus
        system.tree["/boot/config.txt"] = "enable_uart=1\ndtoverlay=pi3-disable-bt\n"
        #expect(
            system.troubles == [
                "i2c: I2C is off; /boot/config.txt: add under [all], after line 2: dtparam=i2c_arm=on"
            ])
    }

    @Test func `I2C that an included file switches on is on`() {
        var system = System.olderThreeBPlus
        system.tree["/boot/config.txt"] = "include usercfg.txt\nenable_uart=1\n"
        system.tree["/boot/usercfg.txt"] = "dtparam=i2c_arm=on,spi=off\ndtoverlay=disable-bt\n"
        #expect(system.troubles == [])
    }

    @Test func `I2C without the module that makes its device nodes`() {
        var system = System.zero2W
        system.tree.remove("/dev/i2c-1")
        system.tree["/etc/modules"] = "# /etc/modules\n"
        #expect(
            system.troubles == [
                "i2c-module: the module i2c-dev is not loaded, so that I2C buses have no device nodes; "
                    + "/etc/modules: sudo modprobe i2c-dev, and add the line i2c-dev"
            ])
    }

    @Test func `I2C that is on in the file, and not yet in the kernel`() {
        var system = System.zero2W
        system.tree.remove("/dev/i2c-1")
        system.tree.remove("/sys/bus/i2c")
        #expect(
            system.troubles == [
                "i2c-bus: the sensors' bus /dev/i2c-1 is not there; restart, so that config.txt takes effect"
            ])
    }

    @Test func `the name that the rules give the header's bus is that bus`() {
        var system = System.zero2W
        system.installation.board?.sensors?.bus = "/dev/sextant/i2c"
        system.tree.link("/dev/sextant/i2c", to: "../i2c-1")
        #expect(system.troubles == [])
        system.tree.replace("dtparam=i2c_arm=on", with: "", in: configuration)
        #expect(system.troubles.map { $0.prefix { $0 != ";" } } == ["i2c: I2C is off"])
    }

    @Test func `a further bus of a Raspberry Pi 4 or 5 whose overlay is missing`() {
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

    @Test func `a bus that the model does not have is not offered`() {
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

    @Test func `a bus that no rule gives to the daemon`() {
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

    @Test func `a sensor that an overlay gave to a driver of the kernel's`() {
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

    @Test func `a sensor that does not answer`() {
        var system = System.zero2W
        let problem = "/dev/i2c-1, address 0x0d: nobody answers; check the chip's supply, its wiring and its address"
        system.live.sensors = [SensorAnswer(role: "magnetometer", problem: problem)]
        #expect(system.troubles == ["sensor: the magnetometer does not answer; \(problem)"])
    }

    // MARK: Lines

    @Test func `no GPIO chip at all`() {
        var system = System.zero2W
        system.tree.remove("/dev/gpiochip0")
        system.live.gpioChips = []
        #expect(system.troubles.map { $0.prefix { $0 != ";" } } == ["gpio-chip: there is no GPIO chip in /dev"])
    }

    @Test func `a chip that no rule gives to the daemon`() {
        var system = System.zero2W
        system.tree.device("/dev/gpiochip0", 254, 0, group: 997)
        system.tree["/run/udev/data/c254:0"] = nil
        #expect(
            system.troubles == [
                "gpio-permission: sextant may not open /dev/gpiochip0; /etc/udev/rules.d/59-sextant-local.rules: "
                    + "add: SUBSYSTEM==\"gpio\", KERNEL==\"gpiochip0\", ENV{SEXTANT_DEVICE}=\"1\"; "
                    + "then: sudo udevadm control --reload && sudo udevadm trigger"
            ])
    }

    @Test func `a chip that switches the host itself is nobody's but root's`() {
        var system = System.fourB
        system.tree.device("/dev/gpiochip1", 254, 1, group: 0, mode: 0o600)
        #expect(system.troubles == [])
    }

    @Test func `a chip that a rule gives to the daemon, without the program that does it`() {
        var system = System.fourB
        system.tree.device("/dev/gpiochip0", 254, 0, group: 997)
        system.tree.link("/dev/sextant/gpio", to: "../gpiochip0")
        #expect(
            system.troubles == [
                "gpio-permission: sextant may not open /dev/sextant/gpio; "
                    + "sudo apt install acl && sudo udevadm trigger"
            ])
    }

    @Test func `a line that no chip has`() {
        var system = System.zero2W
        system.installation.board?.lines[.powerEnable]?.name = "GPIO71"
        #expect(
            system.troubles == [
                "gpio-line: no GPIO chip has the line GPIO71 (powerEnable); /etc/sextant/sextant.json5: "
                    + "correct lines.powerEnable.name in its board's file; gpioinfo lists those there are"
            ])
    }

    @Test func `a line by its chip and number is found`() {
        var system = System.zero2W
        system.installation.board?.lines[.powerEnable]?.name = "pinctrl-bcm2835:5"
        #expect(system.troubles == [])
    }

    @Test func `a line that somebody else holds`() {
        var system = System.zero2W
        system.live.gpioChips?[0].lines[27].consumer = "fan"
        #expect(
            system.troubles == [
                "gpio-holder: GPIO27 (wake) is held by \"fan\"; stop who holds it, or give the board another line"
            ])
    }

    @Test func `an overlay on a line of the board's, which the kernel holds for it`() {
        var system = System.zero2W
        system.tree[configuration] = System.configuration("enable_uart=1", "dtoverlay=gpio-fan,gpiopin=17,temp=60000")
        system.live.gpioChips?[0].lines[17].consumer = "fan0"
        #expect(
            system.troubles == [
                "gpio-holder: GPIO17 (powerEnable) is held by \"fan0\"; "
                    + "\(configuration):41: remove dtoverlay=gpio-fan, or give it another pin with gpiopin=",
                "line-overlay: dtoverlay=gpio-fan takes GPIO17 (powerEnable) from the board; "
                    + "\(configuration):41: remove dtoverlay=gpio-fan, or give it another pin with gpiopin=",
            ])
    }

    @Test(arguments: [
        (
            "dtoverlay=w1-gpio", "GPIO4", "dtoverlay=w1-gpio",
            "remove dtoverlay=w1-gpio, or give it another pin with gpiopin="
        ),
        ("dtparam=spi=on", "GPIO8", "dtparam=spi=on", "change the line to dtparam=spi=off"),
        ("dtparam=i2c_arm=on,spi=on", "GPIO8", "dtparam=spi=on", "change that part of the line to dtparam=spi=off"),
        ("dtoverlay=hifiberry-dac", "GPIO21", "dtoverlay=hifiberry-dac", "remove dtoverlay=hifiberry-dac"),
    ])
    func `what takes a pin without being told which`(line: String, pin: String, what: String, mend: String) {
        var system = System.zero2W
        system.tree[configuration] = System.configuration("enable_uart=1", line)
        system.tree["/boot/firmware/overlays/hifiberry-dac.dtbo"] = ""
        system.installation.board?.lines[.pulsePerSecond] = nil
        #expect(system.troubles == [])
        system.installation.board?.lines[.powerEnable]?.name = pin
        #expect(
            system.troubles == [
                "line-overlay: \(what) takes \(pin) (powerEnable) from the board; \(configuration):41: \(mend)"
            ])
    }

    /// It is how a power line is held before the kernel runs; the daemon's request succeeds all the same.
    @Test func `a first state that the firmware gives a pin takes nothing from the board`() {
        var system = System.zero2W
        system.tree[configuration] = System.configuration("enable_uart=1", "dtparam=i2c_arm=on", "gpio=17=op,dl")
        system.installation.board?.lines[.powerEnable]?.name = "GPIO17"
        #expect(!system.troubles.contains { $0.contains("gpio=") })
    }

    /// The pins of the header that a line takes from the board: those at which its wake line would be told of.
    private func pins(of overlay: String, on base: System) -> [Int] {
        var system = base
        let text = system.tree[configuration] ?? ""
        system.tree[configuration] = text + "dtoverlay=\(overlay)\n"
        return (0...27).filter { pin in
            system.installation.board?.lines = [
                .wake: BoardLine(name: "GPIO\(pin)", activeLow: false, safe: .inactive, bias: .asIs)
            ]
            return system.examination.findings.contains { $0.check == .lineOverlay && $0.line.contains("(wake)") }
        }
    }

    @Test(arguments: [
        ("uart2", [0, 1]), ("uart3", [4, 5]), ("uart3,ctsrts", [4, 5, 6, 7]), ("uart5", [12, 13]),
        ("uart5,ctsrts", [12, 13, 14, 15]), ("i2c0", [0, 1]), ("i2c1", [2, 3]), ("i2c3", [4, 5]),
        ("i2c3,pins_2_3", [2, 3]), ("i2c3,pins_2_3,baudrate=400000", [2, 3]), ("i2c4,pins_8_9", [8, 9]),
        ("i2c4,pins_6_7", [6, 7]), ("i2c5", [12, 13]), ("i2c5,pins_10_11", [10, 11]), ("i2c6,pins_0_1", [0, 1]),
        ("i2c6", [22, 23]), ("i2c3-pi5", []), ("uart1-pi5", []),
    ])
    func `the pins of UARTs and I2C buses of a Raspberry Pi 4`(overlay: String, pins: [Int]) {
        #expect(self.pins(of: overlay, on: .fourB) == pins)
    }

    @Test(arguments: [
        ("uart1-pi5", [0, 1]), ("uart2", [4, 5]), ("uart2-pi5", [4, 5]), ("uart3-pi5,ctsrts", [8, 9, 10, 11]),
        ("uart4-pi5", [12, 13]), ("uart5", []), ("i2c0-pi5", [0, 1]), ("i2c0-pi5,pins_8_9", [8, 9]),
        ("i2c1-pi5,pins_10_11", [10, 11]), ("i2c2-pi5", [4, 5]), ("i2c2-pi5,pins_12_13", [12, 13]),
        ("i2c3-pi5", [6, 7]), ("i2c3", [6, 7]), ("i2c3-pi5,pins_14_15", [14, 15]), ("i2c3-pi5,pins_22_23", [22, 23]),
        ("i2c4", []), ("w1-gpio-pi5", [4]),
    ])
    func `the pins of UARTs and I2C buses of a Raspberry Pi 5`(overlay: String, pins: [Int]) {
        #expect(self.pins(of: overlay, on: .fiveB) == pins)
    }

    @Test(arguments: ["uart2", "uart3", "uart4", "uart5", "i2c3", "i2c4", "i2c5", "i2c6", "i2c3-pi5"])
    func `an overlay of another model's takes nothing from a Zero 2 W`(overlay: String) {
        #expect(pins(of: overlay, on: .zero2W) == [])
    }

    @Test func `a bus on a line of the board's goes to the pins that it may have instead`() {
        var system = System.fiveB
        system.tree[configuration] = System.configuration("dtparam=uart0=on", "dtoverlay=i2c3-pi5,pins_22_23")
        system.tree["/boot/firmware/overlays/i2c3-pi5.dtbo"] = ""
        #expect(
            system.troubles == [
                "line-overlay: dtoverlay=i2c3-pi5 takes GPIO22 (motionInterrupt) from the board; \(configuration):41: "
                    + "remove dtoverlay=i2c3-pi5, or give it other pins with pins_6_7 or pins_14_15"
            ])
    }

    @Test func `the overlay of the sensors' own bus takes nothing from them`() {
        for (system, overlay) in [(System.fourB, "i2c1"), (.fiveB, "i2c1-pi5")] {
            var system = system
            system.tree.replace("dtparam=i2c_arm=on", with: "dtoverlay=\(overlay)", in: configuration)
            system.tree["/boot/firmware/overlays/\(overlay).dtbo"] = ""
            #expect(system.troubles == [])
        }
    }

    @Test func `an overlay on the UART's own pins, or I2C's`() {
        var system = System.zero2W
        system.tree[configuration] = System.configuration(
            "enable_uart=1", "dtoverlay=gpio-shutdown", "dtoverlay=w1-gpio,gpiopin=15")
        system.tree["/boot/firmware/overlays/gpio-shutdown.dtbo"] = ""
        #expect(
            system.troubles == [
                "line-overlay: dtoverlay=gpio-shutdown takes GPIO3 (I2C) from the board; "
                    + "\(configuration):41: remove dtoverlay=gpio-shutdown, or give it another pin with gpio_pin=",
                "line-overlay: dtoverlay=w1-gpio takes GPIO15 (the UART) from the board; "
                    + "\(configuration):42: remove dtoverlay=w1-gpio, or give it another pin with gpiopin=",
            ])
    }

    @Test func `pps-gpio at the pulse's own line is right, and at another is not`() {
        var system = System.zero2W
        system.tree[configuration] = System.configuration("enable_uart=1", "dtoverlay=pps-gpio")
        #expect(system.troubles == [])
        system.tree[configuration] = System.configuration("enable_uart=1", "dtoverlay=pps-gpio,gpiopin=12")
        #expect(
            system.troubles == [
                "pulse: pps-gpio listens at another pin than the board's GPIO18; "
                    + "\(configuration):41: change it to dtoverlay=pps-gpio,gpiopin=18"
            ])
    }
}
