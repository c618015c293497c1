internal import Accelerometers
internal import Boards
internal import Hardware
internal import Magnetism
internal import Magnetometers
internal import SextantJSON

extension BoardFile {
    /// The I2C addresses that a chip can have; all lower and higher ones are reserved.
    ///
    /// Source: NXP UM10204, 3.1.12.
    private static let addresses = 0x08...0x77

    /// Reads the sections `magnetometer` and `accelerometer`; nil if the file has neither.
    static func takeSensors(from file: inout ConfigurationSection) throws(ConfigurationError) -> BoardSensors? {
        var bus: String?
        var polarity: SetResetPolarity?
        var motion: MotionThreshold?
        let magnetometer: BoardChip<MagnetometerModel>? = try takeChip("magnetometer", bus: &bus, from: &file) {
            section, model throws(ConfigurationError) in polarity = try takePolarity(of: model, from: &section)
        }
        let accelerometer: BoardChip<AccelerometerModel>? = try takeChip("accelerometer", bus: &bus, from: &file) {
            section, model throws(ConfigurationError) in motion = try takeMotion(of: model, from: &section)
        }
        guard let bus else { return nil }
        return BoardSensors(
            bus: bus, magnetometer: magnetometer, polarity: polarity, accelerometer: accelerometer, motion: motion)
    }

    /// Reads the section of one sensor chip; nil if the file has no such section.
    ///
    /// - Parameter known: The I2C bus of an earlier sensor's section, nil if there is none; on return, the bus of this
    ///   sensor. All sensors must be on one bus.
    /// - Parameter takeMore: Reads the keys that only this kind of sensor has; it gets the chip model that the file
    ///   names.
    private static func takeChip<Model>(
        _ key: String, bus known: inout String?, from file: inout ConfigurationSection,
        takeMore: (inout ConfigurationSection, Model?) throws(ConfigurationError) -> Void
    ) throws(ConfigurationError) -> BoardChip<Model>?
    where Model: RawRepresentable & CaseIterable & Sendable & Hashable, Model.RawValue == String {
        guard var section = try file.takeSection(key) else { return nil }
        let given = try section.takeString("bus")
        guard let bus = given ?? known else {
            throw section.missing("bus", "name the I2C bus that it is on, such as bus: \"/dev/i2c-1\"")
        }
        if let known, known != bus {
            throw section.wrong("bus", .string(bus), expected: "\"\(known)\", since the magnetometer is on that one")
        }
        known = bus
        let chip = BoardChip<Model>(
            model: try takeModel(from: &section), address: try takeAddress(from: &section),
            mounting: try takeMounting(from: &section))
        try takeMore(&section, chip.model)
        try section.finish()
        return chip
    }

    private static func takePolarity(
        of model: MagnetometerModel?, from section: inout ConfigurationSection
    ) throws(ConfigurationError) -> SetResetPolarity? {
        guard let polarity = try section.takeWord("polarity", SetResetPolarity.self) else { return nil }
        if model?.hasPolarity == true { return polarity }
        let models = MagnetometerModel.allCases.filter(\.hasPolarity).map(\.rawValue).joined(separator: ", ")
        let expected =
            model.map { "left out, since \($0.rawValue) has none; \(models) have" }
            ?? "left out, unless model is one of \(models)"
        throw section.wrong("polarity", .string(polarity.rawValue), expected: expected)
    }

    /// Reads the acceleration above which the accelerometer reports motion; throws if the named model does not support
    /// it or, without a named model, if no model does.
    private static func takeMotion(
        of model: AccelerometerModel?, from section: inout ConfigurationSection
    ) throws(ConfigurationError) -> MotionThreshold? {
        guard var inner = try section.takeSection("motion") else { return nil }
        let chip = model.map { "for \($0.rawValue) " } ?? ""
        let thresholds = model?.motionThresholds ?? 0.05...20
        let durations = 0...(model?.longestMotionDuration ?? 10)
        let key = "thresholdMetresPerSecondSquared"
        guard let threshold = try inner.takeNumber(key, in: thresholds, chip + "metres per second squared") else {
            throw inner.missing(key, "say how strong motion is, such as \(key): 0.8")
        }
        let duration = try inner.takeNumber("durationSeconds", in: durations, chip + "seconds") ?? 0
        try inner.finish()
        return MotionThreshold(acceleration: threshold, duration: duration)
    }

    private static func takeModel<Model: RawRepresentable & CaseIterable>(
        from section: inout ConfigurationSection
    ) throws(ConfigurationError) -> Model? where Model.RawValue == String {
        guard let value = section.take("model"), value != .string("auto") else { return nil }
        guard case .string(let text) = value, let model = Model(rawValue: text) else {
            let models = Model.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw section.wrong("model", value, expected: "\"auto\" or one of \(models)")
        }
        return model
    }

    static func takeAddress(
        from section: inout ConfigurationSection
    ) throws(ConfigurationError) -> I2CAddress? {
        guard let value = section.take("address"), value != .string("auto") else { return nil }
        guard case .number(let number) = value, let address = Int(exactly: number), addresses.contains(address) else {
            throw section.wrong(
                "address", value, expected: "\"auto\", or seven bits without the direction bit, 0x08 to 0x77")
        }
        return I2CAddress(UInt8(address))
    }

    private static func takeMounting(
        from section: inout ConfigurationSection
    ) throws(ConfigurationError) -> Mounting {
        let x = try takeDirection("x", from: &section)
        let y = try takeDirection("y", from: &section)
        let turn = try section.takeNumber("turnDegrees", in: -180...180, "degrees") ?? 0
        do throws(MountingError) {
            return try Mounting(x: x, y: y, turn: turn)
        } catch {
            throw section.wrong(
                "y", .string(y.rawValue),
                expected: "at a right angle to x, which is \"\(x.rawValue)\"; "
                    + "look at the axes in the data sheet's drawing")
        }
    }

    private static func takeDirection(
        _ axis: String, from section: inout ConfigurationSection
    ) throws(ConfigurationError) -> DeviceDirection {
        guard let direction = try section.takeWord(axis, DeviceDirection.self) else {
            let words = DeviceDirection.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw section.missing(axis, "say where the chip's \(axis) axis points, seen from above: \(words)")
        }
        return direction
    }
}
