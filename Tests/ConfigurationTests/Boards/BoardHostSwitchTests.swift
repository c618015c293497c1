import Boards
import Configuration
import Hardware
import HostSwitches
import Testing

@Suite("The host's switch in a board file")
struct BoardHostSwitchTests {
    private static let usb = "device: \"/dev/sextant/usb\""

    private func board(
        _ hostSwitch: String, receiver: String = usb, lines: String = "", sensors: String = ""
    ) throws -> Board {
        let text = """
            {
                receiver: { model: "neo-m8n", \(receiver), baud: "auto", supplyVolts: 3.3, draw: "typical" },
                lines: { \(lines) }, backup: "battery", host: "zero-2w", \(sensors)
                hostSwitch: \(hostSwitch),
            }
            """
        return try readFile(text) { try BoardFile.board(at: $0) }
    }

    private func problem(
        _ hostSwitch: String, receiver: String = usb, lines: String = "", sensors: String = ""
    ) -> String? {
        do {
            _ = try board(hostSwitch, receiver: receiver, lines: lines, sensors: sensors)
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `a switch is read with its bus and address`() throws {
        let pijuice = try #require(try board("{ model: \"pijuice\", bus: \"/dev/i2c-1\" }").hostSwitch)
        #expect(
            pijuice == BoardHostSwitch(model: .pijuice, bus: "/dev/i2c-1", address: nil, motionWake: false))
        #expect(pijuice.usedAddress == I2CAddress(0x14))
        let sugar = try board("{ model: \"piSugar3\", bus: \"B\", address: 0x30 }").hostSwitch
        #expect(sugar?.usedAddress == I2CAddress(0x30))
        let clock = try board("{ model: \"rtc\" }").hostSwitch
        #expect(clock == BoardHostSwitch(model: .rtc, bus: nil, address: nil, motionWake: false))
        #expect(try board("null").hostSwitch == nil)
    }

    @Test(arguments: [
        (
            "{ bus: \"B\" }",
            "hostSwitch.model: missing; name what cuts the board's supply: \"rtc\", \"pijuice\", "
                + "\"wittyPi4\", \"lifepo4wered\", \"piSugar3\", \"wittyPi5\", \"latch\""
        ),
        (
            "{ model: \"latch\" }",
            "hostSwitch.bus: missing; name the I2C bus that it is on, such as bus: \"/dev/i2c-1\""
        ),
        ("{ model: \"rtc\", bus: \"B\" }", "hostSwitch.bus: \"B\" must be left out, since the rtc is on no I2C bus"),
        ("{ model: \"rtc\", address: 8 }", "hostSwitch.address: 8 must be left out, since the rtc is on no I2C bus"),
        (
            "{ model: \"latch\", bus: \"B\", motionWake: true }",
            "hostSwitch.motionWake: true must be false, unless accelerometer.motion says from when on its interrupt "
                + "tells of motion"
        ),
        (
            "{ model: \"latch\", buss: \"B\", bus: \"B\" }",
            "hostSwitch.buss: unknown key; the keys here are model, bus, address, motionWake"
        ),
    ])
    func `a wrong key is named with what was expected`(hostSwitch: String, problem: String) {
        #expect(self.problem(hostSwitch) == "FILE: \(problem)")
    }

    private static let wittyPi = "{ model: \"wittyPi4\", bus: \"/dev/i2c-1\" }"

    @Test(arguments: [
        ("powerEnable", "GPIO17", "safe: \"inactive\""), ("wake", "pinctrl-bcm2835:17", "safe: \"inactive\""),
        ("pulsePerSecond", "GPIO4", "bias: \"asIs\""), ("reset", "pinctrl-rp1:4", "safe: \"inactive\""),
    ])
    func `SLEEP-19: a line that the Witty Pi 4 has for itself is refused with both keys`(
        role: String, line: String, rest: String
    ) {
        #expect(
            problem(Self.wittyPi, lines: "\(role): { name: \"\(line)\", \(rest) }")
                == "FILE: hostSwitch.model: \"wittyPi4\" must be another switch, or lines.\(role).name another line, "
                + "since it has \(line) for itself")
    }

    @Test(arguments: ["/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0", "/dev/sextant/uart"])
    func `SLEEP-13, SLEEP-19: a receiver at a UART of a Witty Pi 4 is refused with both keys`(device: String) {
        #expect(
            problem(Self.wittyPi, receiver: "device: \"\(device)\"")
                == "FILE: hostSwitch.model: \"wittyPi4\" must be another switch, or receiver.device a receiver at USB or "
                + "another UART, since it watches GPIO14, where \(device) sends")
        #expect(problem("{ model: \"pijuice\", bus: \"B\" }", receiver: "device: \"\(device)\"") == nil)
    }

    @Test func `lines and UARTs that the Witty Pi 4 leaves alone are taken`() {
        let lines =
            "powerEnable: { name: \"GPIO24\", safe: \"inactive\" }, wake: { name: \"GPIO14\", safe: \"active\" }"
        #expect(problem(Self.wittyPi, receiver: "device: \"/dev/ttyAMA3\"", lines: lines) == nil)
    }

    @Test func `SLEEP-19: a sensor at the switch's address is refused with both keys, and on another bus taken`() {
        func sensors(_ bus: String) -> String {
            "accelerometer: { bus: \"\(bus)\", model: \"mpu6050\", address: 0x68, x: \"right\", y: \"forward\" },"
        }
        let latch = "{ model: \"latch\", bus: \"/dev/i2c-1\" }"
        #expect(
            problem(latch, sensors: sensors("/dev/i2c-1"))
                == "FILE: hostSwitch.model: \"latch\" must be another switch, or accelerometer.address another address, "
                + "since it has 0x68 on this bus")
        #expect(problem(latch, sensors: sensors("/dev/i2c-3")) == nil)
    }

    @Test(arguments: [
        ("neo-m8n", "power-enable", "powerEnable", "GPIO17"), ("neo-m8n", "power-mosfet-5v", "powerEnable", "GPIO17"),
        ("power-none", "ultimate-gps-hat", "pulsePerSecond", "GPIO4"),
    ])
    func `SLEEP-19: parts that collide are refused with both keys and the other's file`(
        first: String, part: String, role: String, line: String
    ) throws {
        let error = #expect(throws: ConfigurationError.self) {
            try BoardFolders.board("zero-2w+\(first)+\(part)+witty-pi-4")
        }
        #expect(
            error?.description
                == "\(BoardFolders.path)/witty-pi-4/board.json5: hostSwitch.model: \"wittyPi4\" must be another switch, "
                + "or lines.\(role).name (in \(BoardFolders.path)/\(part)/board.json5) another line, since it has "
                + "\(line) for itself")
    }

    @Test func `every model has a part of its own`() throws {
        let models = try BoardFolders.parts(.hostSwitch).map {
            try BoardFolders.board(BoardFolders.whole(with: $0)).hostSwitch?.model
        }
        #expect(Set(models) == Set(HostSwitchModel.allCases) && models.count == HostSwitchModel.allCases.count)
    }
}
