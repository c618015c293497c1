import Boards
import Doctor
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

    @Test func `a bus of another number`() {
        var system = System.zero2W
        system.installation.board?.sensors?.bus = "/dev/i2c-4"
        #expect(
            system.troubles == [
                "i2c: I2C bus 4 is off; \(configuration): add under [all], after line 40: dtoverlay=i2c4",
                "i2c-bus: the sensors' bus /dev/i2c-4 is not there; /etc/sextant/sextant.json5: "
                    + "name one of /dev/i2c-1 (bcm2835 (i2c@7e804000)) as bus in the board's file, or switch /dev/i2c-4 on",
            ])
    }

    @Test func `a bus whose group the daemon's user is not in`() {
        var system = System.zero2W
        system.tree.device("/dev/i2c-1", 89, 1, group: 998)
        #expect(
            system.troubles == [
                "i2c-permission: sextant is not in the group i2c, which /dev/i2c-1 has; "
                    + "sudo usermod -aG i2c sextant, and restart sextantd"
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

    @Test func `a chip that the daemon's user may not open`() {
        var system = System.zero2W
        system.tree.device("/dev/gpiochip0", 254, 0, group: 997)
        #expect(
            system.troubles == [
                "gpio-permission: sextant is not in the group gpio, which /dev/gpiochip0 has; "
                    + "sudo usermod -aG gpio sextant, and restart sextantd"
            ])
    }

    @Test func `a chip that switches the host itself is nobody's but root's`() {
        var system = System.fourB
        system.tree.device("/dev/gpiochip1", 254, 1, group: 0, mode: 0o600)
        #expect(system.troubles == [])
        system.tree.link("/dev/sextant/gpio", to: "../gpiochip1")
        #expect(
            system.troubles == [
                "gpio-permission: /dev/sextant/gpio belongs to root alone; "
                    + "install Sextant's udev rules, /lib/udev/rules.d/60-sextant.rules, and restart"
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
        ("dtoverlay=uart5", "GPIO13", "dtoverlay=uart5", "remove dtoverlay=uart5"),
    ])
    func `what takes a pin without being told which`(line: String, pin: String, what: String, mend: String) {
        var system = System.zero2W
        system.tree[configuration] = System.configuration("enable_uart=1", line)
        system.tree["/boot/firmware/overlays/hifiberry-dac.dtbo"] = ""
        system.tree["/boot/firmware/overlays/uart5.dtbo"] = ""
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

    @Test func `a second UART has other pins on a Raspberry Pi 5 than on a 4`() {
        for (base, pin) in [(System.fourB, "GPIO1"), (.fiveB, "GPIO5")] {
            var system = base
            system.tree[configuration] = System.configuration(
                "enable_uart=1", "dtparam=uart0=on", "dtoverlay=miniuart-bt", "dtoverlay=uart2")
            system.tree["/boot/firmware/overlays/uart2.dtbo"] = ""
            #expect(system.troubles == [])
            system.installation.board?.lines[.wake]?.name = pin
            #expect(
                system.troubles.map { $0.prefix { $0 != ";" } } == [
                    "line-overlay: dtoverlay=uart2 takes \(pin) (wake) from the board"
                ])
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
