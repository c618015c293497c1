import Accelerometers
import Beacons
import Boards
import Configuration
import Foundation
import Hardware
import HostSleep
import Magnetism
import Magnetometers
import Receivers
import Testing

@Suite("Board file")
struct BoardFileTests {
    /// A whole board, and the words to put in place of some of it.
    private static let whole = """
        {
            receiver: { model: "neo-m8n", device: "/dev/serial0", baud: 9600, supplyVolts: 3, draw: "typical" },
            lines: {
                powerEnable: { name: "GPIO17", activeLow: true, safe: "inactive" },
                motionInterrupt: { name: "cp2112_gpio:2", bias: "pullUp" },
            },
            backup: "battery",
            motion: { sensor: "lis3dh", milliwatts: 0.04 },
            host: "zero-2w",
            batteryWattHours: 18.5,
        }
        """

    private static let threshold = "thresholdMetresPerSecondSquared"
    private static let duration = "durationSeconds"
    private static let metres = "metres per second squared"

    private func board(replacing part: String = "", with text: String = "") throws -> Board {
        let changed = part.isEmpty ? Self.whole : Self.whole.replacingOccurrences(of: part, with: text)
        #expect(part.isEmpty || changed != Self.whole, "nothing was replaced")
        return try readFile(changed) { try BoardFile.board(at: $0) }
    }

