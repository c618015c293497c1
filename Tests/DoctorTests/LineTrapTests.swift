import Boards
import Doctor
import Hardware
import Receivers
import Testing

/// Each trap between a board's GPIO lines and the host is found, with file and line.
struct LineTrapTests {
    private let configuration = "/boot/firmware/config.txt"

    @Test func `the absence of any GPIO chip is reported`() {
        var system = System.zero2W
        system.tree.remove("/dev/gpiochip0")
        system.live.gpioChips = []
        #expect(system.troubles.map { $0.prefix { $0 != ";" } } == ["gpio-chip: there is no GPIO chip in /dev"])
    }

    @Test func `a GPIO chip that no udev rule gives to the daemon is reported`() {
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

    @Test func `without a udev rule none of several GPIO chips is assumed to be the header's`() {
        var system = System.emulated
        for number: UInt64 in 0...1 {
            system.tree.device("/dev/gpiochip\(number)", 254, number, group: 0, mode: 0o600)
            system.tree["/run/udev/data/c254:\(number)"] = nil
        }
        #expect(
            system.troubles == [
                "gpio-permission: sextant may open none of /dev/gpiochip0, /dev/gpiochip1; "
                    + "/etc/udev/rules.d/59-sextant-local.rules: "
                    + "add, with the number of the chip that gpioinfo shows with the board's lines: "
                    + "SUBSYSTEM==\"gpio\", KERNEL==\"gpiochipN\", ENV{SEXTANT_DEVICE}=\"1\"; "
                    + "then: sudo udevadm control --reload && sudo udevadm trigger"
            ])
        system.tree.remove("/lib/udev/rules.d/60-sextant.rules")
        #expect(
            system.troubles.first == "gpio-permission: sextant may not open /dev/gpiochip0; "
                + "install Sextant's udev rules, /lib/udev/rules.d/60-sextant.rules, and restart")
    }

    @Test func `a GPIO chip for the host's own supplies may be left to root`() {
        var system = System.fourB
        system.tree.device("/dev/gpiochip1", 254, 1, group: 0, mode: 0o600)
        #expect(system.troubles == [])
    }

    @Test func `a udev rule without the program that grants access is reported`() {
        var system = System.fourB
        system.tree.device("/dev/gpiochip0", 254, 0, group: 997)
        system.tree.link("/dev/sextant/gpio", to: "../gpiochip0")
        #expect(
            system.troubles == [
                "gpio-permission: sextant may not open /dev/sextant/gpio; "
                    + "sudo apt install acl && sudo udevadm trigger"
            ])
    }

    @Test func `a line that no GPIO chip has is reported`() {
        var system = System.zero2W
        system.installation.board?.lines[.powerEnable]?.name = "GPIO71"
        #expect(
            system.troubles == [
                "gpio-line: no GPIO chip has the line GPIO71 (powerEnable); /etc/sextant/sextant.json5: "
                    + "correct lines.powerEnable.name in its board's file; gpioinfo lists those there are"
            ])
    }

    @Test func `a line is found by its chip and number`() {
        var system = System.zero2W
        system.installation.board?.lines[.powerEnable]?.name = "pinctrl-bcm2835:5"
        #expect(system.troubles == [])
    }

    @Test func `a line held by another consumer is reported with the holder`() {
        var system = System.zero2W
        system.live.gpioChips?[0].lines[27].consumer = "fan"
        #expect(
            system.troubles == [
                "gpio-holder: GPIO27 (wake) is held by \"fan\"; stop that program, or give the board another line"
            ])
    }

    @Test func `pps-gpio may hold the pulse line for the board, and another holder is reported`() {
        var system = System.zero2W
        system.tree[configuration] = System.configuration("enable_uart=1", "dtoverlay=pps-gpio")
        system.live.gpioChips?[0].lines[18].consumer = "pps@12"
        #expect(system.troubles == [])
        system.tree[configuration] = System.configuration("enable_uart=1")
        #expect(
            system.troubles == [
                "gpio-holder: GPIO18 (pulsePerSecond) is held by \"pps@12\"; "
                    + "stop that program, or give the board another line"
            ])
    }

    @Test func `an overlay that holds one of the board's lines is reported`() {
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

    @Test(arguments: ["GPIO4", "pinctrl-bcm2835:4", "pinctrl-bcm2711:4", "pinctrl-rp1:4"])
    func `an overlay that takes a pin is reported for a line given by name or by chip and number`(name: String) {
        var system = System.zero2W
        system.tree[configuration] = System.configuration("enable_uart=1", "dtoverlay=w1-gpio")
        system.installation.board?.lines[.powerEnable]?.name = name
        system.live.gpioChips?[0].label = name.split(separator: ":").first.map(String.init) ?? ""
        #expect(
            system.troubles == [
                "line-overlay: dtoverlay=w1-gpio takes \(name) (powerEnable) from the board; "
                    + "\(configuration):41: remove dtoverlay=w1-gpio, or give it another pin with gpiopin="
            ])
    }

    @Test func `a pulse line given by chip and number is checked against pps-gpio's pin`() {
        var system = System.zero2W
        system.installation.board?.lines[.pulsePerSecond]?.name = "pinctrl-bcm2835:18"
        system.tree[configuration] = System.configuration("enable_uart=1", "dtoverlay=pps-gpio,gpiopin=12")
        #expect(
            system.troubles == [
                "pulse: pps-gpio listens at another pin than the board's pinctrl-bcm2835:18; "
                    + "\(configuration):41: change it to dtoverlay=pps-gpio,gpiopin=18"
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
    func `an overlay that takes a pin by default is reported`(line: String, pin: String, what: String, mend: String) {
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
    @Test func `a gpio= line in config.txt that sets a pin's initial state takes no line from the board`() {
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
    func `the pins of UARTs and I2C buses are known for a Raspberry Pi 4`(overlay: String, pins: [Int]) {
        #expect(self.pins(of: overlay, on: .fourB) == pins)
    }

    @Test(arguments: [
        ("uart1-pi5", [0, 1]), ("uart2", [4, 5]), ("uart2-pi5", [4, 5]), ("uart3-pi5,ctsrts", [8, 9, 10, 11]),
        ("uart4-pi5", [12, 13]), ("uart5", []), ("i2c0-pi5", [0, 1]), ("i2c0-pi5,pins_8_9", [8, 9]),
        ("i2c1-pi5,pins_10_11", [10, 11]), ("i2c2-pi5", [4, 5]), ("i2c2-pi5,pins_12_13", [12, 13]),
        ("i2c3-pi5", [6, 7]), ("i2c3", [6, 7]), ("i2c3-pi5,pins_14_15", [14, 15]), ("i2c3-pi5,pins_22_23", [22, 23]),
        ("i2c4", []), ("w1-gpio-pi5", [4]),
    ])
    func `the pins of UARTs and I2C buses are known for a Raspberry Pi 5`(overlay: String, pins: [Int]) {
        #expect(self.pins(of: overlay, on: .fiveB) == pins)
    }

    @Test(arguments: ["uart2", "uart3", "uart4", "uart5", "i2c3", "i2c4", "i2c5", "i2c6", "i2c3-pi5"])
    func `an overlay of another model takes no pins of a Zero 2 W`(overlay: String) {
        #expect(pins(of: overlay, on: .zero2W) == [])
    }

    @Test func `for a bus overlay on one of the board's lines the bus's other pins are suggested`() {
        var system = System.fiveB
        system.tree[configuration] = System.configuration("dtparam=uart0=on", "dtoverlay=i2c3-pi5,pins_22_23")
        system.tree["/boot/firmware/overlays/i2c3-pi5.dtbo"] = ""
        #expect(
            system.troubles == [
                "line-overlay: dtoverlay=i2c3-pi5 takes GPIO22 (motionInterrupt) from the board; \(configuration):41: "
                    + "remove dtoverlay=i2c3-pi5, or give it other pins with pins_6_7 or pins_14_15"
            ])
    }

    @Test func `the overlay of the sensors' own bus is not reported`() {
        for (system, overlay) in [(System.fourB, "i2c1"), (.fiveB, "i2c1-pi5")] {
            var system = system
            system.tree.replace("dtparam=i2c_arm=on", with: "dtoverlay=\(overlay)", in: configuration)
            system.tree["/boot/firmware/overlays/\(overlay).dtbo"] = ""
            #expect(system.troubles == [])
        }
    }

    @Test func `an overlay on the pins of the receiver's UART or the I2C bus is reported`() {
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

    @Test func `pps-gpio on the board's pulse line is accepted, and on another line reported`() {
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
