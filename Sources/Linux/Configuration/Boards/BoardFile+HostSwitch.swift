internal import Boards
internal import Hardware
internal import HostSwitches
internal import Receivers
internal import SextantJSON

extension BoardFile {
    /// The device paths of the UART on GPIO14 and GPIO15 of the Raspberry Pi's header.
    private static let headerUARTs: Set = ["/dev/sextant/uart", "/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0"]

    /// Reads the section `hostSwitch`, about the part that cuts the board's supply; nil if the file has no such
    /// section.
    static func takeHostSwitch(from file: inout ConfigurationSection) throws(ConfigurationError) -> BoardHostSwitch? {
        guard var section = try file.takeSection("hostSwitch") else { return nil }
        guard let model = try section.takeWord("model", HostSwitchModel.self) else {
            let models = HostSwitchModel.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw section.missing("model", "name what cuts the board's supply: \(models)")
        }
        let bus = try section.takeString("bus")
        let address = try takeAddress(from: &section)
        let motionWake = try section.takeBool("motionWake") ?? false
        if model.isOnBus {
            guard bus != nil else {
                throw section.missing("bus", "name the I2C bus that it is on, such as bus: \"/dev/i2c-1\"")
            }
        } else {
            let expected = "left out, since the \(model.rawValue) is on no I2C bus"
            if let bus { throw section.wrong("bus", .string(bus), expected: expected) }
            if let address { throw section.wrong("address", .number(Double(address.rawValue)), expected: expected) }
        }
        try section.finish()
        return BoardHostSwitch(model: model, bus: bus, address: address, motionWake: motionWake)
    }

    /// Throws if the host switch, which cuts the board's supply, conflicts with the rest of the board's file: with a
    /// GPIO line, the receiver's UART, a sensor's I2C address or the motion settings.
    static func check(
        _ hostSwitch: BoardHostSwitch, on board: Board, in file: ConfigurationSection
    ) throws(ConfigurationError) {
        let model = hostSwitch.model
        for number in model.ownLines {
            guard let (role, line) = board.lines.first(where: { $0.value.isHeaderLine(number) }) else { continue }
            throw collision(
                "lines.\(role.key).name", "another line", "it has \(line.name) for itself", of: hostSwitch, in: file)
        }
        if model.watchesUART, headerUARTs.contains(board.receiver.device) {
            throw collision(
                "receiver.device", "a receiver at USB or another UART",
                "it watches GPIO14, where \(board.receiver.device) sends", of: hostSwitch, in: file)
        }
        try checkAddress(of: hostSwitch, on: board, in: file)
        if hostSwitch.motionWake, board.sensors?.motion == nil {
            throw file.wrong(
                "hostSwitch.motionWake", .bool(true),
                expected: "false, unless accelerometer.motion says from when on its interrupt tells of motion")
        }
    }

    private static func checkAddress(
        of hostSwitch: BoardHostSwitch, on board: Board, in file: ConfigurationSection
    ) throws(ConfigurationError) {
        guard let sensors = board.sensors, sensors.bus == hostSwitch.bus, let used = hostSwitch.usedAddress else {
            return
        }
        let chips = [
            ("magnetometer.address", sensors.magnetometer?.address),
            ("accelerometer.address", sensors.accelerometer?.address),
        ]
        for (key, address) in chips where address == used {
            throw collision(key, "another address", "it has \(used) on this bus", of: hostSwitch, in: file)
        }
    }

    /// Makes the error that the host switch conflicts with another key of the board's file; the text names both.
    private static func collision(
        _ other: String, _ change: String, _ reason: String, of hostSwitch: BoardHostSwitch,
        in file: ConfigurationSection
    ) -> ConfigurationError {
        let place = file.file(of: other) == file.file(of: "hostSwitch.model") ? "" : " (in \(file.file(of: other)))"
        return file.wrong(
            "hostSwitch.model", .string(hostSwitch.model.rawValue),
            expected: "another switch, or \(other)\(place) \(change), since \(reason)")
    }
}