    @Test func `every key's value is read into the board`() throws {
        let board = try board()
        #expect(
            board.receiver
                == BoardReceiver(
                    model: .neoM8N, device: "/dev/serial0", baud: 9600, supplyVolts: 3,
                    draw: ReceiverModel.neoM8N.powerDraw))
        #expect(
            board.lines == [
                .powerEnable: BoardLine(name: "GPIO17", activeLow: true, safe: .inactive, bias: .asIs),
                .motionInterrupt: BoardLine(name: "cp2112_gpio:2", activeLow: false, safe: nil, bias: .pullUp),
            ])
        #expect(board.backup == .battery)
        #expect(board.motion == MotionSensor(sensor: "lis3dh", milliwatts: 0.04))
        #expect(board.host == HostPower(idleMilliwatts: 600, wakeMillijoules: 0.6))
        #expect(board.hostModel == .zero2W)
        #expect(board.batteryWattHours == 18.5)
    }

    @Test func `Bluetooth is optional, and Eddystone is off unless it is wanted`() throws {
        #expect(try board().bluetooth == nil)
        #expect(try board(sensors: "bluetooth: {}").bluetooth == BeaconRadio.Settings())
        let members = "power: false, eddystone: true, listeningMilliwatts: 75, rangingDuty: 0.4"
        let settings = try board(sensors: "bluetooth: { \(members) }").bluetooth
        #expect(settings?.listeningMilliwatts == 75 && settings?.rangingDuty == 0.4)
        #expect(settings?.maySwitchOn == false)
        #expect(settings?.formats == [.iBeacon, .altBeacon, .eddystoneUID])
    }

    @Test func `an unknown key of Bluetooth is named`() {
        let description =
            "FILE: bluetooth.powr: unknown key; the keys here are power, eddystone, listeningMilliwatts, rangingDuty"
        #expect(throws: ConfigurationError(description: description)) {
            try board(sensors: "bluetooth: { powr: true }")
        }
    }

    /// With the sensors of an I2C bus before the battery.
    private func board(sensors: String) throws -> Board {
        try board(replacing: "batteryWattHours", with: "\(sensors), batteryWattHours")
    }

    @Test func `a sensor has a bus, a model, an address and a mounting`() throws {
        let board = try board(
            sensors: """
                magnetometer: { bus: "/dev/i2c-1", model: "qmc5883l", address: 0x0d, x: "right", y: "forward" },
                accelerometer: { model: "lis3dh", address: 25, x: "backward", y: "down", turnDegrees: -12.5 }
                """)
        let magnetometer = BoardChip<MagnetometerModel>(
            model: .qmc5883l, address: I2CAddress(0x0D), mounting: try Mounting(x: .right, y: .forward))
        let accelerometer = BoardChip<AccelerometerModel>(
            model: .lis3dh, address: I2CAddress(0x19),
            mounting: try Mounting(x: .backward, y: .down, turn: -12.5))
        #expect(
            board.sensors
                == BoardSensors(bus: "/dev/i2c-1", magnetometer: magnetometer, accelerometer: accelerometer))
    }

    @Test func `a sensor's model and address are searched for when not given`() throws {
        for words in ["", "model: \"auto\", address: \"auto\", "] {
            let sensors = try board(
                sensors: "magnetometer: { bus: \"/dev/i2c-1\", \(words)x: \"up\", y: \"left\" }"
            ).sensors
            #expect(sensors?.bus == "/dev/i2c-1")
            #expect(sensors?.magnetometer?.model == nil && sensors?.magnetometer?.address == nil)
            #expect(sensors?.magnetometer?.mounting == .some(try Mounting(x: .up, y: .left)))
            #expect(sensors?.accelerometer == nil)
        }
        #expect(try board().sensors == nil)
    }

    @Test(arguments: [MagnetometerModel.mmc5603, .mmc5983ma], SetResetPolarity.allCases)
    func `the polarity of a set/reset pulse can be given`(
        model: MagnetometerModel, polarity: SetResetPolarity
    ) throws {
        let chip = "bus: \"B\", model: \"\(model.rawValue)\", x: \"right\", y: \"up\""
        let sensors = try board(sensors: "magnetometer: { \(chip), polarity: \"\(polarity.rawValue)\" }").sensors
        #expect(sensors?.polarity == polarity)
        #expect(try board(sensors: "magnetometer: { \(chip) }").sensors?.polarity == nil)
    }

    @Test func `an accelerometer can be described without a magnetometer, with a motion threshold`() throws {
        let board = try board(
            sensors: """
                accelerometer: {
                    bus: "/dev/i2c-1", x: "right", y: "forward", motion: { thresholdMetresPerSecondSquared: 0.6, durationSeconds: 0.1 }
                }
                """)
        #expect(board.sensors?.magnetometer == nil && board.sensors?.accelerometer != nil)
        #expect(board.sensors?.motion == MotionThreshold(acceleration: 0.6, duration: 0.1))
    }

    @Test func `a motion threshold needs an interrupt line`() {
        let description =
            "FILE: motion: missing; accelerometer.motion is given, so say that it drives the interrupt's line"
        #expect(throws: ConfigurationError(description: description)) {
            try board(
                replacing:
                    "motionInterrupt: { name: \"cp2112_gpio:2\", bias: \"pullUp\" },\n    },\n    backup: \"battery\",\n"
                    + "    motion: { sensor: \"lis3dh\", milliwatts: 0.04 },",
                with: """
                    }, backup: "battery", accelerometer: {
                        bus: "B", x: "right", y: "forward", motion: { thresholdMetresPerSecondSquared: 0.6 }
                    },
                    """)
        }
    }

    @Test(arguments: [
        (
            "magnetometer: { x: \"right\", y: \"forward\" }",
            "magnetometer.bus: missing; name the I2C bus that it is on, such as bus: \"/dev/i2c-1\""
        ),
        (
            "magnetometer: { bus: \"B\", model: \"hmc5983\", x: \"right\", y: \"forward\" }",
            "magnetometer.model: \"hmc5983\" must be \"auto\" or one of "
                + MagnetometerModel.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        ),
        (
            "magnetometer: { bus: \"B\", address: 0x1e0, x: \"right\", y: \"forward\" }",
            "magnetometer.address: 480 must be \"auto\", or seven bits without the direction bit, 0x08 to 0x77"
        ),
        (
            "accelerometer: { bus: \"B\", address: \"0x19\", x: \"right\", y: \"forward\" }",
            "accelerometer.address: \"0x19\" must be \"auto\", or seven bits without the direction bit, 0x08 to 0x77"
        ),
        (
            "magnetometer: { bus: \"B\", y: \"forward\" }",
            "magnetometer.x: missing; say where the chip's x axis points, seen from above: \"right\", \"left\", "
                + "\"forward\", \"backward\", \"up\", \"down\""
        ),
        (
            "magnetometer: { bus: \"B\", x: \"north\", y: \"forward\" }",
            "magnetometer.x: \"north\" must be one of \"right\", \"left\", \"forward\", \"backward\", \"up\", \"down\""
        ),
        (
            "magnetometer: { bus: \"B\", x: \"right\", y: \"left\" }",
            "magnetometer.y: \"left\" must be at a right angle to x, which is \"right\"; look at the axes in the data "
                + "sheet's drawing"
        ),
        (
            "magnetometer: { bus: \"B\", x: \"right\", y: \"up\", turnDegrees: 270 }",
            "magnetometer.turnDegrees: 270 must be degrees from -180 to 180"
        ),
        (
            "magnetometer: { bus: \"B\", x: \"right\", y: \"up\", z: \"back\" }",
            "magnetometer.z: unknown key; the keys here are bus, model, address, x, y, turnDegrees, polarity"
        ),
        (
            "magnetometer: { bus: \"B\", model: \"mmc5603\", x: \"right\", y: \"up\", polarity: \"set\" }",
            "magnetometer.polarity: \"set\" must be one of \"afterSet\", \"afterReset\""
        ),
        (
            "magnetometer: { bus: \"B\", model: \"lis3mdl\", x: \"right\", y: \"up\", polarity: \"afterSet\" }",
            "magnetometer.polarity: \"afterSet\" must be left out, since lis3mdl has none; mmc5603, mmc5983ma have"
        ),
        (
            "magnetometer: { bus: \"B\", x: \"right\", y: \"up\", polarity: \"afterReset\" }",
            "magnetometer.polarity: \"afterReset\" must be left out, unless model is one of mmc5603, mmc5983ma"
        ),
        (
            "accelerometer: { bus: \"B\", x: \"right\", y: \"up\", motion: { durationSeconds: 1 } }",
            "accelerometer.motion.thresholdMetresPerSecondSquared: missing; say how strong motion is, such as thresholdMetresPerSecondSquared: 0.8"
        ),
        (
            "accelerometer: { bus: \"B\", x: \"right\", y: \"up\", motion: { thresholdMetresPerSecondSquared: 600 } }",
            "accelerometer.motion.thresholdMetresPerSecondSquared: 600 must be metres per second squared from 0.05 to 20"
        ),
        (
            "magnetometer: { bus: \"B\", x: \"right\", y: \"up\" }, "
                + "accelerometer: { bus: \"C\", x: \"right\", y: \"up\" }",
            "accelerometer.bus: \"C\" must be \"B\", since the magnetometer is on that one"
        ),
    ])
    func `an error in a sensor names the key, the value and the remedy`(sensors: String, message: String) {
        #expect(throws: ConfigurationError(description: "FILE: \(message)")) { try board(sensors: sensors) }
    }

    @Test(arguments: [
        ("lis3dh", "\(threshold): 0.1", "\(threshold): 0.1 must be for lis3dh \(metres) from 0.156 to 19.93"),
        ("adxl345", "\(threshold): 0.6", "\(threshold): 0.6 must be for adxl345 \(metres) from 0.612 to 20"),
        ("mpu6050", "\(threshold): 20", "\(threshold): 20 must be for mpu6050 \(metres) from 0.313 to 19.62"),
        ("mpu9250", "\(threshold): 11", "\(threshold): 11 must be for mpu9250 \(metres) from 0.05 to 10.01"),
        ("icm20948", "\(threshold): 1, \(duration): 0.1", "\(duration): 0.1 must be for icm20948 seconds from 0 to 0"),
        ("adxl345", "\(threshold): 1, \(duration): 0.1", "\(duration): 0.1 must be for adxl345 seconds from 0 to 0"),
        ("mpu6500", "\(threshold): 1, \(duration): 1", "\(duration): 1 must be for mpu6500 seconds from 0 to 0.1"),
        ("mpu6050", "\(threshold): 1, \(duration): 0.3", "\(duration): 0.3 must be for mpu6050 seconds from 0 to 0.2"),
    ])
    func `a motion threshold that the chip cannot watch for is an error naming that threshold`(
        model: String, motion: String, message: String
    ) {
        #expect(throws: ConfigurationError(description: "FILE: accelerometer.motion.\(message)")) {
            try board(
                sensors: """
                    accelerometer: {
                        bus: "B", model: "\(model)", x: "right", y: "up", motion: { \(motion) }
                    }
                    """)
        }
    }

    @Test(arguments: AccelerometerModel.allCases)
    func `a motion threshold that every chip can watch for is accepted`(model: AccelerometerModel) throws {
        // One step of each is what a script may write.
        let least: Double =
            switch model {
            case .lis3dh, .lsm303dlhc: 0.157
            case .adxl345: 0.613
            case .mpu6050: 0.314
            case .mpu6500, .mpu9250, .icm20948: 0.05
            }
        for threshold in [least, 1, 9.9] {
            let sensors = try board(
                sensors: """
                    accelerometer: {
                        bus: "B", model: "\(model.rawValue)", x: "right", y: "up",
                        motion: { thresholdMetresPerSecondSquared: \(threshold), durationSeconds: 0 }
                    }
                    """
            ).sensors
            #expect(sensors?.motion == MotionThreshold(acceleration: threshold, duration: 0))
        }
    }

    @Test(arguments: ["milliwatts", "milliamps"])
    func `a measured draw is in milliwatts, or in milliamps at the supply voltage`(unit: String) throws {
        let states = "acquiring: 30, tracking: 20, cyclic: 10, softwareSleep: 0.5, hardwareSleep: 0"
        let board = try board(replacing: "\"typical\"", with: "{ \(unit): { \(states) } }")
        let factor = unit == "milliamps" ? 3.0 : 1
        #expect(
            board.receiver.draw
                == PowerDraw(
                    acquiring: 30 * factor, tracking: 20 * factor, cyclic: 10 * factor, softwareSleep: 0.5 * factor,
                    hardwareSleep: 0))
    }

    @Test func `a state marked typical has the receiver model's draw`() throws {
        let states =
            "acquiring: 30, tracking: 20, cyclic: \"typical\", softwareSleep: 0.5, hardwareSleep: \"typical\""
        let usual = ReceiverModel.neoM8N.powerDraw
        let draw = try board(replacing: "\"typical\"", with: "{ milliamps: { \(states) } }").receiver.draw
        #expect(
            draw
                == PowerDraw(
                    acquiring: 90, tracking: 60, cyclic: usual.cyclic, softwareSleep: 1.5,
                    hardwareSleep: usual.hardwareSleep))
    }

    @Test func `a host can be given by its power draw instead of its model name`() throws {
        let board = try board(replacing: "\"zero-2w\"", with: "{ idleMilliwatts: 90, wakeMillijoules: 2 }")
        #expect(board.host == HostPower(idleMilliwatts: 90, wakeMillijoules: 2))
        #expect(board.hostModel == nil)
        let assumed = try self.board(replacing: "\"zero-2w\"", with: "{ idleMilliwatts: 90 }")
        #expect(assumed.host == HostPower(idleMilliwatts: 90, wakeMillijoules: 0.6))
    }

    @Test func `what a boot and a stop cost is read as measured, all of it or none`() throws {
        let measured = "bootSeconds: 31, bootJoules: 22.5, stopSeconds: 6, stopMilliwatts: 800, haltedMilliwatts: 160"
        let board = try board(replacing: "\"zero-2w\"", with: "{ model: \"zero-2w\", \(measured) }")
        #expect(board.hostModel == .zero2W)
        #expect(
            board.hostCosts
                == HostCosts(
                    bootSeconds: 31, bootJoules: 22.5, stopSeconds: 6, stopMilliwatts: 800, haltedMilliwatts: 160,
                    idleMilliwatts: 600))
        #expect(try self.board().measuredHostCosts == nil)
        let message =
            "FILE: host.bootJoules: missing; it belongs to bootSeconds; scripts/tune-host of Sextant's sources "
            + "measures all of them"
        #expect(throws: ConfigurationError(description: message)) {
            try self.board(replacing: "\"zero-2w\"", with: "{ idleMilliwatts: 90, bootSeconds: 31 }")
        }
    }

    @Test func `a baud rate that is not given is searched for`() throws {
        #expect(try board(replacing: "baud: 9600, ", with: "").receiver.baud == nil)
        #expect(try board(replacing: "baud: 9600", with: "baud: \"auto\"").receiver.baud == nil)
    }

    @Test(arguments: [
        (
            "neo-m8n", "neo-m9x",
            "receiver.model: \"neo-m9x\" must be one of \"neo-m8n\", \"max-m8q\", \"neo-m9n\", \"max-m10s\", \"sam-m10q\", "
                + "\"neo-6m\", \"zed-f9p\", \"l76k\", \"atgm336h\", \"pa1616\", \"lc76g\", \"generic-nmea\""
        ),
        ("draw: \"typical\"", "", "receiver.draw: missing; give what was measured, or \"typical\" for the model's"),
        (
            "\"typical\"", "{ milliamps: { acquiring: 30, tracking: 20, softwareSleep: 0.5, hardwareSleep: 0 } }",
            "receiver.draw.milliamps.cyclic: missing; measure it, or give \"typical\""
        ),
        (
            "\"typical\"", "{ milliwatts: { acquiring: -30 } }",
            "receiver.draw.milliwatts.acquiring: -30 must be milliwatts from 0 to 10000, or \"typical\""
        ),
        (
            "\"typical\"", "{ milliwatts: {}, milliamps: {} }",
            "receiver.draw: an object must be \"typical\", { milliwatts: {...} } or { milliamps: {...} }"
        ),
        (
            "\"typical\"", "{ watts: {} }",
            "receiver.draw.watts: unknown key; the keys here are milliamps, milliwatts"
        ),
        ("supplyVolts: 3,", "supplyVolts: 3300,", "receiver.supplyVolts: 3300 must be volts from 1 to 24"),
        ("supplyVolts: 3,", "supplyVolts: NaN,", "receiver.supplyVolts: NaN must be volts from 1 to 24"),
        ("milliwatts: 0.04", "milliwatts: +Infinity", "motion.milliwatts: Infinity must be milliwatts from 0 to 1000"),
        ("18.5", "-Infinity", "batteryWattHours: -Infinity must be watt hours from 0.1 to 10000"),
        ("9600", "300", "receiver.baud: 300 must be bits per second from 4800 to 921600, or \"auto\""),
        (
            "powerEnable:", "enable:",
            "lines.enable: unknown key; the keys here are powerEnable, backupSupply, reset, wake, pulsePerSecond, "
                + "motionInterrupt, indicator"
        ),
        (
            "cp2112_gpio:2", "GPIO17",
            "lines.motionInterrupt.name: \"GPIO17\" must be another line: powerEnable has this one"
        ),
        (
            ", safe: \"inactive\"", "",
            "lines.powerEnable.safe: missing; give the level that the board's resistor sets while no program drives the "
                + "line: \"inactive\" or \"active\""
        ),
        ("\"inactive\"", "\"off\"", "lines.powerEnable.safe: \"off\" must be one of \"inactive\", \"active\""),
        (
            "bias: \"pullUp\"", "safe: \"active\"",
            "lines.motionInterrupt.safe: unknown key; the keys here are name, activeLow, bias"
        ),
        ("activeLow: true", "activeLow: 1", "lines.powerEnable.activeLow: 1 must be true or false"),
        (
            "\"battery\"", "\"hostLine\"",
            "lines.backupSupply: missing; backup is \"hostLine\", so say which line that is"
        ),
        ("\"battery\"", "\"coin\"", "backup: \"coin\" must be one of \"none\", \"battery\", \"hostLine\""),
        (
            "powerEnable:", "backupSupply:",
            "backup: \"battery\" must be \"hostLine\", since lines.backupSupply is given"
        ),
        (
            "motion: { sensor: \"lis3dh\", milliwatts: 0.04 },", "",
            "motion: missing; lines.motionInterrupt is given, so say which sensor drives it"
        ),
        (
            "motionInterrupt:", "pulsePerSecond:",
            "lines.motionInterrupt: missing; motion is given, so say which line its interrupt is on"
        ),
        ("0.04", "-1", "motion.milliwatts: -1 must be milliwatts from 0 to 1000"),
        (
            "\"zero-2w\"", "\"zero\"",
            "host: \"zero\" must be one of \"zero-2w\", \"zero-2w-trimmed\", \"3a+\", \"3b+\", \"4b\", \"5\", \"cm4\", or "
                + "an object"
        ),
        ("18.5", "0", "batteryWattHours: 0 must be watt hours from 0.1 to 10000"),
        (
            "batteryWattHours", "battery",
            "battery: unknown key; the keys here are $schema, part, extends, receiver, lines, backup, motion, "
                + "magnetometer, accelerometer, host, batteryWattHours, power, bluetooth, hostSwitch"
        ),
        (
            "batteryWattHours", "power: { probe: 9 }, batteryWattHours",
            "power.probe: 9 must be seconds from 10 to 86400"
        ),
        (
            "batteryWattHours", "power: { probes: 60 }, batteryWattHours",
            "power.probes: unknown key; the keys here are probe"
        ),
        ("batteryWattHours", "power: 60, batteryWattHours", "power: 60 must be an object"),
        ("backup:", "backup", "not JSON5: line 7, column 12: a colon after the key expected"),
    ])
    func `an error names the file, the key, the value and the remedy`(part: String, text: String, message: String) {
        #expect(throws: ConfigurationError(description: "FILE: \(message)")) { try board(replacing: part, with: text) }
    }

    @Test func `the owner sets how long the receiver may be off at rest without a motion sensor`() throws {
        for seconds in [10, 60, 86_400.0] {
            let text = "power: { probe: \(seconds) }, batteryWattHours"
            #expect(try board(replacing: "batteryWattHours", with: text).longestUnwatchedRest == seconds)
        }
        #expect(try board(replacing: "18.5", with: "20").longestUnwatchedRest == nil)
    }

    @Test func `a missing board is reported with how to name one`() {
        #expect {
            try BoardFile.board(at: "/nonexistent/zero")
        } throws: { error in
            (error as? ConfigurationError)
                == ConfigurationError(
                    description: "/nonexistent/zero/board.json5: no such file; "
                        + "name a board's folder or the board.json5 in it",
                    isUnreadable: true)
        }
        #expect(throws: ConfigurationError.self) { try BoardFile.board(at: "none-such") }
    }
}
