internal import Accelerometers
public import Boards
internal import Hardware
internal import LinuxHardware
internal import Magnetometers

/// Facts that are asked of the kernel drivers of this machine.
extension LiveFacts {
    /// Examines the GPIO chips, and asks the board's sensors for their identity.
    ///
    /// No GPIO line is requested, and nothing is written to a chip, so that a daemon that uses the chip is not
    /// disturbed. A chip that must be written to before it identifies itself is therefore not asked.
    public init(of board: Board?) {
        let chips = GPIOSurvey.all().map { chip in
            GPIOChipFacts(
                label: chip.label,
                lines: chip.lines.map { GPIOChipFacts.Line(name: $0.name, consumer: $0.consumer) })
        }
        self.init(gpioChips: chips, sensors: board?.sensors.flatMap(LiveFacts.answers))
    }

    /// What the sensor chips answered; nil if the I2C bus is missing or this process cannot open it, which another
    /// check reports.
    private static func answers(of sensors: BoardSensors) -> [SensorAnswer]? {
        guard var bus = try? LinuxI2CBus(sensors.bus) else { return nil }
        var answers: [SensorAnswer] = []
        if let chip = sensors.magnetometer {
            let chips: [any IdentifiableChip.Type] = MagnetometerCatalogue.chips.filter {
                chip.model == nil || $0.model == chip.model
            }
            let search = ChipSearch(
                kind: chip.model?.rawValue ?? "magnetometer", chips: chips, address: chip.address,
                isNamed: chip.model != nil)
            answers += answer("magnetometer", search, over: &bus)
        }
        if let chip = sensors.accelerometer {
            let chips: [any IdentifiableChip.Type] = AccelerometerCatalogue.chips.filter {
                chip.model == nil || $0.model == chip.model
            }
            let search = ChipSearch(
                kind: chip.model?.rawValue ?? "accelerometer", chips: chips, address: chip.address,
                isNamed: chip.model != nil)
            answers += answer("accelerometer", search, over: &bus)
        }
        return answers
    }

    private static func answer(
        _ role: String, _ search: ChipSearch, over bus: inout LinuxI2CBus
    ) -> [SensorAnswer] {
        guard !search.chips.contains(where: { $0.writesToIdentify }) else { return [] }
        do throws(ChipSearchError) {
            _ = try search.run(over: &bus)
            return [SensorAnswer(role: role, problem: nil)]
        } catch {
            return [SensorAnswer(role: role, problem: error.description)]
        }
    }
}
