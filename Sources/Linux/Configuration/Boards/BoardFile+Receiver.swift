internal import Boards
internal import Receivers
internal import SextantJSON

extension BoardFile {
    static func takeReceiver(from section: inout ConfigurationSection) throws(ConfigurationError) -> BoardReceiver {
        guard let model = try section.takeWord("model", ReceiverModel.self) else {
            let models = ReceiverModel.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw section.missing("model", "name one of \(models)")
        }
        guard let device = try section.takeString("device") else {
            throw section.missing("device", "name the receiver's device, such as device: \"/dev/serial0\"")
        }
        let baud = try takeBaud(from: &section)
        guard let volts = try section.takeNumber("supplyVolts", in: 1...24, "volts") else {
            throw section.missing("supplyVolts", "give the voltage at the receiver, such as supplyVolts: 3.3")
        }
        let draw = try takeDraw(of: model, volts: volts, from: &section)
        let times = try takeStartTimes(of: model, from: &section)
        try section.finish()
        return BoardReceiver(
            model: model, device: device, baud: baud, supplyVolts: volts, draw: draw, startTimes: times)
    }

    private static func takeBaud(from section: inout ConfigurationSection) throws(ConfigurationError) -> Int? {
        guard let value = section.take("baud") else { return nil }
        guard let baud = Baud(value) else { throw section.wrong("baud", value, expected: Baud.expected) }
        return baud.rate
    }

    /// Reads the receiver's power draw: the typical values of its model, or measured values in milliwatts or
    /// milliamperes.
    private static func takeDraw(
        of model: ReceiverModel, volts: Double, from section: inout ConfigurationSection
    ) throws(ConfigurationError) -> PowerDraw {
        let expected = "\"typical\", { milliwatts: {...} } or { milliamps: {...} }"
        switch section.take("draw") {
        case nil: throw section.missing("draw", "give what was measured, or \"typical\" for the model's")
        case .string("typical")?: return model.powerDraw
        case .object(let members)?:
            var inner = section.section("draw", members)
            guard members.count < 2 else { throw section.wrong("draw", .object(members), expected: expected) }
            if var states = try inner.takeSection("milliamps") {
                return try takeStates(of: model, factor: volts, unit: "milliamps", from: &states)
            }
            if var states = try inner.takeSection("milliwatts") {
                return try takeStates(of: model, factor: 1, unit: "milliwatts", from: &states)
            }
            try inner.finish()
            throw section.wrong("draw", .object(members), expected: expected)
        case let value?: throw section.wrong("draw", value, expected: expected)
        }
    }

    private static func takeStates(
        of model: ReceiverModel, factor: Double, unit: String, from section: inout ConfigurationSection
    ) throws(ConfigurationError) -> PowerDraw {
        func state(_ key: String, typical: Double) throws(ConfigurationError) -> Double {
            guard let value = section.take(key) else {
                throw section.missing(key, "measure it, or give \"typical\"")
            }
            if value == .string("typical") { return typical }
            guard case .number(let number) = value, (0...10_000).contains(number) else {
                throw section.wrong(key, value, expected: "\(unit) from 0 to 10000, or \"typical\"")
            }
            return number * factor
        }
        let usual = model.powerDraw
        let draw = PowerDraw(
            acquiring: try state("acquiring", typical: usual.acquiring),
            tracking: try state("tracking", typical: usual.tracking),
            cyclic: try usual.cyclic.map { cyclic throws(ConfigurationError) in try state("cyclic", typical: cyclic) },
            softwareSleep: try state("softwareSleep", typical: usual.softwareSleep),
            hardwareSleep: try state("hardwareSleep", typical: usual.hardwareSleep))
        try section.finish()
        return draw
    }
}
